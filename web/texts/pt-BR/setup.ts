export const TEXTS = {
  "access-to-personal-data-isnt-known": "O acesso a dados pessoais ainda não é conhecido.",
  "all-settings": "Todas as configurações",
  allow: "Permitir",
  change: "Alterar",
  "check-again": "Verificar novamente",
  "check-your-first-order": "Verifique seu primeiro pedido",
  "choose-what-holdfast-does": "Escolha o que o Holdfast faz",
  "connect-the-verification-service": "Conecte o serviço de verificação",
  "critical-orders-are-canceled-right-away":
    "Pedidos críticos são cancelados imediatamente. A Shopify reembolsa o cliente. Um cancelamento não pode ser desfeito.",
  done: "feito",
  fine: "tudo certo",
  "give-holdfast-access-to-the-platform": "Dê ao Holdfast acesso à plataforma",
  granted: "{count, plural, one {# permissão concedida} other {# permissões concedidas}}",
  "hold-and-cancel-orders": "Reter e cancelar pedidos",
  "hold-orders": "Reter pedidos",
  "holdfast-holds-risky-orders-and-cancels": "O Holdfast retém pedidos arriscados e não cancela nenhum.",
  "holdfast-holds-risky-orders-and-cancels-critical":
    "O Holdfast retém pedidos arriscados e cancela os críticos.",
  "holdfast-only-watches-your-orders": "O Holdfast apenas observa seus pedidos.",
  "holdfast-records-decisions-without-changing-orders":
    "O Holdfast registra decisões sem alterar pedidos. Depois de alguns dias, o relatório mostra o que ele teria feito.",
  "holdfast-tags-and-holds-risky-orders":
    "O Holdfast aplica tags e retém pedidos arriscados. Você decide o que acontece com eles.",
  "not-checked": "não verificado",
  "open-any-order-in-your-admin":
    "Abra qualquer pedido no seu admin, adicione o bloco do Holdfast à página e fixe-o. Cada pedido mostra então o risco, a decisão e os motivos.",
  "open-holdfast-in-the-platforms-admin": "Abra o Holdfast no admin da plataforma para permitir.",
  "open-order": "Abrir o pedido",
  "order-is": "Estado do pedido: {state}.",
  "pin-holdfast-to-your-order-pages": "Fixe o Holdfast nas suas páginas de pedidos",
  problem: "problema",
  "risk-level-of-the-test-order": "Nível de risco do pedido de teste",
  save: "Salvar",
  "send-sandbox-order": "Enviar pedido de teste",
  sending: "Enviando…",
  "setup-complete-holdfast-checks-orders-as":
    "Configuração concluída. O Holdfast verifica os pedidos assim que chegam.",
  "show-orders": "Ver pedidos",
  "steps-left":
    "{count, plural, one {Falta # etapa} other {Faltam # etapas}}. O Holdfast já verifica seus pedidos.",
  "the-platform-doesnt-share-personal-data":
    "A plataforma não compartilha dados pessoais, então as verificações são menos precisas. Solicite acesso na plataforma.",
  "the-platform-shares-the-personal-data":
    "A plataforma compartilha os dados pessoais de que as verificações precisam.",
  "to-approve-decline-or-recheck-choose":
    "Para aprovar, recusar ou verificar novamente, escolha “Analisar no Holdfast” em “Mais ações” de um pedido. Na lista de pedidos, selecione alguns primeiro.",
  "to-do": "a fazer",
  "uses-no-credits-and-changes-nothing": "Não usa créditos e não altera nada na plataforma.",
  "view-policy": "Ver política",
  waiting: "aguardando…",
  warning: "aviso",
  "watch-only-recommended": "Apenas observar (recomendado)",
  "welcome-to-holdfast": "Boas-vindas ao Holdfast",
  "what-holdfast-does": "O que o Holdfast faz",
  "your-first-orders-have-arrived": "Seus primeiros pedidos chegaram.",
};

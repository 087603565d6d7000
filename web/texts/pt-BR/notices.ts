export const TEXTS = {
  choice: "{channel}: {event}",
  code: "Código do e-mail",
  "code-sent": "Código enviado.",
  email: "E-mail",
  "email-address": "Seu endereço de e-mail",
  event: "Evento",
  "event-assigned": "Alguém atribui um pedido a você ou menciona você",
  "event-attention": "Um pedido precisa de atenção: uma etapa falhou ou o prazo passou",
  "event-deadline": "Uma retenção está perto do prazo",
  "event-held": "Um pedido é retido para análise",
  "event-inquiry": "Um banco questiona um pagamento",
  "event-service": "O serviço de verificação está com um problema",
  language: "Idioma dos seus avisos",
  "last-failed": "Não foi possível enviar a última mensagem ({code}, {time}).",
  lead: "Escolha o que você quer saber sobre esta loja e por qual meio. Você não recebe nada até ativar, e ninguém mais vê suas escolhas. Os avisos nunca identificam o comprador.",
  "no-mail-server":
    "Esta instalação não tem servidor de e-mail, então você não pode receber avisos por e-mail.",
  notices: "Seus avisos",
  page: "Navegador",
  "page-allow": "Permitir notificações",
  "page-default":
    "Seu navegador pode mostrar notificações enquanto o console está aberto. Ele pede permissão uma única vez.",
  "page-denied":
    "Seu navegador bloqueia as notificações deste site. Permita-as nas configurações do navegador para este site e recarregue a página.",
  "page-embedded":
    "Os navegadores não permitem notificações dentro da página de outro site. Use aqui os outros meios.",
  "page-granted": "Este navegador mostra seus avisos enquanto o console está aberto, mesmo em segundo plano.",
  "page-unsupported": "Este navegador não consegue mostrar notificações de uma página.",
  save: "Salvar avisos",
  "save-first": "Salve suas alterações primeiro.",
  saved: "Avisos salvos.",
  "send-code": "Enviar o código por e-mail",
  "test-address-refused": "O servidor de e-mail recusou este endereço. Verifique-o.",
  "test-arrived": "Seus avisos chegam aqui.",
  "test-email": "Enviar um e-mail de teste",
  "test-not-public": "Nada foi enviado: este endereço não está na internet pública.",
  "test-page": "Mostrar uma notificação de teste",
  "test-refused": "O destino recusou o teste com o status {status}. Verifique o endereço.",
  "test-sent": "Teste enviado.",
  "test-timed-out": "Sem resposta a tempo. Tente novamente ou verifique o endereço.",
  "test-unreachable": "Não foi possível enviar o teste: o servidor está inacessível ou recusou a conexão.",
  "test-webhook": "Enviar um teste para o webhook",
  "title-assigned": "{count, plural, one {Para você: pedido {name}} other {# atribuições e notas para você}}",
  "title-attention":
    "{count, plural, one {Precisa de atenção: pedido {name}} other {# pedidos precisam de atenção}}",
  "title-deadline":
    "{count, plural, one {Prazo perto do fim: pedido {name}} other {# retenções estão perto do prazo}}",
  "title-held":
    "{count, plural, one {Retido para análise: pedido {name}} other {# pedidos retidos para análise}}",
  "title-inquiry":
    "{count, plural, one {Pagamento contestado: pedido {name}} other {# pagamentos contestados}}",
  "title-mentioned": "{count, plural, one {Mencionaram você: pedido {name}} other {# notas mencionam você}}",
  "title-service":
    "{count, plural, one {Problema no serviço de verificação: {name}} other {# problemas no serviço de verificação: {name}}}",
  "title-test": "Teste do Holdfast",
  unconfirmed:
    "Confirme este endereço: envie um código para ele, digite-o aqui e salve. Até lá, nenhum aviso é enviado para este endereço.",
  webhook: "Webhook",
  "webhook-hint":
    "Por exemplo, um webhook de entrada do Slack. O Holdfast envia cada aviso para lá em JSON, com um texto.",
  "webhook-remove": "Remover o webhook",
  "webhook-saved": "Salvo: {address}. Deixe o campo vazio para mantê-lo.",
  "webhook-url": "URL do webhook",
};

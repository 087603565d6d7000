export const TEXTS = {
  verification_key_refused:
    "O serviço de verificação recusa a chave de API. Os pedidos são retidos. Verifique a chave e a organização dela. A chave própria de uma loja é trocada nas configurações do console. Depois de alterar VERIFY_API_KEY ou VERIFY_ORGANIZATION, reinicie o app.",
  verification_no_credits:
    "O serviço de verificação está sem créditos. Os pedidos são decididos sem ele. Compre créditos. Tentamos novamente com um pedido a cada 3 minutos.",
  verification_unavailable:
    "O serviço de verificação está inacessível ou falha repetidamente. Os pedidos são decididos sem ele. Verifique o status do serviço, sua rede, o DNS e o proxy. Tentamos novamente de forma automática.",
  verification_misconfigured:
    "O serviço de verificação não pode ser usado com esta configuração: a organização, o endereço ou o certificado está errado (veja o log). Os pedidos são retidos. Defina VERIFY_ORGANIZATION, verifique VERIFY_URL, o proxy e os certificados, e reinicie o app.",
  verification_request_refused:
    "O serviço de verificação recusou a solicitação de um pedido, e a chamada foi cobrada. Isso é um bug do Holdfast. Informe-o sem os dados do pedido.",
  ledger_unwritten:
    "Não foi possível salvar o resultado de uma chamada ao serviço de verificação. A chamada pode ter sido cobrada. Verifique o banco de dados.",
  hold_expiring:
    "O prazo de uma retenção acaba em menos de 6 horas. Analise o pedido e depois libere a retenção ou cancele o pedido na loja.",
  hold_overdue:
    "O prazo de uma retenção já passou e o pedido continua retido. Analise o pedido e depois libere a retenção ou cancele o pedido na loja.",
  protection_lapsing:
    "Um pedido retido perde a cobertura do Shopify Protect em menos de dois dias, a menos que seja enviado com rastreamento. Analise o pedido e depois libere a retenção e envie-o, ou cancele-o.",
  dispute_inquiry:
    "O banco de um comprador consulta o pagamento de um pedido. Se ele não foi enviado, está retido. Analise-o agora: um reembolso costuma custar menos que um estorno. Para reembolsar, recuse o pedido ou reembolse-o na loja.",
  dispute_chargeback:
    "Um pedido teve um estorno: o banco retirou o pagamento. Responda à contestação na loja antes do prazo. O relatório mostra quais fraudes passaram.",
  disputes_high:
    "As contestações deste mês atingem três quartos dos limites de uma bandeira, ou atingirão se o mês continuar assim. Peça ao seu provedor de pagamentos os seus avisos de fraude (TC40), que também contam. Retenha mais pedidos de risco e responda às consultas com reembolsos.",
  dispute_evidence_due:
    "O banco aceita provas sobre um pagamento contestado por menos de mais 48 horas, e nenhuma foi enviada. Abra o pedido no console, obtenha as provas e envie-as na loja.",
  authorization_expiring:
    "O pagamento de um pedido retido está autorizado por menos de mais 24 horas. Se ainda não foi capturado, aprove o pedido e capture o pagamento, ou recuse o pedido.",
  order_hidden_soon:
    "A plataforma vai ocultar do app um pedido retido em menos de 2 dias, por causa da idade dele. Analise o pedido agora: depois disso, o Holdfast não poderá cancelá-lo. Na Shopify, a permissão read_all_orders evita isso.",
  order_hidden:
    "A plataforma não mostra mais um pedido ao app, por causa da idade dele, e o pedido precisa de uma pessoa: está retido, ou um banco consulta o pagamento. Veja-o na loja. Para cancelar ou reembolsar, faça isso lá.",
  hold_not_placed:
    "Um pedido deveria estar retido, mas não está, ou só em parte. Analise o pedido e não o envie. Se o problema dele for goods-hidden, conceda write_third_party_fulfillment_orders.",
  held_order_fulfilled:
    "Um pedido foi enviado enquanto o Holdfast o retinha, ou alguém o liberou e enviou entre duas verificações. Descubra quem o liberou. Pare o pacote se o pedido não devia ter sido enviado.",
  hold_released_by_app:
    "Outro app ou um fluxo de trabalho liberou uma retenção sem a decisão de uma pessoa. O pedido continua na fila de análise. Encontre o app no histórico do pedido e impeça que ele libere retenções de outros. Este alerta é enviado uma vez por dia.",
  cancel_limit_reached:
    "O limite de cancelamentos por hora da política foi atingido. Os demais pedidos são retidos. Verifique se você está sob ataque ou se uma regra corresponde a pedidos demais. Cancele os pedidos você mesmo, ou aumente cancel.maxPerHour.",
  enforcement_failed:
    "Não foi possível aplicar uma decisão a um pedido. Faça você a etapa que o problema indica.",
  platform_refused:
    "A plataforma recusa todas as chamadas do app, então há pedidos aguardando. Verifique as permissões do app, a lista de IPs permitidos e o plano da loja.",
  personal_data_not_granted:
    "A Shopify não compartilha dados pessoais com o app, então o mecanismo local verifica os pedidos. Solicite acesso aos dados protegidos de clientes, nível 2.",
  burst_braked:
    "Há pedidos demais vindos da mesma origem. Eles são retidos e não usam créditos. Procure bots, bloqueie-os na sua loja e analise os pedidos retidos.",
  one_ip_address:
    "Todos os clientes de uma loja têm o mesmo endereço IP público, provavelmente o de um proxy ou de uma CDN. A verificação não consegue diferenciá-los por ele, e os pedidos podem ser retidos como uma rajada. Transmita o endereço do próprio cliente: defina trust proxy ou envie-o com o pedido.",
  order_failed:
    "O Holdfast não consegue concluir um pedido e não tentará novamente. Encontre o pedido no console, decida na loja e consulte o problema em docs/reference/errors.md.",
  defect: "Ocorreu um erro inesperado em um pedido. Informe-o com o stack trace do log.",
  webhooks_missed:
    "O Holdfast encontrou pedidos cujo webhook nunca chegou e está verificando-os agora. Se isso acontece com frequência, verifique as inscrições de webhook, o endereço e se houve webhooks respondidos com 401 (o segredo do app está errado) ou 503.",
  webhooks_unauthenticated:
    "Webhooks são recusados (401) porque estão assinados com outro segredo, então os pedidos não são verificados. Defina SHOPIFY_API_SECRET com o segredo do cliente do app, sem aspas, e reinicie o app. Se estiver certo, os webhooks são falsos e não têm efeito.",
  webhooks_refused:
    "Webhooks assinados chegaram com cabeçalhos alterados e foram ignorados. Alguém interceptou entregas e as envia novamente. Encontre o vazamento (logs de proxy, rastreadores de erros) e troque o segredo do cliente.",
  orders_not_kept:
    "Há pedidos demais aguardando de lojas que não instalaram o app. Novos pedidos dessas lojas são descartados. Descubra de onde vêm.",
  erasure_unconfirmed:
    "Os dados de uma loja devem ser apagados, mas a Shopify não confirmou que o app foi desinstalado. Se o app ainda está instalado, abra-o no admin da loja. Caso contrário, os dados são apagados após 25 dias.",
  delivery_stuck:
    "Um webhook aceito não pode ser processado. Tentamos novamente a cada hora. Veja o erro no log.",
  shop_access_lost:
    "A Shopify não aceita mais o acesso do app a uma loja, então os pedidos dela aguardam. Abra o app no admin dessa loja.",
  store_unavailable:
    "O Holdfast não consegue ler o trabalho pendente do banco de dados. Verifique o banco de dados, o disco dele e a rede. Webhooks que não podem ser salvos são respondidos com 503, e a plataforma os envia novamente.",
  checkout_list_not_applied:
    "O checkout de uma loja não trata compradores bloqueados como a política diz: pode deixá-los comprar, ou ainda recusar alguém que saiu da lista. Os pedidos são verificados de qualquer forma. Se o problema for not-granted, conceda write_validations ou write_payment_customizations na configuração do app. Para os demais, veja docs/block-at-checkout.md.",
  customer_data_request:
    "Um cliente solicitou seus dados, e o relatório está pronto. Baixe-o em /api/data-requests e envie-o ao cliente dentro do prazo legal.",
  coverage_low:
    "Pedidos demais das últimas 24 horas não foram decididos em 5 minutos. Verifique o limite de solicitações do serviço de verificação, o acúmulo de trabalho, o banco de dados e os outros alertas.",
  levels_shifted:
    "Claramente mais (up) ou menos (down) pedidos do que no mesmo dia da semana das últimas quatro semanas têm hoje o risco que o problema indica. Abra a visão geral no console e siga o aviso até os pedidos.",
  settings_unreadable:
    "Não foi possível descriptografar as configurações de uma loja, então a chave de serviço e os endereços de alerta dela não são usados. Defina a DATA_KEY que as criptografou, ou informe as configurações novamente no console.",
  retention_failed:
    "Há um dia, dados pessoais com prazo de retenção vencido não são excluídos. Veja o erro no log e verifique o banco de dados.",
  card_amount_not_released:
    "Um pequeno valor que mostra um código na fatura de um cartão não é liberado há cerca de dez horas. Verifique a chave da plataforma de pagamento e o status dela, ou cancele o pagamento lá: na Stripe, os metadados dizem holdfast: card-code. Ele nunca é cobrado e expira sozinho em alguns dias.",
  notifier_failed:
    "Não foi possível enviar um alerta, que aparece apenas no log. Verifique ALERT_WEBHOOK_URL ou SMTP_URL e o servidor correspondente.",
};

export const TEXTS = {
  all: "Total",
  basis:
    "Com base em {known, number} de {count, plural, one {# pedido decidido} other {# pedidos decididos}} nos últimos {days, number} dias: {refunded, plural, =0 {o resultado dos demais ainda não é conhecido} other {os demais foram reembolsados ou ainda não são conhecidos}}. Fraude: estornado por fraude, recusado por fraude ou cancelado por fraude na plataforma. Bom: aprovado por uma pessoa, ou liberado há {undisputedDays, number} dias e sem contestação. Reembolsado: devolvido por completo. Isso não conta como fraude nem como bom e não altera nenhum peso. No modo de observação, o que teria sido retido ou cancelado conta como detectado ou barrado.",
  caught:
    "De {count, plural, one {# pedido que se sabe ser fraude} other {# pedidos que se sabe serem fraude}}, o Holdfast detectou {caught, number}.",
  few: "Até agora, apenas {count, plural, one {# pedido se revelou fraude} other {# pedidos se revelaram fraude}}, então as proporções ainda podem mudar bastante.",
  "fraud-caught": "Fraude detectada",
  "fraud-caught-and-good-orders-stopped": "Fraude detectada e pedidos bons barrados",
  "good-orders-stopped": "Pedidos bons barrados",
  level: "Nível",
  "no-order-is-known-to-be": "Ainda não há nenhum pedido conhecido como bom.",
  "no-order-turned-out-to-be": "Nenhum pedido se revelou fraude.",
  "no-outcomes-are-known-yet": "Nenhum resultado é conhecido ainda.",
  "no-payment-dispute-has-arrived-if":
    "Nenhuma contestação de pagamento chegou. Se a sua loja não compartilha contestações, a fraude que passou não é contada e pedidos estornados contam como bons.",
  "no-risk-level": "Sem nível de risco",
  "orders-whose-outcome-is-known-by": "Pedidos com resultado conhecido, por nível de risco",
  refunded: "Reembolsados",
  stopped:
    "De {count, plural, one {# pedido que se sabe ser bom} other {# pedidos que se sabe serem bons}}, o Holdfast barrou {stopped, number}.",
  "too-few": "Poucos para concluir",
  "too-few-good":
    "São poucos para dizer com que frequência pedidos bons são barrados: são necessários {needed, number}. A maioria dos verificados por uma pessoa estava retida; os que passaram só contam após {days, number} dias sem contestação.",
};

export const TEXTS = {
  "a-weight-isnt-valid-use-the": "Um peso não é válido. Use os pesos sugeridos ou os padrão.",
  "back-to-the-standard-weights": "Voltar aos pesos padrão",
  basis:
    "Com base em {frauds, plural, one {# pedido fraudulento} other {# pedidos fraudulentos}} e {goods, plural, one {# pedido bom} other {# pedidos bons}} que o mecanismo local avaliou nos últimos {days, number} dias.",
  "in-this-policy-the-standard-weights": "Nesta política: os pesos padrão.",
  "local-engine-your-own-weights": "Mecanismo local: seus próprios pesos",
  "not-seen": "Não visto",
  now: "Agora",
  own: "Nesta política: seus próprios pesos para {count, plural, one {# sinal} other {# sinais}}.",
  "points-of-signals-in-this-policy": "Pontos dos sinais, nesta política e sugeridos",
  seen: "Em {fraud, number} de {frauds, number} pedidos fraudulentos e {good, number} de {goods, number} pedidos bons",
  signal: "Sinal",
  standard: "padrão {points}",
  suggested: "Sugerido",
  "suggestion-from-your-orders": "Sugestão a partir dos seus pedidos",
  "the-local-engine-gives-each-signal":
    "O mecanismo local dá pontos a cada sinal: acima de zero a favor de fraude, abaixo contra. São iguais em todas as lojas. Quando o resultado de pedidos suficientes é conhecido, ele sugere pontos adequados à sua loja e muda cada um em no máximo metade. Eles valem desde que você os salva, e apenas para pedidos que o mecanismo local decide.",
  "the-policy-already-has-these-weights": "A política já tem estes pesos.",
  "too-few":
    "Ainda há poucos resultados conhecidos. Uma sugestão precisa de {neededFrauds, number} pedidos fraudulentos e {neededGoods, number} bons que o mecanismo local tenha avaliado nos últimos {days, number} dias. Até agora há {frauds, number} e {goods, number}.",
  "use-the-suggested-weights": "Usar os pesos sugeridos",
  "you-already-use-the-standard-weights": "Você já usa os pesos padrão.",
  "your-orders-agree-with-the-standard": "Seus pedidos confirmam os pesos padrão.",
};

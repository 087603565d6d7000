export const TEXTS = {
  amount: "Maior que {percent} % dos seus pedidos, até a próxima faixa",
  "beside-first":
    "Este modelo ainda não pode ser salvo. Salve o rascunho como fantasma e ative-o depois de 7 dias.",
  caption: "O que o modelo soma aos pontos padrão",
  compared:
    "Em {fraud, number} pedidos fraudulentos e {good, number} bons posteriores, o modelo põe uma fraude acima de um pedido bom em {model, number} % das vezes; os pontos padrão, em {base, number} %. Em 95 de 100 amostras, a diferença vai de {low} a {high}.",
  feature: "Sinal",
  hour: "Pedido nas três horas a partir das {from}h",
  lead: "O modelo aprende com seus pedidos o que indica fraude na sua loja. Ele move um pedido em no máximo um nível de risco e não cancela nenhum. Vale apenas para pedidos que o mecanismo local decide.",
  none: "Nenhum modelo nesta política.",
  "not-offered": "Ele ainda não supera com certeza os pontos padrão, por isso não é oferecido.",
  off: "Desativar o modelo",
  own: "Nesta política: um modelo que muda {count, plural, one {# sinal} other {# sinais}}.",
  points: "Pontos",
  suggestion: "Modelo a partir dos seus pedidos",
  title: "Mecanismo local: seu próprio modelo",
  "too-few":
    "Ainda há poucos resultados conhecidos. Um modelo precisa de {neededFrauds, number} pedidos fraudulentos e {neededGoods, number} bons que o mecanismo local tenha avaliado nos últimos {days, number} dias. Até agora há {frauds, number} e {goods, number}.",
  use: "Usar este modelo",
};

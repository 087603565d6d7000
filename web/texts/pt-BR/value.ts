export const TEXTS = {
  "chargeback-gauge":
    "{share} de {limit}: a proporção a partir da qual as bandeiras de cartão agem. Fique de olho a partir de {watch}.",
  "chargeback-rate": "Taxa de estornos",
  "chargebacks-of": "{count, number} de {sold, plural, one {# pedido vendido} other {# pedidos vendidos}}",
  cost: "{cost}, {saved, number} economizados",
  "cost-unknown":
    "{saved, number} economizados. Para ver quanto custam os créditos, <link>informe o preço</link>.",
  credits: "Créditos usados",
  "false-positives": "Pedidos bons entre os barrados",
  "fraud-missed": "Fraude não detectada",
  "fraud-stopped": "Fraude barrada",
  "good-of-known": "{good, number} de {known, number} pedidos barrados com resultado conhecido",
  "good-stopped": "Pedidos bons barrados",
  "no-currency":
    "A moeda da sua loja não é conhecida, então os valores aparecem por moeda. <link>Escolha uma moeda</link>.",
  "not-known-yet": "Barrados, resultado desconhecido",
  orders: "{count, plural, one {# pedido} other {# pedidos}}",
  rate: "1 {currency} = {value} de {day}",
  "rates-used": "Taxas de câmbio: {rates}.",
  "review-hint": "de {count, plural, one {# pedido} other {# pedidos}}; nove em cada dez em até {p90}",
  "review-time": "Tempo de análise habitual",
  "too-few": "Poucos para concluir",
  "too-few-of": "{good, number} de {known, number} resultados conhecidos; são necessários {needed, number}",
  trends: "Por semana",
  week: "Semana de",
  "what-it-was-worth": "Quanto valeu",
  "without-rate": "mais {sum} sem <link>taxa de câmbio</link>",
};

export const TEXTS = {
  "chargeback-gauge":
    "{share} de {limit}: la proporción a partir de la cual actúan las redes de tarjetas. Vigílala desde {watch}.",
  "chargeback-rate": "Tasa de contracargos",
  "chargebacks-of": "{count, number} de {sold, plural, one {# pedido vendido} other {# pedidos vendidos}}",
  cost: "{cost}, {saved, number} ahorrados",
  "cost-unknown":
    "{saved, number} ahorrados. Para ver cuánto cuestan los créditos, <link>introduce su precio</link>.",
  credits: "Créditos usados",
  "false-positives": "Pedidos buenos entre los detenidos",
  "fraud-missed": "Fraude no detectado",
  "fraud-stopped": "Fraude detenido",
  "good-of-known": "{good, number} de {known, number} pedidos detenidos con resultado conocido",
  "good-stopped": "Pedidos buenos detenidos",
  "no-currency":
    "No se conoce la moneda de tu tienda, así que los importes se muestran por moneda. <link>Elige una moneda</link>.",
  "not-known-yet": "Detenidos, resultado desconocido",
  orders: "{count, plural, one {# pedido} other {# pedidos}}",
  rate: "1 {currency} = {value} del {day}",
  "rates-used": "Tipos de cambio: {rates}.",
  "review-hint": "de {count, plural, one {# pedido} other {# pedidos}}; nueve de cada diez en {p90}",
  "review-time": "Tiempo de revisión habitual",
  "too-few": "Muy pocos para saberlo",
  "too-few-of": "{good, number} de {known, number} resultados conocidos; hacen falta {needed, number}",
  trends: "Por semana",
  week: "Semana del",
  "what-it-was-worth": "Cuánto valió",
  "without-rate": "más {sum} sin <link>tipo de cambio</link>",
};

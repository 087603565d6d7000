export const TEXTS = {
  "a-weight-isnt-valid-use-the": "Un peso no es válido. Usa los pesos sugeridos o los estándar.",
  "back-to-the-standard-weights": "Volver a los pesos estándar",
  basis:
    "Basado en {frauds, plural, one {# pedido fraudulento} other {# pedidos fraudulentos}} y {goods, plural, one {# pedido bueno} other {# pedidos buenos}} que el motor local evaluó en los últimos {days, number} días.",
  "in-this-policy-the-standard-weights": "En esta política: los pesos estándar.",
  "local-engine-your-own-weights": "Motor local: tus propios pesos",
  "not-seen": "No visto",
  now: "Ahora",
  own: "En esta política: tus propios pesos para {count, plural, one {# señal} other {# señales}}.",
  "points-of-signals-in-this-policy": "Puntos de las señales, en esta política y sugeridos",
  seen: "En {fraud, number} de {frauds, number} pedidos fraudulentos y {good, number} de {goods, number} pedidos buenos",
  signal: "Señal",
  standard: "estándar {points}",
  suggested: "Sugerido",
  "suggestion-from-your-orders": "Sugerencia según tus pedidos",
  "the-local-engine-gives-each-signal":
    "El motor local da puntos a cada señal: por encima de cero a favor del fraude, por debajo en contra. Son los mismos en todas las tiendas. Cuando se conoce el resultado de suficientes pedidos tuyos, sugiere puntos adecuados para tu tienda y cambia cada uno a lo sumo a la mitad. Se aplican desde que los guardas, y solo a los pedidos que decide el motor local.",
  "the-policy-already-has-these-weights": "La política ya tiene estos pesos.",
  "too-few":
    "Aún se conocen muy pocos resultados. Una sugerencia necesita {neededFrauds, number} pedidos fraudulentos y {neededGoods, number} buenos que el motor local haya evaluado en los últimos {days, number} días. Por ahora hay {frauds, number} y {goods, number}.",
  "use-the-suggested-weights": "Usar los pesos sugeridos",
  "you-already-use-the-standard-weights": "Ya usas los pesos estándar.",
  "your-orders-agree-with-the-standard": "Tus pedidos confirman los pesos estándar.",
};

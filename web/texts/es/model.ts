export const TEXTS = {
  amount: "Mayor que el {percent} % de tus pedidos, hasta el siguiente tramo",
  "beside-first":
    "Este modelo aún no se puede guardar. Guarda el borrador como fantasma y actívalo después de 7 días.",
  caption: "Lo que el modelo suma a los puntos estándar",
  compared:
    "En {fraud, number} pedidos fraudulentos y {good, number} buenos posteriores, el modelo pone un fraude por encima de un pedido bueno el {model, number} % de las veces; los puntos estándar, el {base, number} %. En 95 de 100 muestras, la diferencia va de {low} a {high}.",
  feature: "Señal",
  hour: "Pedido en las tres horas desde las {from}:00",
  lead: "El modelo aprende de tus pedidos qué indica fraude en tu tienda. Mueve un pedido un nivel de riesgo como máximo y no cancela ninguno. Solo cuenta para los pedidos que decide el motor local.",
  none: "No hay ningún modelo en esta política.",
  "not-offered": "Aún no supera con certeza a los puntos estándar, así que no se ofrece.",
  off: "Desactivar el modelo",
  own: "En esta política: un modelo que cambia {count, plural, one {# señal} other {# señales}}.",
  points: "Puntos",
  suggestion: "Modelo según tus pedidos",
  title: "Motor local: tu propio modelo",
  "too-few":
    "Aún se conocen muy pocos resultados. Un modelo necesita {neededFrauds, number} pedidos fraudulentos y {neededGoods, number} buenos que el motor local haya evaluado en los últimos {days, number} días. Por ahora hay {frauds, number} y {goods, number}.",
  use: "Usar este modelo",
};

export const TEXTS = {
  all: "Total",
  basis:
    "Basado en {known, number} de {count, plural, one {# pedido decidido} other {# pedidos decididos}} de los últimos {days, number} días: {refunded, plural, =0 {aún no se conoce el resultado de los demás} other {los demás se reembolsaron o aún no se conocen}}. Fraude: con contracargo por fraude, rechazado por fraude o cancelado por fraude en la plataforma. Bueno: aprobado por una persona, o permitido hace {undisputedDays, number} días y sin disputa. Reembolsado: devuelto por completo. No cuenta como fraude ni como bueno y no cambia ningún peso. En modo de observación, lo que se habría retenido o cancelado cuenta como detectado o detenido.",
  caught:
    "De {count, plural, one {# pedido que se sabe que fue fraude} other {# pedidos que se sabe que fueron fraude}}, Holdfast detectó {caught, number}.",
  few: "Hasta ahora solo {count, plural, one {# pedido resultó ser fraude} other {# pedidos resultaron ser fraude}}, así que las proporciones aún pueden cambiar mucho.",
  "fraud-caught": "Fraude detectado",
  "fraud-caught-and-good-orders-stopped": "Fraude detectado y pedidos buenos detenidos",
  "good-orders-stopped": "Pedidos buenos detenidos",
  level: "Nivel",
  "no-order-is-known-to-be": "Aún no se sabe de ningún pedido bueno.",
  "no-order-turned-out-to-be": "Ningún pedido resultó ser fraude.",
  "no-outcomes-are-known-yet": "Aún no se conoce ningún resultado.",
  "no-payment-dispute-has-arrived-if":
    "No ha llegado ninguna disputa de pago. Si tu tienda no comparte sus disputas, el fraude no detectado no se cuenta y los pedidos con contracargo cuentan como buenos.",
  "no-risk-level": "Sin nivel de riesgo",
  "orders-whose-outcome-is-known-by": "Pedidos con resultado conocido, por nivel de riesgo",
  refunded: "Reembolsados",
  stopped:
    "De {count, plural, one {# pedido que se sabe que es bueno} other {# pedidos que se sabe que son buenos}}, Holdfast detuvo {stopped, number}.",
  "too-few": "Muy pocos para saberlo",
  "too-few-good":
    "Son muy pocos para saber con qué frecuencia se detienen pedidos buenos: hacen falta {needed, number}. La mayoría de los que revisó una persona estaban retenidos; los que pasaron solo cuentan tras {days, number} días sin disputa.",
};

export const TEXTS = {
  advice:
    "El comprador confirmó este pedido ({method, select, earlier_address {dirección anterior} card_code {extracto de la tarjeta} other {prueba}})",
  "advice-milder": "Considérelo un nivel de riesgo menor",
  "advice-wrong": "El comprador dijo que no es su pedido o no pudo confirmarlo",
  "any-word": "Toda respuesta",
  answer: "Respuesta",
  answered:
    "{answer, select, right {Confirmó el pedido} wrong {No es suyo o no pudo confirmarlo} other {Envió algo para revisar}} ({method, select, earlier_address {dirección anterior} card_code {código del extracto} other {prueba}})",
  "buyer-answered": "El comprador respondió",
  "buyer-asked": "Comprador consultado",
  "buyer-confirmed": "Confirmado por el comprador, decide una persona",
  "confirmed-reason": "El comprador confirmó el pedido",
  copied: "Enlace copiado. Envíelo solo a {address}",
  "copy-link": "Copiar el enlace del comprador",
  "from-buyer": "El comprador",
  "keep-addresses":
    "Conservar las direcciones de los pedidos sin incidencias tanto tiempo como los pedidos, para preguntar allí a los compradores más adelante. Indíquelo en su política de privacidad",
  figure:
    "{figure, select, asked {Compradores consultados} answered {Respondidos} right {Confirmados} released {Liberados} other {Con contracargo posterior}}",
  language: "Idioma si no se conoce el del comprador",
  level: "Preguntar al comprador en este nivel de riesgo: {level}",
  method:
    "{method, select, earlier_address {Dirección anterior} card_code {Código del extracto} other {Prueba}}",
  "nobody-asked": "No se preguntó a nadie: no había forma posible",
  "not-offered": "No ofrecido",
  "not-sent": "No se pudo enviar ({problem}). Copie el enlace",
  "of-order": "{address}, usada en el pedido {order}",
  "open-file":
    "{kind, select, heic {Guardar el archivo} pdf {Guardar el archivo} other {Mostrar la imagen}} ({kind}, {size, number} kB)",
  option:
    "{verify, select, none {No preguntar al comprador} release {Preguntar y liberar tras una respuesta correcta} other {Preguntar y que decida una persona}}",
  picture: "Imagen que envió el comprador",
  retry: "Próximo intento",
  sent: "Enviado",
  "sent-to": "El enlace va a",
  "shop-name": "Nombre de la tienda para compradores",
  state:
    "{state, select, open {Esperando la respuesta del comprador} answered {El comprador respondió} closed {El enlace ya no funciona} other {No se preguntó a nadie}}",
  status: "Estado",
  "the-buyer": "El comprador",
  "the-platforms-address": "Su dirección en la plataforma",
  title: "Preguntar al comprador",
  until: "El enlace vale hasta",
  ways: "Formas de responder",
  "why-not":
    "{method, select, earlier_address {Dirección anterior} card_code {Código del extracto} other {Prueba}}: {reason, select, not_chosen {su política lo excluye} no_earlier_order {ningún pedido anterior de este cliente cuenta} no_earlier_address {no se conserva la dirección de ningún pedido anterior} platform_cannot {la plataforma no puede} not_a_card {no se pagó con tarjeta} no_payment {no hay pago que usar} not_configured {sin configurar} already_used {ya se usó} several_cards {se probaron varias tarjetas} card_not_saved {la tarjeta no está guardada} storage_full {no caben más archivos} other {no es posible ahora}}",
  with: "{what}. Pregunta al comprador: {verify, select, release {una respuesta correcta libera} other {decide una persona}}",
  word: "{word, select, asked {Comprador consultado} right {Confirmado por el comprador} wrong {El comprador dice que no es suyo} other {El comprador envió algo}}",
  "word-label": "Respuesta del comprador",
};

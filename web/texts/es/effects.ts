export const TEXTS = {
  already:
    "{act, select, approve {Este pedido ya está aprobado.} decline {Este pedido ya está cancelado o se está cancelando.} handle {Este pedido ya está marcado como resuelto.} other {Hay otra verificación en curso.}}",
  cancels:
    "Cancela el pedido en {platform}, {refund, select, sum {reembolsa {sum}} yes {lo reembolsa} other {no reembolsa}}, {restock, select, yes {repone} other {no repone}}{notify, select, yes { y avisa al cliente} other {}}. No se puede deshacer una vez que entra en vigor.",
  "cancels-sandbox": "Cancela el pedido de prueba. No se mueve dinero y nada cambia en la plataforma.",
  "decides-again":
    "Decide de nuevo. No usa créditos, porque este pedido no se envía al servicio de verificación.",
  handles:
    "Saca de la cola el pedido, que ya se envió. Los informes no lo cuentan como aprobado ni rechazado.",
  "impossible-already-canceled": "No es posible: el pedido ya está cancelado.",
  "impossible-being-canceled": "No es posible: el pedido se está cancelando en la plataforma.",
  "impossible-being-carried-out":
    "No es posible: {first, select, approve {el pedido ya se aprobó} decline {el pedido ya se rechazó} handle {el pedido ya se marcó como resuelto} other {ya se solicitó otra verificación}} y se está aplicando, inténtalo en un momento.",
  "impossible-canceled-on-platform": "No es posible: el pedido se canceló en la plataforma.",
  "impossible-content-erased": "No es posible: el contenido del pedido se borró.",
  "impossible-content-unreadable": "No es posible: no se puede leer el contenido del pedido.",
  "impossible-contested":
    "No es posible: {first, select, approve {el pedido ya se aprobó} decline {el pedido ya se rechazó} handle {el pedido ya se marcó como resuelto} other {ya se solicitó otra verificación}}, míralo de nuevo antes de decidir otra cosa.",
  "impossible-not-shipped": "No es posible: el pedido no se ha enviado, apruébalo o recházalo.",
  "impossible-undecided": "No es posible: el pedido aún no está decidido, inténtalo en un momento.",
  "impossible-undo-first":
    "No es posible: {first, select, approve {el pedido ya se aprobó} decline {el pedido ya se rechazó} handle {el pedido ya se marcó como resuelto} other {ya se solicitó otra verificación}} y aún se puede deshacer, deshazlo primero.",
  rechecks: "Usa 1 crédito y decide de nuevo.",
  "rechecks-locally": "Verifica de nuevo con el motor local y decide otra vez. No usa créditos.",
  "records-approval": "Registra que el pedido es bueno. Ya se envió.",
  "records-decline":
    "Registra tu decisión y no cancela ni reembolsa nada: el pedido ya se envió. Reembólsalo en la plataforma.",
  "releases-both": "Libera la retención de Holdfast y quita {tags}. El pedido se puede enviar.",
  "releases-hold": "Libera la retención de Holdfast. El pedido se puede enviar.",
  "releases-nothing": "No cambia nada en {platform}. El pedido se puede enviar.",
  "releases-tags": "Quita {tags}. El pedido se puede enviar.",
};

export const TEXTS = {
  approve: "Aprobar",
  blocked:
    "{count, plural, one {Se bloqueó # dato del comprador.} other {Se bloquearon # datos del comprador.}}",
  "check-again": "Verificar de nuevo",
  "customer-asked-to-cancel": "El cliente pidió cancelar",
  "customer-didnt-confirm-the-order": "El cliente no confirmó el pedido",
  decline: "Rechazar",
  "done-many": "{parts}.",
  "done-one":
    "{name} {kind, select, approve {aprobado} decline {rechazado} late {rechazado, pero no cancelado: ya se envió} recheck {enviado a otra verificación} other {marcado como resuelto}}.",
  "done-part":
    "{count, plural, one {# pedido} other {# pedidos}} {kind, select, approve {aprobados} decline {rechazados} late {rechazados, pero no cancelados: ya se enviaron} recheck {enviados a otra verificación} other {marcados como resueltos}}",
  "false-name-address-or-phone": "Nombre, dirección o teléfono falsos",
  "mark-as-handled": "Marcar como resuelto",
  "not-blocked": "{name} se rechazó, pero no se bloqueó nada. {why}",
  other: "Otro",
  "reseller-promotion-or-return-abuse": "Abuso de reventa, promoción o devolución",
  "still-blocked": "Se deshizo el rechazo de {name}, pero el comprador sigue bloqueado. {why}",
  "stolen-card-or-account": "Tarjeta o cuenta robada",
  "suspected-fraud": "Sospecha de fraude",
};

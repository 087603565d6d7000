export const TEXTS = {
  "being-carried-out": "{decision} Se está llevando a cabo. Inténtalo de nuevo en un momento.",
  "cant-reach-the-server-check-your":
    "No se puede acceder al servidor. Comprueba tu conexión e inténtalo de nuevo.",
  contested: "{decision} Mira el pedido de nuevo antes de decidir otra cosa.",
  "couldnt-get-a-session-from-the": "No se obtuvo una sesión de la plataforma. Vuelve a cargar la página.",
  decided:
    "{who} {act, select, approve {aprobó este pedido} decline {rechazó este pedido} handle {marcó este pedido como resuelto} other {solicitó otra verificación de este pedido}} el {time}.",
  "holdfast-is-unavailable-try-again-in": "Holdfast no está disponible. Inténtalo de nuevo en unos minutos.",
  "in-english": "{text} (en inglés)",
  "requires-role":
    "Requiere el rol de {role, select, viewer {observador} reviewer {revisor} other {propietario}}. Pide acceso a un propietario.",
  "server-error": "El servidor devolvió un error ({status}). Inténtalo de nuevo.",
  "someone-else-changed-this-reload-to":
    "Otra persona cambió esto. Vuelve a cargar para ver la última versión.",
  "something-went-wrong-on-this-page": "Algo salió mal en esta página. Vuelve a cargarla.",
  "this-doesnt-exist-or-it-was": "Esto no existe o se eliminó. Vuelve atrás e inténtalo de nuevo.",
  "too-late": "Es demasiado tarde para deshacerlo: {decision}",
  "too-many-requests-wait-a-moment": "Demasiadas solicitudes. Espera un momento e inténtalo de nuevo.",
  "undo-first": "{decision} Deshazlo primero.",
  "your-role-doesnt-allow-this-ask": "Tu rol no lo permite. Pide acceso a un propietario.",
  "your-session-has-ended-sign-in": "Tu sesión terminó. Inicia sesión de nuevo.",
};

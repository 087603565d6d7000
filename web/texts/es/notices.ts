export const TEXTS = {
  choice: "{channel}: {event}",
  code: "Código del correo",
  "code-sent": "Código enviado.",
  email: "Correo",
  "email-address": "Tu dirección de correo",
  event: "Evento",
  "event-assigned": "Alguien te asigna un pedido o te menciona",
  "event-attention": "Un pedido requiere atención: falló un paso o se venció el plazo",
  "event-deadline": "Una retención está por llegar a su plazo",
  "event-held": "Un pedido se retiene para revisión",
  "event-inquiry": "Un banco pregunta por un pago",
  "event-service": "El servicio de verificación tiene un problema",
  language: "Idioma de tus avisos",
  "last-failed": "No se pudo enviar el último mensaje ({code}, {time}).",
  lead: "Elige qué quieres saber de esta tienda y por qué medio. No recibes nada hasta que lo actives, y nadie más ve lo que eliges. Los avisos nunca nombran al comprador.",
  "no-mail-server":
    "Esta instalación no tiene servidor de correo, así que no puedes recibir avisos por correo.",
  notices: "Tus avisos",
  page: "Navegador",
  "page-allow": "Permitir notificaciones",
  "page-default":
    "Tu navegador puede mostrar notificaciones mientras la consola está abierta. Te pide permiso una sola vez.",
  "page-denied":
    "Tu navegador bloquea las notificaciones de este sitio. Permítelas en los ajustes del navegador para este sitio y vuelve a cargar la página.",
  "page-embedded":
    "Los navegadores no permiten notificaciones dentro de la página de otro sitio. Usa aquí los otros medios.",
  "page-granted":
    "Este navegador muestra tus avisos mientras la consola está abierta, también en segundo plano.",
  "page-unsupported": "Este navegador no puede mostrar notificaciones de una página.",
  save: "Guardar avisos",
  "save-first": "Primero guarda tus cambios.",
  saved: "Avisos guardados.",
  "send-code": "Enviar el código por correo",
  "test-address-refused": "El servidor de correo rechazó esta dirección. Revísala.",
  "test-arrived": "Tus avisos llegan aquí.",
  "test-email": "Enviar un correo de prueba",
  "test-not-public": "No se envió nada: esta dirección no está en la internet pública.",
  "test-page": "Mostrar una notificación de prueba",
  "test-refused": "El destino rechazó la prueba con el estado {status}. Revisa la dirección.",
  "test-sent": "Prueba enviada.",
  "test-timed-out": "No hubo respuesta a tiempo. Inténtalo de nuevo o revisa la dirección.",
  "test-unreachable": "No se pudo enviar la prueba: no se puede acceder al servidor o rechazó la conexión.",
  "test-webhook": "Enviar una prueba al webhook",
  "title-assigned": "{count, plural, one {Para ti: pedido {name}} other {# asignaciones y notas para ti}}",
  "title-attention":
    "{count, plural, one {Requiere atención: pedido {name}} other {# pedidos requieren atención}}",
  "title-deadline":
    "{count, plural, one {Plazo por vencer: pedido {name}} other {# retenciones están por vencer}}",
  "title-held":
    "{count, plural, one {Retenido para revisión: pedido {name}} other {# pedidos retenidos para revisión}}",
  "title-inquiry": "{count, plural, one {Pago en disputa: pedido {name}} other {# pagos en disputa}}",
  "title-mentioned": "{count, plural, one {Te mencionan: pedido {name}} other {# notas te mencionan}}",
  "title-service":
    "{count, plural, one {Problema del servicio de verificación: {name}} other {# problemas del servicio de verificación: {name}}}",
  "title-test": "Prueba de Holdfast",
  unconfirmed:
    "Confirma esta dirección: envía un código a ella, introdúcelo aquí y guarda. Hasta entonces, no se envía ningún aviso a esta dirección.",
  webhook: "Webhook",
  "webhook-hint":
    "Por ejemplo, un webhook entrante de Slack. Holdfast envía cada aviso allí en JSON, con un texto.",
  "webhook-remove": "Quitar el webhook",
  "webhook-saved": "Guardada: {address}. Deja el campo vacío para conservarla.",
  "webhook-url": "URL del webhook",
};

import type { BuyerTexts } from "./en.ts";

export const TEXTS: BuyerTexts = {
  title: "¿Es suyo este pedido?",
  intro: "{shop} recibió este pedido y espera su respuesta antes de enviarlo.",
  order: "Pedido {name}",
  items: "Artículos",
  "more-items": "Y {count} más",
  "nothing-secret": "Aquí nunca pedimos una contraseña ni un número de tarjeta.",
  "gone-title": "Este enlace ya no funciona",
  gone: "Un enlace funciona una vez y solo durante un tiempo. Si tiene una pregunta sobre un pedido, contacte con la tienda.",
  "thanks-title": "Gracias",
  thanks: "{shop} tiene su respuesta. Puede cerrar esta página.",
  "thanks-without-file":
    "{shop} tiene su respuesta, pero no pudo guardar el archivo. Puede cerrar esta página.",
  "too-many-title": "Demasiados intentos",
  "too-many": "Espere un momento y abra el enlace otra vez.",
  "try-again": "No ha funcionado. Compruebe su respuesta e inténtelo otra vez.",
  "choose-one": "Elija una de las respuestas.",
  "mail-subject": "{shop}: ¿es suyo el pedido {name}?",
  "mail-intro": "{shop} recibió el pedido {name} y espera su respuesta antes de enviarlo.",
  "mail-open": "Abra esta página para confirmar el pedido o para decir que no es suyo:",
  "mail-once": "El enlace funciona una vez, hasta el {until} (UTC). No lo reenvíe.",
  "mail-not-you":
    "Si no pidió nada, abra la página y dígalo. Entonces el pedido queda retenido hasta que una persona de la tienda lo revise.",
  // earlier-address
  "earlier-title": "¿Hizo usted este pedido?",
  "earlier-text": "Le preguntamos aquí porque un pedido anterior suyo usó esta dirección.",
  "earlier-yes": "Sí, hice este pedido",
  "earlier-no": "No, este pedido no es mío",
  // card-code
  "code-title": "Busque el código en el extracto de su tarjeta",
  "code-text":
    "Hay un pequeño importe retenido en la tarjeta con la que se pagó este pedido. No se cobra y se libera más tarde. Búsquelo en la aplicación de su banco o en el extracto de su tarjeta: su texto termina con un código de 6 letras. Puede tardar uno o dos días en aparecer.",
  "code-label": "Código de 6 letras",
  "code-send": "Enviar el código",
  "code-missing": "Escriba el código.",
  "code-wrong": "Este no es el código. Copie las 6 últimas letras del texto de su extracto.",
  // evidence
  "evidence-title": "Cuéntele a la tienda sobre su pedido",
  "evidence-text":
    "Escriba una nota breve. Si ayuda, añada una foto o un archivo, por ejemplo una factura anterior. Una persona de la tienda lo leerá. No envíe imágenes de una tarjeta de pago, un documento de identidad o un pasaporte.",
  "evidence-note": "Su nota",
  "evidence-file": "Foto o archivo (opcional): JPEG, PNG, WebP, HEIC o PDF, hasta 8 MB",
  "evidence-send": "Enviar a la tienda",
  "say-something": "Escriba una nota o añada un archivo.",
  "note-too-long":
    "La nota es demasiado larga. Acórtela a 2000 caracteres. Si añadió un archivo, elíjalo de nuevo.",
  "file-too-large":
    "El archivo es demasiado grande. Su nota sigue aquí: elija un archivo de 8 MB como máximo o envíe solo la nota.",
  "file-type":
    "Este tipo de archivo no se puede enviar. Su nota sigue aquí: elija un archivo JPEG, PNG, WebP, HEIC o PDF, o envíe solo la nota.",
  "upload-slow":
    "La subida tardó demasiado. Su nota sigue aquí: elija el archivo de nuevo, o uno más pequeño.",
  "upload-busy":
    "La tienda está recibiendo otros archivos en este momento. Su nota sigue aquí: elija el archivo de nuevo y envíelo dentro de un minuto.",
  "no-room": "La tienda no puede recibir archivos en este momento. Su nota sigue aquí: envíela sin archivo.",
  "not-now":
    "No se pudo guardar su respuesta. Inténtelo de nuevo en un minuto. Si añadió un archivo, elíjalo de nuevo.",
};

export const TEXTS = {
  "access-to-personal-data-isnt-known": "Aún no se sabe si hay acceso a datos personales.",
  "all-settings": "Toda la configuración",
  allow: "Permitir",
  change: "Cambiar",
  "check-again": "Comprobar de nuevo",
  "check-your-first-order": "Verifica tu primer pedido",
  "choose-what-holdfast-does": "Elige qué hace Holdfast",
  "connect-the-verification-service": "Conecta el servicio de verificación",
  "critical-orders-are-canceled-right-away":
    "Los pedidos críticos se cancelan de inmediato. Shopify reembolsa al cliente. Una cancelación no se puede deshacer.",
  done: "hecho",
  fine: "bien",
  "give-holdfast-access-to-the-platform": "Da a Holdfast acceso a la plataforma",
  granted: "{count, plural, one {# permiso concedido} other {# permisos concedidos}}",
  "hold-and-cancel-orders": "Retener y cancelar pedidos",
  "hold-orders": "Retener pedidos",
  "holdfast-holds-risky-orders-and-cancels": "Holdfast retiene los pedidos arriesgados y no cancela ninguno.",
  "holdfast-holds-risky-orders-and-cancels-critical":
    "Holdfast retiene los pedidos arriesgados y cancela los críticos.",
  "holdfast-only-watches-your-orders": "Holdfast solo observa tus pedidos.",
  "holdfast-records-decisions-without-changing-orders":
    "Holdfast registra decisiones sin cambiar pedidos. Tras unos días, el informe muestra lo que habría hecho.",
  "holdfast-tags-and-holds-risky-orders":
    "Holdfast etiqueta y retiene los pedidos arriesgados. Tú decides qué pasa con ellos.",
  "not-checked": "sin comprobar",
  "open-any-order-in-your-admin":
    "Abre cualquier pedido en tu panel de control, añade el bloque de Holdfast a la página y fíjalo. Cada pedido muestra entonces su riesgo, la decisión y los motivos.",
  "open-holdfast-in-the-platforms-admin": "Abre Holdfast en el panel de la plataforma para permitirlo.",
  "open-order": "Abrir el pedido",
  "order-is": "Estado del pedido: {state}.",
  "pin-holdfast-to-your-order-pages": "Fija Holdfast en tus páginas de pedidos",
  problem: "problema",
  "risk-level-of-the-test-order": "Nivel de riesgo del pedido de prueba",
  save: "Guardar",
  "send-sandbox-order": "Enviar pedido de prueba",
  sending: "Enviando…",
  "setup-complete-holdfast-checks-orders-as":
    "Puesta en marcha completa. Holdfast verifica los pedidos según llegan.",
  "show-orders": "Ver pedidos",
  "steps-left":
    "{count, plural, one {Falta # paso} other {Faltan # pasos}}. Holdfast ya verifica tus pedidos.",
  "the-platform-doesnt-share-personal-data":
    "La plataforma no comparte datos personales, así que las verificaciones son menos precisas. Solicita acceso en la plataforma.",
  "the-platform-shares-the-personal-data":
    "La plataforma comparte los datos personales que necesitan las verificaciones.",
  "to-approve-decline-or-recheck-choose":
    "Para aprobar, rechazar o verificar de nuevo, elige «Revisar en Holdfast» en «Más acciones» de un pedido. En la lista de pedidos, selecciona antes algunos.",
  "to-do": "pendiente",
  "uses-no-credits-and-changes-nothing": "No usa créditos ni cambia nada en la plataforma.",
  "view-policy": "Ver política",
  waiting: "en espera…",
  warning: "advertencia",
  "watch-only-recommended": "Solo observar (recomendado)",
  "welcome-to-holdfast": "Te damos la bienvenida a Holdfast",
  "what-holdfast-does": "Qué hace Holdfast",
  "your-first-orders-have-arrived": "Llegaron tus primeros pedidos.",
};

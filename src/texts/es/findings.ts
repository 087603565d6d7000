export const TEXTS = {
  access: "Shopify acepta el token de acceso de la aplicación.",
  "access-invalid": "Shopify no puede leer las solicitudes de la aplicación.",
  "access-invalid.advice":
    "Comprueba que nada cambie las solicitudes entre este equipo y myshopify.com, y después infórmanos.",
  "access-refused": "Shopify rechaza las solicitudes de la aplicación.",
  "access-refused.advice":
    "Comprueba el ID y el secreto de cliente, la lista de IP permitidas en el Dev Dashboard y el plan de la tienda.",
  "access-throttled": "Shopify limita las solicitudes de la aplicación.",
  "access-throttled.advice": "Vuelve a comprobarlo cuando la tienda esté menos ocupada.",
  "access-unauthorized": "Shopify no acepta el token de acceso de la aplicación.",
  "access-unauthorized.advice": "Abre la aplicación una vez en el panel de control de la tienda.",
  "access-unavailable": "No se puede acceder a Shopify.",
  "access-unavailable.advice":
    "Comprueba que este equipo pueda acceder a myshopify.com y mira la página de estado de Shopify.",
  "access-unreadable": "No se puede descifrar el token de acceso de la tienda.",
  "access-unreadable.advice": "Pon en DATA_KEY la clave que cifró el token de acceso de la tienda.",
  "api-version": "Shopify admite la versión {version} de la API.",
  "api-version-unsupported": "Shopify no admite la versión {version} de la API.",
  "api-version-unsupported.advice":
    "Actualiza Holdfast a una versión que use una versión admitida de la API.",
  checkout: "La aplicación puede rechazar a compradores bloqueados en el pago.",
  "checkout-list":
    "Lista de bloqueo en el pago: entradas {count}, tamaño {bytes} de {limit} bytes, actualizada {time}.",
  "checkout-list-empty":
    "La página de pago no tiene lista de bloqueo: no puede comparar ninguna entrada o no hay que ocultar ninguna forma de pago.",
  "checkout-list-not-deployed":
    "La página de pago no tiene la lista de bloqueo actual: la función de la aplicación no está desplegada.",
  "checkout-list-not-deployed.advice":
    "Ejecuta `shopify app deploy` con las extensiones y publica la versión.",
  "checkout-list-not-granted":
    "La página de pago no tiene la lista de bloqueo actual: a la aplicación le falta el permiso.",
  "checkout-list-not-granted.advice":
    "Concede el permiso aquí. Si no se ofrece, ejecuta antes `shopify app deploy`.",
  "checkout-list-pending": "La página de pago aún no tiene la lista de bloqueo actual.",
  "checkout-list-pending.advice":
    "Vuelve a comprobarlo en dos minutos. Si nada ha cambiado, lee el registro.",
  "checkout-list-plan":
    "La página de pago no tiene la lista de bloqueo actual: una aplicación personalizada solo puede hacerlo con Shopify Plus.",
  "checkout-list-plan.advice":
    "En la política, cambia «Compradores bloqueados en el pago» a «Dejarlos comprar».",
  "checkout-list-too-many":
    "La página de pago no tiene la lista de bloqueo actual: la tienda tiene tantas reglas de pago activas como permite Shopify.",
  "checkout-list-too-many.advice": "Desactiva una regla de pago en Shopify.",
  "checkout-list-turned-off": "Alguien desactivó en Shopify la lista de bloqueo en el pago.",
  "checkout-list-turned-off.advice":
    "Vuelve a activarla en los ajustes de Shopify o cambia «Compradores bloqueados en el pago» a «Dejarlos comprar» en la política.",
  "checkout-list-watching": "La página de pago no tiene lista de bloqueo mientras la política solo observa.",
  "checkout-off":
    "Opcional: con {scope}, el proceso de pago puede rechazar a los compradores de la lista de bloqueo, si la política lo dice.",
  "checkout-payments": "La aplicación puede ocultar formas de pago a compradores bloqueados.",
  "checkout-payments-off":
    "Opcional: con {scope}, el proceso de pago puede pedir otro pago a los compradores de la lista de bloqueo, si la política lo dice.",
  disputes: "Las disputas de la tienda llegan.",
  "disputes-off":
    "Opcional: con {scope}, el informe muestra qué fraude pasó, y un pedido que un banco consulta deja de enviarse.",
  "disputes-unsubscribed": "Concedido, pero sin suscripción a {missing}.",
  "disputes-unsubscribed.advice":
    "Revoca el permiso y concédelo de nuevo en la configuración de la aplicación.",
  "no-access": "No se puede comprobar sin acceso.",
  "older-orders": "Shopify muestra pedidos de cualquier antigüedad.",
  "older-orders-hidden":
    "Opcional: sin {scope}, Shopify oculta los pedidos desde el día 60. Las retenciones acaban como tarde el día 59, un pedido más antiguo no se puede cancelar, y la consulta de un banco puede no detenerlo.",
  "older-orders-unrequested":
    "Opcional: sin {scope}, Shopify oculta los pedidos desde el día 60. Las retenciones acaban como tarde el día 59, un pedido más antiguo no se puede cancelar, y la consulta de un banco puede no detenerlo.",
  "older-orders-unrequested.advice":
    "Solicita acceso a todos los pedidos en el Partner Dashboard. Cuando Shopify lo apruebe, añade {scope} a optional_scopes en shopify.app.toml y ejecuta `shopify app deploy`.",
  "personal-data": "Shopify muestra los datos de clientes de los {orders} pedidos comprobados.",
  "personal-data-hidden": "Shopify oculta a la aplicación nombres, direcciones o direcciones de correo.",
  "personal-data-hidden.advice":
    "Solicita acceso a los datos de clientes protegidos, nivel 2, en el Partner Dashboard.",
  "personal-data-no-orders": "La tienda no tiene ningún pedido reciente que comprobar.",
  "personal-data-unread": "No se pudieron leer los pedidos ({code}).",
  "personal-data-unread.advice": "Comprueba que los permisos estén concedidos y vuelve a comprobarlo.",
  "platform-silent": "La plataforma no respondió.",
  "platform-silent.advice": "Vuelve a comprobarlo en un minuto.",
  scopes: "Todos los permisos necesarios están concedidos.",
  "scopes-missing": "Sin conceder: {missing}.",
  "scopes-missing-goods":
    "Sin conceder: {missing}. Los artículos en un servicio logístico están ocultos y se envían aunque el pedido esté retenido.",
  "scopes-missing-goods.advice":
    "Ejecuta `shopify app deploy`, abre después la aplicación en la tienda y concede los permisos.",
  "scopes-missing.advice":
    "Ejecuta `shopify app deploy`, abre después la aplicación en la tienda y concede los permisos.",
  "step-mode": "La versión {version} de tu política está en uso.",
  "step-mode-none":
    "Aún no hay ninguna política guardada. Hasta que elijas, los pedidos se etiquetan y se retienen, nunca se cancelan.",
  "step-order": "Holdfast está decidiendo pedidos.",
  "step-order-none": "Aún no hay pedidos. Envía un pedido de prueba para ver cómo funciona.",
  "step-order-sandbox": "Holdfast decidió un pedido de prueba.",
  "step-platform": "Conectado.",
  "step-platform-none": "No hace falta conectar una plataforma.",
  "step-platform-uninstalled": "La aplicación está desinstalada. Instálala de nuevo.",
  "step-service-none":
    "No hay ninguna clave de servicio. Hasta entonces, el motor local verifica todos los pedidos; puede retener, pero nunca cancela.",
  "step-service-own": "Los pedidos se verifican con tu propia clave.",
  "step-service-plan":
    "Elige un plan o añade tu propia clave. Hasta entonces, el motor local verifica todos los pedidos; puede retener, pero nunca cancela.",
  "step-service-shared": "Los pedidos se verifican con la clave de esta instalación.",
};

export const TEXTS = {
  verification_key_refused:
    "El servicio de verificación rechaza la clave de API. Los pedidos se retienen. Comprueba la clave y su organización. La clave propia de una tienda se cambia en la configuración de la consola. Después de cambiar VERIFY_API_KEY o VERIFY_ORGANIZATION, reinicia la aplicación.",
  verification_no_credits:
    "Al servicio de verificación no le quedan créditos. Los pedidos se deciden sin él. Compra créditos. Lo intentamos de nuevo con un pedido cada 3 minutos.",
  verification_unavailable:
    "No se puede acceder al servicio de verificación o falla una y otra vez. Los pedidos se deciden sin él. Comprueba el estado del servicio, tu red, el DNS y el proxy. Lo intentamos de nuevo automáticamente.",
  verification_misconfigured:
    "El servicio de verificación no se puede usar con esta configuración: su organización, dirección o certificado es incorrecto (mira el registro). Los pedidos se retienen. Define VERIFY_ORGANIZATION, comprueba VERIFY_URL, el proxy y los certificados, y reinicia la aplicación.",
  verification_request_refused:
    "El servicio de verificación rechazó la solicitud de un pedido, y la llamada se cobró. Es un error de Holdfast. Infórmanos sin los datos del pedido.",
  ledger_unwritten:
    "No se pudo guardar el resultado de una llamada al servicio de verificación. Puede que la llamada se haya cobrado. Comprueba la base de datos.",
  hold_expiring:
    "El plazo de una retención acaba en menos de 6 horas. Revisa el pedido y después libera la retención o cancela el pedido en la tienda.",
  hold_overdue:
    "El plazo de una retención ya pasó y el pedido sigue retenido. Revisa el pedido y después libera la retención o cancela el pedido en la tienda.",
  protection_lapsing:
    "Un pedido retenido pierde la cobertura de Shopify Protect en menos de dos días, salvo que se envíe con seguimiento. Revisa el pedido y después libera la retención y envíalo, o cancélalo.",
  dispute_inquiry:
    "El banco de un comprador consulta el pago de un pedido. Si no se ha enviado, está retenido. Revísalo ahora: un reembolso suele costar menos que un contracargo. Para reembolsar, rechaza el pedido o reembólsalo en la tienda.",
  dispute_chargeback:
    "Un pedido tuvo un contracargo: el banco retiró el pago. Responde a la disputa en la tienda antes de que acabe el plazo. El informe muestra qué fraude pasó.",
  disputes_high:
    "Las disputas de este mes alcanzan tres cuartas partes de los límites de una red de tarjetas, o lo harán si el mes sigue así. Pide a tu proveedor de pagos tus avisos de fraude (TC40), que también cuentan. Retén más pedidos de riesgo y responde a las consultas con reembolsos.",
  dispute_evidence_due:
    "El banco acepta pruebas sobre un pago disputado durante menos de 48 horas más, y no se envió ninguna. Abre el pedido en la consola, obtén sus pruebas y envíalas en la tienda.",
  authorization_expiring:
    "Al pago de un pedido retenido le quedan menos de 24 horas de autorización. Si aún no se ha capturado, aprueba el pedido y captura el pago, o rechaza el pedido.",
  order_hidden_soon:
    "La plataforma ocultará a la aplicación un pedido retenido en menos de 2 días, por su antigüedad. Revisa el pedido ahora: después, Holdfast no podrá cancelarlo. En Shopify, el permiso read_all_orders lo evita.",
  order_hidden:
    "La plataforma ya no muestra un pedido a la aplicación, por su antigüedad, y el pedido necesita a una persona: está retenido, o un banco consulta su pago. Míralo en la tienda. Para cancelarlo o reembolsarlo, hazlo allí.",
  hold_not_placed:
    "Un pedido debería estar retenido, pero no lo está, o solo en parte. Revisa el pedido y no lo envíes. Si su problema es goods-hidden, concede write_third_party_fulfillment_orders.",
  held_order_fulfilled:
    "Un pedido se envió mientras Holdfast lo retenía, o alguien lo liberó y lo envió entre dos comprobaciones. Averigua quién lo liberó. Detén el paquete si el pedido no debía enviarse.",
  hold_released_by_app:
    "Otra aplicación o un flujo de trabajo liberó una retención sin la decisión de una persona. El pedido sigue en la cola de revisión. Busca la aplicación en el historial del pedido y evita que libere retenciones ajenas. Esta alerta se envía una vez al día.",
  cancel_limit_reached:
    "Se alcanzó el límite de cancelaciones por hora de la política. Los demás pedidos se retienen. Comprueba si sufres un ataque o si una regla coincide con demasiados pedidos. Cancela los pedidos tú, o aumenta cancel.maxPerHour.",
  enforcement_failed: "No se pudo aplicar una decisión a un pedido. Haz tú el paso que indica el problema.",
  platform_refused:
    "La plataforma rechaza todas las llamadas de la aplicación, así que hay pedidos en espera. Comprueba los permisos de la aplicación, la lista de IP permitidas y el plan de la tienda.",
  personal_data_not_granted:
    "Shopify no comparte datos personales con la aplicación, así que el motor local verifica los pedidos. Solicita acceso a los datos de clientes protegidos, nivel 2.",
  burst_braked:
    "Llegan demasiados pedidos del mismo origen. Se retienen y no usan créditos. Busca bots, bloquéalos en tu tienda y revisa los pedidos retenidos.",
  one_ip_address:
    "Todos los clientes de una tienda tienen la misma dirección IP pública, así que probablemente es la de un proxy o una CDN. La verificación no puede distinguirlos por ella, y sus pedidos pueden retenerse como una ráfaga. Transmite la dirección del cliente: define trust proxy o envíala con el pedido.",
  order_failed:
    "Holdfast no puede terminar un pedido y no lo intentará de nuevo. Busca el pedido en la consola, decide en la tienda y consulta el problema en docs/reference/errors.md.",
  defect: "Se produjo un error inesperado en un pedido. Infórmanos con la traza de la pila del registro.",
  webhooks_missed:
    "Holdfast encontró pedidos cuyo webhook nunca llegó y los está verificando. Si ocurre a menudo, comprueba las suscripciones de webhooks, la dirección y si hubo webhooks con respuesta 401 (el secreto de la aplicación es incorrecto) o 503.",
  webhooks_unauthenticated:
    "Se rechazan webhooks (401) porque están firmados con otro secreto, así que los pedidos no se verifican. Pon en SHOPIFY_API_SECRET el secreto de cliente de la aplicación, sin comillas, y reinicia la aplicación. Si es correcto, los webhooks son falsos y no tienen efecto.",
  webhooks_refused:
    "Llegaron webhooks firmados con encabezados alterados y se ignoraron. Alguien interceptó entregas y las reenvía. Busca la fuga (registros de proxy, rastreadores de errores) y renueva el secreto de cliente.",
  orders_not_kept:
    "Hay demasiados pedidos en espera de tiendas que no han instalado la aplicación. Los pedidos nuevos de esas tiendas se descartan. Averigua de dónde vienen.",
  erasure_unconfirmed:
    "Los datos de una tienda deben borrarse, pero Shopify no confirmó que la aplicación esté desinstalada. Si sigue instalada, ábrela en el panel de control de la tienda. Si no, los datos se borran a los 25 días.",
  delivery_stuck:
    "No se puede procesar un webhook aceptado. Lo intentamos de nuevo cada hora. Mira el error en el registro.",
  shop_access_lost:
    "Shopify ya no acepta el acceso de la aplicación a una tienda, así que sus pedidos esperan. Abre la aplicación en el panel de control de esa tienda.",
  store_unavailable:
    "Holdfast no puede leer el trabajo pendiente de la base de datos. Comprueba la base de datos, su disco y la red. Los webhooks que no se pueden guardar reciben la respuesta 503, y la plataforma los envía de nuevo.",
  checkout_list_not_applied:
    "El proceso de pago de una tienda no trata a los compradores bloqueados como dice la política: puede que los deje comprar, o que aún rechace a alguien que salió de la lista. Los pedidos se verifican en cualquier caso. Si el problema es not-granted, concede write_validations o write_payment_customizations en la configuración de la aplicación. Para los demás, consulta docs/block-at-checkout.md.",
  customer_data_request:
    "Un cliente solicitó sus datos y el informe está listo. Descárgalo en /api/data-requests y envíalo al cliente dentro del plazo legal.",
  coverage_low:
    "Demasiados pedidos de las últimas 24 horas no se decidieron en 5 minutos. Comprueba el límite de solicitudes del servicio de verificación, el trabajo pendiente, la base de datos y las demás alertas.",
  levels_shifted:
    "Claramente más (up) o menos (down) pedidos que el mismo día de las últimas cuatro semanas tienen hoy el riesgo que indica el problema. Abre el resumen en la consola y sigue su aviso hasta los pedidos.",
  settings_unreadable:
    "No se puede descifrar la configuración de una tienda, así que no se usan su clave de servicio ni sus direcciones de alerta. Define la DATA_KEY que la cifró o escribe de nuevo la configuración en la consola.",
  retention_failed:
    "Hace un día que no se borran datos personales cuyo periodo de conservación acabó. Mira el error en el registro y comprueba la base de datos.",
  card_amount_not_released:
    "Un pequeño importe que muestra un código en un extracto de tarjeta lleva unas diez horas sin liberarse. Revise la clave de la plataforma de pago y su estado, o cancele allí el pago: en Stripe, sus metadatos dicen holdfast: card-code. Nunca se cobra y caduca solo en unos días.",
  notifier_failed:
    "No se pudo enviar una alerta, que solo aparece en el registro. Comprueba ALERT_WEBHOOK_URL o SMTP_URL y su servidor.",
};

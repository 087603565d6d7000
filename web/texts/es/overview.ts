export const TEXTS = {
  "already-checked": "ya verificados",
  backlog: "Pedidos sin decidir: {count, number}. El más antiguo llegó hace {age}.",
  "bursts-limited": "ráfagas limitadas",
  "calls-stay-paused-until-this-is": "Las llamadas siguen en pausa hasta que se corrija.",
  "calls-to-the-verification-service-are": "Las llamadas al servicio de verificación están en pausa.",
  cap: "Créditos {of, select, day {del día} other {del mes}}: {spent, number} de {cap, number}",
  "checking-whether-the-verification-service-is":
    "Comprobando si el servicio de verificación vuelve a estar disponible.",
  credits: "Créditos",
  "decided-on-time": "Decididos a tiempo",
  "due-within-6-hours": "Vencen en 6 horas",
  "duplicate-deliveries": "entregas duplicadas",
  "fewer-high-and-critical-orders-than":
    "Menos pedidos altos y críticos que el mismo día de las últimas cuatro semanas:",
  "fewer-medium-orders-than-on-the": "Menos pedidos medios que el mismo día de las últimas cuatro semanas:",
  "finish-setup":
    "Termina la configuración: {count, plural, one {falta # paso} other {faltan # pasos}}. <link>Continuar la configuración</link>",
  "held-for-review": "Retenidos para revisión",
  "held-without-the-service": "Retenidos sin el servicio",
  "in-days": "{count, plural, one {# pedido} other {# pedidos}} en {days, number} días",
  "in-hours": "{part} en {hours, number} h",
  left: "Quedan {left, number} este mes. A este ritmo, duran hasta fin de mes.",
  "left-today": "Quedan {left, number} este mes. A este ritmo, se acaban hoy.",
  "left-until": "Quedan {left, number} este mes. A este ritmo, se acaban el {date}.",
  "more-high-and-critical-orders-than":
    "Más pedidos altos y críticos que el mismo día de las últimas cuatro semanas:",
  "more-medium-orders-than-on-the": "Más pedidos medios que el mismo día de las últimas cuatro semanas:",
  "needs-attention": "Necesita atención",
  "next-attempt":
    "Próximo intento: {time}. Los pedidos que no pueden esperar siguen la política para cuando el servicio no está disponible.",
  "no-limit": "sin límite",
  "no-monthly-limit": "Sin límite mensual.",
  "no-verification-service-is-set-up":
    "No hay ningún servicio de verificación configurado. El motor local verifica los pedidos y nunca cancela.",
  "not-held-yet": "Aún sin retener",
  of: "de {cap, number}",
  "orders-by-decision": "Pedidos por decisión",
  "orders-by-risk-level": "Pedidos por nivel de riesgo",
  "orders-per-day-by-decision": "Pedidos por día según la decisión",
  "orders-per-day-by-risk-level": "Pedidos por día según el nivel de riesgo",
  overdue: "Vencidos",
  overview: "Resumen",
  "per-day": "Pedidos por día ({zone})",
  "saved-part": "{count, number} {reason}",
  "saved-this-month": "Ahorrados este mes",
  shift:
    "{shift} {orders, number} de {count, plural, one {# pedido} other {# pedidos}} con nivel de riesgo hoy. <link>Ver estos pedidos</link>",
  "skipped-by-a-rule": "omitidos por una regla",
  "slowest-1-in-100": "El más lento de cada 100",
  "speed-and-coverage": "Velocidad y cobertura",
  "the-daily-limit-is-0-so": "El límite diario es 0, así que los pedidos se deciden sin el servicio.",
  "the-verification-service-is-available": "El servicio de verificación está disponible.",
  "typical-time-to-decide": "Tiempo habitual de decisión",
  "used-this-month": "Usados este mes",
  "used-today": "Usados hoy",
  "watch-only":
    "Solo observar: Holdfast registra decisiones sin cambiar pedidos. <link>Ver qué habría pasado</link>",
  "without-the-service": "Sin el servicio",
  "youve-reached-the-monthly-limit-orders":
    "Alcanzaste el límite mensual. Ahora los pedidos se deciden sin el servicio.",
  "youve-reached-todays-limit-until-midnight":
    "Alcanzaste el límite de hoy. Hasta la medianoche UTC, los pedidos se deciden sin el servicio.",
};

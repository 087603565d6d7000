export const TEXTS = {
  "already-checked": "já verificados",
  backlog: "Pedidos não decididos: {count, number}. O mais antigo chegou há {age}.",
  "bursts-limited": "picos limitados",
  "calls-stay-paused-until-this-is": "As chamadas continuam pausadas até isso ser corrigido.",
  "calls-to-the-verification-service-are": "As chamadas ao serviço de verificação estão pausadas.",
  cap: "Créditos {of, select, day {do dia} other {do mês}}: {spent, number} de {cap, number}",
  "checking-whether-the-verification-service-is": "Verificando se o serviço de verificação voltou.",
  credits: "Créditos",
  "decided-on-time": "Decididos no prazo",
  "due-within-6-hours": "Vencem em 6 horas",
  "duplicate-deliveries": "entregas duplicadas",
  "fewer-high-and-critical-orders-than":
    "Menos pedidos altos e críticos do que no mesmo dia da semana das últimas quatro semanas:",
  "fewer-medium-orders-than-on-the":
    "Menos pedidos médios do que no mesmo dia da semana das últimas quatro semanas:",
  "finish-setup":
    "Conclua a configuração: {count, plural, one {falta # etapa} other {faltam # etapas}}. <link>Continuar a configuração</link>",
  "held-for-review": "Retidos para análise",
  "held-without-the-service": "Retidos sem o serviço",
  "in-days": "{count, plural, one {# pedido} other {# pedidos}} em {days, number} dias",
  "in-hours": "{part} em {hours, number} h",
  left: "Restam {left, number} neste mês. Nesse ritmo, duram até o fim do mês.",
  "left-today": "Restam {left, number} neste mês. Nesse ritmo, acabam hoje.",
  "left-until": "Restam {left, number} neste mês. Nesse ritmo, acabam em {date}.",
  "more-high-and-critical-orders-than":
    "Mais pedidos altos e críticos do que no mesmo dia da semana das últimas quatro semanas:",
  "more-medium-orders-than-on-the":
    "Mais pedidos médios do que no mesmo dia da semana das últimas quatro semanas:",
  "needs-attention": "Precisa de atenção",
  "next-attempt":
    "Próxima tentativa: {time}. Pedidos que não podem esperar seguem a política para quando o serviço não está disponível.",
  "no-limit": "sem limite",
  "no-monthly-limit": "Sem limite mensal.",
  "no-verification-service-is-set-up":
    "Nenhum serviço de verificação está configurado. O mecanismo local verifica os pedidos e nunca cancela.",
  "not-held-yet": "Ainda não retidos",
  of: "de {cap, number}",
  "orders-by-decision": "Pedidos por decisão",
  "orders-by-risk-level": "Pedidos por nível de risco",
  "orders-per-day-by-decision": "Pedidos por dia, por decisão",
  "orders-per-day-by-risk-level": "Pedidos por dia, por nível de risco",
  overdue: "Atrasados",
  overview: "Visão geral",
  "per-day": "Pedidos por dia ({zone})",
  "saved-part": "{count, number} {reason}",
  "saved-this-month": "Economizados neste mês",
  shift:
    "{shift} {orders, number} de {count, plural, one {# pedido} other {# pedidos}} com nível de risco hoje. <link>Ver estes pedidos</link>",
  "skipped-by-a-rule": "ignorados por uma regra",
  "slowest-1-in-100": "O mais lento de cada 100",
  "speed-and-coverage": "Velocidade e cobertura",
  "the-daily-limit-is-0-so": "O limite diário é 0, então os pedidos são decididos sem o serviço.",
  "the-verification-service-is-available": "O serviço de verificação está disponível.",
  "typical-time-to-decide": "Tempo habitual de decisão",
  "used-this-month": "Usados neste mês",
  "used-today": "Usados hoje",
  "watch-only":
    "Apenas observar: o Holdfast registra decisões sem alterar pedidos. <link>Ver o que teria acontecido</link>",
  "without-the-service": "Sem o serviço",
  "youve-reached-the-monthly-limit-orders":
    "Você atingiu o limite mensal. Agora os pedidos são decididos sem o serviço.",
  "youve-reached-todays-limit-until-midnight":
    "Você atingiu o limite de hoje. Até a meia-noite UTC, os pedidos são decididos sem o serviço.",
};

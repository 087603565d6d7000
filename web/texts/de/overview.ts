export const TEXTS = {
  "already-checked": "bereits geprüft",
  backlog: "Nicht entschiedene Bestellungen: {count, number}. Die älteste ist vor {age} eingegangen.",
  "bursts-limited": "Fluten begrenzt",
  "calls-stay-paused-until-this-is": "Aufrufe bleiben ausgesetzt, bis das behoben ist.",
  "calls-to-the-verification-service-are": "Aufrufe des Prüfdienstes sind ausgesetzt.",
  cap: "Credits {of, select, day {dieses Tages} other {dieses Monats}}: {spent, number} von {cap, number}",
  "checking-whether-the-verification-service-is": "Es wird geprüft, ob der Prüfdienst wieder verfügbar ist.",
  credits: "Credits",
  "decided-on-time": "Rechtzeitig entschieden",
  "due-within-6-hours": "In 6 Stunden fällig",
  "duplicate-deliveries": "doppelte Zustellungen",
  "fewer-high-and-critical-orders-than":
    "Weniger hohe und kritische Bestellungen als am gleichen Wochentag der letzten vier Wochen:",
  "fewer-medium-orders-than-on-the":
    "Weniger mittlere Bestellungen als am gleichen Wochentag der letzten vier Wochen:",
  "finish-setup":
    "Einrichtung abschließen: noch {count, plural, one {# Schritt} other {# Schritte}}. <link>Einrichtung fortsetzen</link>",
  "held-for-review": "Zur Prüfung zurückgestellt",
  "held-without-the-service": "Ohne den Dienst zurückgestellt",
  "in-days": "{count, plural, one {# Bestellung} other {# Bestellungen}} in {days, number} Tagen",
  "in-hours": "{part} in {hours, number} Std.",
  left: "Noch {left, number} in diesem Monat. Bei diesem Verbrauch reichen sie bis zum Monatsende.",
  "left-today": "Noch {left, number} in diesem Monat. Bei diesem Verbrauch sind sie heute aufgebraucht.",
  "left-until": "Noch {left, number} in diesem Monat. Bei diesem Verbrauch sind sie am {date} aufgebraucht.",
  "more-high-and-critical-orders-than":
    "Mehr hohe und kritische Bestellungen als am gleichen Wochentag der letzten vier Wochen:",
  "more-medium-orders-than-on-the":
    "Mehr mittlere Bestellungen als am gleichen Wochentag der letzten vier Wochen:",
  "needs-attention": "Braucht Aufmerksamkeit",
  "next-attempt":
    "Nächster Versuch: {time}. Für Bestellungen, die nicht so lange warten können, gilt die Richtlinie für den Ausfall des Dienstes.",
  "no-limit": "kein Limit",
  "no-monthly-limit": "Kein Monatslimit.",
  "no-verification-service-is-set-up":
    "Es ist kein Prüfdienst eingerichtet. Die lokale Engine prüft Bestellungen und storniert nie.",
  "not-held-yet": "Noch nicht zurückgestellt",
  of: "von {cap, number}",
  "orders-by-decision": "Bestellungen nach Entscheidung",
  "orders-by-risk-level": "Bestellungen nach Risikostufe",
  "orders-per-day-by-decision": "Bestellungen pro Tag nach Entscheidung",
  "orders-per-day-by-risk-level": "Bestellungen pro Tag nach Risikostufe",
  overdue: "Überfällig",
  overview: "Übersicht",
  "per-day": "Bestellungen pro Tag ({zone})",
  "saved-part": "{count, number} {reason}",
  "saved-this-month": "In diesem Monat gespart",
  shift:
    "{shift} {orders, number} von {count, plural, one {# Bestellung} other {# Bestellungen}} mit Risikostufe heute. <link>Diese Bestellungen anzeigen</link>",
  "skipped-by-a-rule": "durch eine Regel übersprungen",
  "slowest-1-in-100": "Langsamste 1 von 100",
  "speed-and-coverage": "Tempo und Abdeckung",
  "the-daily-limit-is-0-so": "Das Tageslimit ist 0, deshalb werden Bestellungen ohne den Dienst entschieden.",
  "the-verification-service-is-available": "Der Prüfdienst ist verfügbar.",
  "typical-time-to-decide": "Übliche Zeit bis zur Entscheidung",
  "used-this-month": "In diesem Monat verbraucht",
  "used-today": "Heute verbraucht",
  "watch-only":
    "Nur beobachten: Holdfast zeichnet Entscheidungen auf, ohne Bestellungen zu ändern. <link>Ansehen, was geschehen wäre</link>",
  "without-the-service": "Ohne den Dienst",
  "youve-reached-the-monthly-limit-orders":
    "Du hast das Monatslimit erreicht. Bestellungen werden jetzt ohne den Dienst entschieden.",
  "youve-reached-todays-limit-until-midnight":
    "Du hast das heutige Limit erreicht. Bis Mitternacht UTC werden Bestellungen ohne den Dienst entschieden.",
};

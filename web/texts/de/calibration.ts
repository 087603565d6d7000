export const TEXTS = {
  all: "Alle",
  basis:
    "Grundlage: {known, number} von {count, plural, one {# entschiedenen Bestellung} other {# entschiedenen Bestellungen}} der letzten {days, number} Tage: {refunded, plural, =0 {Der Ausgang der übrigen ist noch nicht bekannt} other {Die übrigen wurden erstattet oder sind noch nicht bekannt}}. Betrug: als Betrug zurückgebucht, als Betrug abgelehnt oder auf der Plattform als Betrug storniert. Gut: von einer Person genehmigt oder vor {undisputedDays, number} Tagen durchgelassen und nicht angefochten. Erstattet: vollständig zurückgezahlt. Das zählt weder als Betrug noch als gut und ändert keine Gewichtung. Im Beobachtungsmodus zählt, was zurückgestellt oder storniert worden wäre, als erkannt oder gestoppt.",
  caught:
    "Von {count, plural, one {# Bestellung, die bekanntermaßen Betrug war,} other {# Bestellungen, die bekanntermaßen Betrug waren,}} hat Holdfast {caught, number} erkannt.",
  few: "Bisher {count, plural, one {hat sich nur # Bestellung} other {haben sich nur # Bestellungen}} als Betrug erwiesen. Die Anteile können sich also noch stark ändern.",
  "fraud-caught": "Betrug erkannt",
  "fraud-caught-and-good-orders-stopped": "Erkannter Betrug und gestoppte gute Bestellungen",
  "good-orders-stopped": "Gute Bestellungen gestoppt",
  level: "Stufe",
  "no-order-is-known-to-be": "Noch keine Bestellung ist als gut bekannt.",
  "no-order-turned-out-to-be": "Keine Bestellung hat sich als Betrug erwiesen.",
  "no-outcomes-are-known-yet": "Noch sind keine Ausgänge bekannt.",
  "no-payment-dispute-has-arrived-if":
    "Bisher ist keine Zahlungsanfechtung eingegangen. Wenn dein Shop seine Anfechtungen nicht teilt, wird durchgelassener Betrug nicht gezählt, und zurückgebuchte Bestellungen gelten als gut.",
  "no-risk-level": "Keine Risikostufe",
  "orders-whose-outcome-is-known-by": "Bestellungen mit bekanntem Ausgang, nach Risikostufe",
  refunded: "Erstattet",
  stopped:
    "Von {count, plural, one {# Bestellung, die bekanntermaßen gut war,} other {# Bestellungen, die bekanntermaßen gut waren,}} hat Holdfast {stopped, number} gestoppt.",
  "too-few": "Zu wenige für eine Aussage",
  "too-few-good":
    "Das sind zu wenige, um zu sagen, wie oft gute Bestellungen gestoppt werden: Nötig sind {needed, number}. Die meisten, die jemand geprüft hat, waren gehalten; durchgelassene zählen erst nach {days, number} Tagen ohne Anfechtung.",
};

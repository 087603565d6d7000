export const TEXTS = {
  "chargeback-gauge":
    "{share} von {limit}: der Anteil, ab dem Kartennetzwerke eingreifen. Behalte ihn ab {watch} im Auge.",
  "chargeback-rate": "Rückbuchungsquote",
  "chargebacks-of":
    "{count, number} von {sold, plural, one {# verkauften Bestellung} other {# verkauften Bestellungen}}",
  cost: "{cost}, {saved, number} gespart",
  "cost-unknown":
    "{saved, number} gespart. Um die Kosten der Credits zu sehen, <link>gib ihren Preis ein</link>.",
  credits: "Verbrauchte Credits",
  "false-positives": "Gute Bestellungen unter den gestoppten",
  "fraud-missed": "Übersehener Betrug",
  "fraud-stopped": "Gestoppter Betrug",
  "good-of-known": "{good, number} von {known, number} gestoppten Bestellungen mit bekanntem Ausgang",
  "good-stopped": "Gestoppte gute Bestellungen",
  "no-currency":
    "Die Währung deines Shops ist nicht bekannt, deshalb stehen Beträge nach Währung getrennt. <link>Wähle eine Währung</link>.",
  "not-known-yet": "Gestoppt, Ausgang nicht bekannt",
  orders: "{count, plural, one {# Bestellung} other {# Bestellungen}}",
  rate: "1 {currency} = {value} vom {day}",
  "rates-used": "Wechselkurse: {rates}.",
  "review-hint":
    "von {count, plural, one {# Bestellung} other {# Bestellungen}}; neun von zehn innerhalb von {p90}",
  "review-time": "Übliche Prüfzeit",
  "too-few": "Zu wenige für eine Aussage",
  "too-few-of": "{good, number} von {known, number} bekannten Ausgängen; nötig sind {needed, number}",
  trends: "Nach Wochen",
  week: "Woche ab",
  "what-it-was-worth": "Was es wert war",
  "without-rate": "zuzüglich {sum} ohne <link>Wechselkurs</link>",
};

export const TEXTS = {
  "a-weight-isnt-valid-use-the":
    "Eine Gewichtung ist ungültig. Verwende die vorgeschlagenen oder die Standardgewichtungen.",
  "back-to-the-standard-weights": "Zurück zu den Standardgewichtungen",
  basis:
    "Grundlage: {frauds, plural, one {# betrügerische Bestellung} other {# betrügerische Bestellungen}} und {goods, plural, one {# gute Bestellung} other {# gute Bestellungen}}, die die lokale Engine in den letzten {days, number} Tagen bewertet hat.",
  "in-this-policy-the-standard-weights": "In dieser Richtlinie: die Standardgewichtungen.",
  "local-engine-your-own-weights": "Lokale Engine: deine eigenen Gewichtungen",
  "not-seen": "Nicht vorgekommen",
  now: "Jetzt",
  own: "In dieser Richtlinie: deine eigenen Gewichtungen für {count, plural, one {# Signal} other {# Signale}}.",
  "points-of-signals-in-this-policy": "Punkte der Signale, in dieser Richtlinie und vorgeschlagen",
  seen: "Bei {fraud, number} von {frauds, number} betrügerischen und {good, number} von {goods, number} guten Bestellungen",
  signal: "Signal",
  standard: "Standard {points}",
  suggested: "Vorschlag",
  "suggestion-from-your-orders": "Vorschlag aus deinen Bestellungen",
  "the-local-engine-gives-each-signal":
    "Die lokale Engine gibt jedem Signal Punkte: über null für Betrug, unter null dagegen. Sie sind in jedem Shop gleich. Wenn der Ausgang von genügend Bestellungen bekannt ist, schlägt sie Punkte vor, die zu deinem Shop passen, und ändert jede Punktzahl höchstens um die Hälfte. Sie gelten, sobald du sie speicherst, und nur für Bestellungen, über die die lokale Engine entscheidet.",
  "the-policy-already-has-these-weights": "Die Richtlinie hat diese Gewichtungen bereits.",
  "too-few":
    "Noch sind nicht genügend Ausgänge bekannt. Ein Vorschlag braucht {neededFrauds, number} betrügerische und {neededGoods, number} gute Bestellungen, die die lokale Engine in den letzten {days, number} Tagen bewertet hat. Bisher sind es {frauds, number} und {goods, number}.",
  "use-the-suggested-weights": "Vorgeschlagene Gewichtungen verwenden",
  "you-already-use-the-standard-weights": "Du verwendest bereits die Standardgewichtungen.",
  "your-orders-agree-with-the-standard": "Deine Bestellungen bestätigen die Standardgewichtungen.",
};

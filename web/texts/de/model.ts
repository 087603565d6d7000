export const TEXTS = {
  amount: "Größer als {percent} % deiner Bestellungen, bis zur nächsten Stufe",
  "beside-first":
    "Dieses Modell lässt sich noch nicht speichern. Speichere den Entwurf als Phantom und schalte es nach 7 Tagen ein.",
  caption: "Was das Modell zu den Standardpunkten hinzufügt",
  compared:
    "Bei {fraud, number} betrügerischen und {good, number} guten späteren Bestellungen setzt das Modell einen Betrug zu {model, number} % über eine gute Bestellung, die Standardpunkte zu {base, number} %. In 95 von 100 Stichproben beträgt der Unterschied {low} bis {high}.",
  feature: "Signal",
  hour: "Bestellt in den drei Stunden ab {from} Uhr",
  lead: "Das Modell lernt aus deinen Bestellungen, was in deinem Shop auf Betrug hindeutet. Es verschiebt eine Bestellung um höchstens eine Risikostufe und storniert keine. Es gilt nur für Bestellungen, über die die lokale Engine entscheidet.",
  none: "Kein Modell in dieser Richtlinie.",
  "not-offered": "Es ist noch nicht sicher besser als die Standardpunkte und wird daher nicht angeboten.",
  off: "Modell ausschalten",
  own: "In dieser Richtlinie: ein Modell, das {count, plural, one {# Signal} other {# Signale}} ändert.",
  points: "Punkte",
  suggestion: "Modell aus deinen Bestellungen",
  title: "Lokale Engine: dein eigenes Modell",
  "too-few":
    "Noch sind nicht genügend Ausgänge bekannt. Ein Modell braucht {neededFrauds, number} betrügerische und {neededGoods, number} gute Bestellungen, die die lokale Engine in den letzten {days, number} Tagen bewertet hat. Bisher sind es {frauds, number} und {goods, number}.",
  use: "Dieses Modell verwenden",
};

export const TEXTS = {
  "access-log": "Aktivitätsprotokoll",
  "by-month-end": "Bis Monatsende zu erwarten",
  changed:
    "Die Belege haben sich geändert, während du sie gelesen hast. Nichts wurde gespeichert. Das würde jetzt gespeichert.",
  communication: "Nachrichten mit dem Käufer",
  "communication-hint": "Füge sie hier ein. Shopify teilt sie nicht mit Apps. Holdfast speichert sie nicht.",
  "count-meter": "{expected} Anfechtungen erwartet; die Grenze ist {limit}",
  email: "E-Mail-Adresse",
  "exactly-this": "Genau das wird in Shopifys Formular gespeichert. Es wird nicht eingereicht.",
  "first-name": "Vorname",
  "from-bank": "Bank des Käufers",
  "from-local": "Lokale Prüfung",
  "from-person": "Dein Team",
  "from-platform": "Dein Shop",
  "from-service": "Prüfdienst",
  gauge: "Anfechtungen in diesem Monat",
  "gauge-lead":
    "Seit {day}. Kartennetzwerke handeln, wenn ein Monat beide Grenzen überschreitet: {share} der Bestellungen und {count, number} Anfechtungen ({source, select, visa {Visas Überwachungsprogramm VAMP, seit April 2026} other {aus deinen Einstellungen}}).",
  "keep-days": "Bestellungen für Anfechtungen aufbewahren, in Tagen",
  "keep-hint":
    "150 bis 540 Tage; 400 genügen. Ältere Bestellungen werden gelöscht. Leer: nichts wird aufbewahrt, und alles Aufbewahrte wird sofort gelöscht.",
  "keep-lead":
    "Um einer Bank zu zeigen, dass ein Käufer dein Kunde ist, verlangt Visa zwei frühere Bestellungen. Holdfast kann von jeder Bestellung Nummer, Zeit, Betrag, Waren, IP-Adresse, Lieferadresse, E-Mail-Adresse und Kartenmarke verschlüsselt aufbewahren, dazu Prüfwerte der Karte, des Kunden und der E-Mail-Adresse. Das gilt nur für Bestellungen ab jetzt. Nenne es in deiner Datenschutzerklärung.",
  known: "Was Holdfast weiß",
  "last-name": "Nachname",
  "limit-count": "Grenze für die Zahl der Anfechtungen",
  "limit-percent": "Gib einen Prozentsatz über 0 ein, zum Beispiel 1.5, mit Punkt.",
  "limit-share": "Grenze für den Anteil der Bestellungen, in Prozent",
  "limits-lead":
    "Ab welchem Anteil und welcher Zahl von Anfechtungen im Monat dein Kartennetzwerk handelt. Visa: 1,5 % und 1.500, seit April 2026.",
  missing: "Was fehlt und wo du es findest",
  "not-kept":
    "Frühere Bestellungen werden in diesem Shop nicht aufbewahrt. Ein Inhaber kann das in den Einstellungen für spätere Anfechtungen einschalten.",
  "off-deletes": "Mit dem Speichern wird alles Aufbewahrte sofort gelöscht.",
  open: "Belege",
  pdf: "PDF herunterladen",
  preview: "Entwurf ansehen",
  range: "Wenn es so weitergeht: wahrscheinlich {low} bis {high}",
  save: "Als Entwurf in Shopify speichern",
  "save-settings": "Speichern",
  saved: "Entwurf gespeichert. Reiche ihn in Shopify ein.",
  "settings-saved": "Einstellungen zu Anfechtungen gespeichert.",
  share: "Anteil der Bestellungen",
  "share-meter": "{share} der Bestellungen; die Grenze ist {limit}",
  "share-of": "{count, plural, one {# Anfechtung} other {# Anfechtungen}} auf {orders, number} Bestellungen",
  "shipping-address": "Lieferadresse",
  statement: "Stellungnahme",
  stays: "Schon ausgefüllt. Es bleibt, wie es ist.",
  tc40: "Visa zählt auch Betrugsmeldungen der Banken (TC40), die Holdfast nicht sieht. Dein echter Wert ist höher: frag deinen Zahlungsanbieter.",
  title: "Belege zu {name}",
  "too-early": "Dafür ist es noch zu früh im Monat",
  "why-filled":
    "In Shopify ist schon jedes Feld ausgefüllt, also gibt es nichts zu speichern. Lade die Belege stattdessen herunter.",
  "why-invalid": "Shopify lehnt den Text ab. Lade die Belege stattdessen herunter.",
  "why-no-form":
    "Diese Plattform hat kein Formular, das Apps ausfüllen können. Lade die Belege stattdessen herunter.",
  "why-not-allowed":
    "Die App darf in diesem Shop keine Belege schreiben. Lade die Belege stattdessen herunter.",
  "why-past-due": "Die Frist der Bank ist abgelaufen.",
  "why-submitted": "Belege wurden schon eingereicht, oder die Anfechtung ist beendet.",
  "why-unknown":
    "Das ist keine Anfechtung von Shopify Payments. Lade die Belege herunter und lade sie dort hoch, wo du antwortest.",
  "you-submit":
    "Holdfast sendet nie etwas an die Bank. Lies die Belege und reiche sie dann in deinem Shop ein. Die Texte sind auf Englisch, für die Bank.",
};

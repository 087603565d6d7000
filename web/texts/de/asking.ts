export const TEXTS = {
  advice:
    "Der Käufer hat diese Bestellung bestätigt ({method, select, earlier_address {frühere Adresse} card_code {Kartenabrechnung} other {Nachweis}})",
  "advice-milder": "Betrachten Sie sie als eine Risikostufe milder",
  "advice-wrong": "Der Käufer sagt, dies sei nicht seine Bestellung, oder konnte sie nicht bestätigen",
  "any-word": "Jede Antwort des Käufers",
  answer: "Antwort",
  answered:
    "{answer, select, right {Hat die Bestellung bestätigt} wrong {Nicht die eigene Bestellung, oder konnte sie nicht bestätigen} other {Hat etwas zur Prüfung geschickt}} ({method, select, earlier_address {frühere Adresse} card_code {Code auf der Kartenabrechnung} other {Nachweis}})",
  "buyer-answered": "Käufer hat geantwortet",
  "buyer-asked": "Käufer gefragt",
  "buyer-confirmed": "Vom Käufer bestätigt, eine Person entscheidet",
  "confirmed-reason": "Der Käufer hat die Bestellung bestätigt",
  copied: "Link kopiert. Senden Sie ihn nur an {address}",
  "copy-link": "Link des Käufers kopieren",
  "from-buyer": "Der Käufer",
  "keep-addresses":
    "Adressen gut verlaufener Bestellungen so lange wie die Bestellungen aufbewahren, um spätere Käufer dort zu fragen. Nennen Sie das in Ihrer Datenschutzerklärung",
  figure:
    "{figure, select, asked {Käufer gefragt} answered {Beantwortet} right {Bestätigt} released {Freigegeben} other {Später rückbelastet}}",
  language: "Sprache, wenn die des Käufers nicht bekannt ist",
  level: "Käufer bei dieser Risikostufe fragen: {level}",
  method:
    "{method, select, earlier_address {Frühere Adresse} card_code {Code auf der Kartenabrechnung} other {Nachweis}}",
  "nobody-asked": "Niemand wurde gefragt: kein Weg war möglich",
  "not-offered": "Nicht angeboten",
  "not-sent": "Konnte nicht gesendet werden ({problem}). Kopieren Sie den Link",
  "of-order": "{address}, verwendet von Bestellung {order}",
  "open-file":
    "{kind, select, heic {Datei speichern} pdf {Datei speichern} other {Bild anzeigen}} ({kind}, {size, number} kB)",
  option:
    "{verify, select, none {Käufer nicht fragen} release {Käufer fragen und nach richtiger Antwort freigeben} other {Käufer fragen, eine Person entscheidet}}",
  picture: "Bild, das der Käufer geschickt hat",
  retry: "Nächster Versuch",
  sent: "Gesendet",
  "sent-to": "Link geht an",
  "shop-name": "Shopname für Käufer",
  state:
    "{state, select, open {Wartet auf die Antwort des Käufers} answered {Der Käufer hat geantwortet} closed {Der Link funktioniert nicht mehr} other {Niemand wurde gefragt}}",
  status: "Status",
  "the-buyer": "Der Käufer",
  "the-platforms-address": "Ihre Adresse auf der Plattform",
  title: "Käufer fragen",
  until: "Link gilt bis",
  ways: "Antwortwege",
  "why-not":
    "{method, select, earlier_address {Frühere Adresse} card_code {Code auf der Kartenabrechnung} other {Nachweis}}: {reason, select, not_chosen {laut Richtlinie nicht} no_earlier_order {keine frühere Bestellung dieses Kunden zählt} no_earlier_address {keine Adresse einer früheren Bestellung ist gespeichert} platform_cannot {die Plattform kann es nicht} not_a_card {nicht mit Karte bezahlt} no_payment {keine verwendbare Zahlung} not_configured {nicht eingerichtet} already_used {bereits verwendet} several_cards {mehrere Karten versucht} card_not_saved {Karte nicht gespeichert} storage_full {kein Platz für weitere Dateien} other {jetzt nicht möglich}}",
  with: "{what}. Fragt den Käufer: {verify, select, release {eine richtige Antwort gibt frei} other {eine Person entscheidet}}",
  word: "{word, select, asked {Käufer gefragt} right {Käufer hat bestätigt} wrong {Laut Käufer nicht seine Bestellung} other {Käufer hat etwas gesendet}}",
  "word-label": "Antwort des Käufers",
};

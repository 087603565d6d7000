export const TEXTS = {
  choice: "{channel}: {event}",
  code: "Code aus der E-Mail",
  "code-sent": "Code gesendet.",
  email: "E-Mail",
  "email-address": "Deine E-Mail-Adresse",
  event: "Ereignis",
  "event-assigned": "Jemand weist dir eine Bestellung zu oder erwähnt dich",
  "event-attention":
    "Eine Bestellung braucht Aufmerksamkeit: ein Schritt schlug fehl, oder sie ist überfällig",
  "event-deadline": "Die Frist einer Zurückstellung läuft bald ab",
  "event-held": "Eine Bestellung wird zur Prüfung zurückgestellt",
  "event-inquiry": "Eine Bank fragt zu einer Zahlung nach",
  "event-service": "Der Prüfdienst hat ein Problem",
  language: "Sprache deiner Mitteilungen",
  "last-failed": "Die letzte Mitteilung konnte nicht gesendet werden ({code}, {time}).",
  lead: "Wähle, was du über diesen Shop wissen willst und wo. Du erhältst nichts, bis du es einschaltest, und niemand sonst sieht deine Auswahl. Mitteilungen nennen nie den Käufer.",
  "no-mail-server":
    "Diese Installation hat keinen Mailserver, deshalb kannst du keine Mitteilungen per E-Mail erhalten.",
  notices: "Deine Mitteilungen",
  page: "Browser",
  "page-allow": "Benachrichtigungen erlauben",
  "page-default":
    "Dein Browser kann Benachrichtigungen zeigen, solange die Konsole geöffnet ist. Er fragt dich einmal um Erlaubnis.",
  "page-denied":
    "Dein Browser blockiert Benachrichtigungen dieser Website. Erlaube sie in den Browsereinstellungen für diese Website und lade die Seite neu.",
  "page-embedded":
    "Browser erlauben keine Benachrichtigungen innerhalb der Seite einer anderen Website. Nutze hier die anderen Wege.",
  "page-granted":
    "Dieser Browser zeigt deine Mitteilungen, solange die Konsole geöffnet ist, auch im Hintergrund.",
  "page-unsupported": "Dieser Browser kann keine Benachrichtigungen einer Seite zeigen.",
  save: "Mitteilungen speichern",
  "save-first": "Speichere zuerst deine Änderungen.",
  saved: "Mitteilungen gespeichert.",
  "send-code": "Code per E-Mail senden",
  "test-address-refused": "Der Mailserver hat diese Adresse abgelehnt. Prüfe sie.",
  "test-arrived": "Deine Mitteilungen kommen hier an.",
  "test-email": "Test-E-Mail senden",
  "test-not-public": "Nichts wurde gesendet: Diese Adresse liegt nicht im öffentlichen Internet.",
  "test-page": "Testbenachrichtigung zeigen",
  "test-refused": "Der Empfänger hat den Test mit Status {status} abgelehnt. Prüfe die Adresse.",
  "test-sent": "Test gesendet.",
  "test-timed-out": "Keine rechtzeitige Antwort. Versuche es noch einmal oder prüfe die Adresse.",
  "test-unreachable":
    "Der Test konnte nicht gesendet werden: Der Server ist nicht erreichbar oder hat die Verbindung abgelehnt.",
  "test-webhook": "Test an den Webhook senden",
  "title-assigned":
    "{count, plural, one {Für dich: Bestellung {name}} other {# Zuweisungen und Notizen für dich}}",
  "title-attention":
    "{count, plural, one {Braucht Aufmerksamkeit: Bestellung {name}} other {# Bestellungen brauchen Aufmerksamkeit}}",
  "title-deadline":
    "{count, plural, one {Frist läuft bald ab: Bestellung {name}} other {# Zurückstellungen laufen bald ab}}",
  "title-held":
    "{count, plural, one {Zur Prüfung zurückgestellt: Bestellung {name}} other {# Bestellungen sind zur Prüfung zurückgestellt}}",
  "title-inquiry":
    "{count, plural, one {Zahlung angefochten: Bestellung {name}} other {# Zahlungen sind angefochten}}",
  "title-mentioned":
    "{count, plural, one {Du wurdest erwähnt: Bestellung {name}} other {# Notizen erwähnen dich}}",
  "title-service":
    "{count, plural, one {Problem beim Prüfdienst: {name}} other {# Probleme beim Prüfdienst: {name}}}",
  "title-test": "Test von Holdfast",
  unconfirmed:
    "Bestätige diese Adresse: Lass dir einen Code dorthin schicken, gib ihn hier ein und speichere. Bis dahin gehen keine Mitteilungen an sie.",
  webhook: "Webhook",
  "webhook-hint":
    "Zum Beispiel ein eingehender Webhook von Slack. Holdfast sendet jede Mitteilung als JSON mit einem Text dorthin.",
  "webhook-remove": "Webhook entfernen",
  "webhook-saved": "Gespeichert: {address}. Lass das Feld leer, um sie zu behalten.",
  "webhook-url": "Webhook-URL",
};

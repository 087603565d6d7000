import type { BuyerTexts } from "./en.ts";

export const TEXTS: BuyerTexts = {
  title: "Ist diese Bestellung von Ihnen?",
  intro: "{shop} hat diese Bestellung erhalten und wartet vor dem Versand auf Ihre Antwort.",
  order: "Bestellung {name}",
  items: "Artikel",
  "more-items": "Und {count} weitere",
  "nothing-secret": "Wir fragen hier nie nach einem Passwort oder einer Kartennummer.",
  "gone-title": "Dieser Link funktioniert nicht mehr",
  gone: "Ein Link funktioniert einmal und nur für eine gewisse Zeit. Bei Fragen zu einer Bestellung wenden Sie sich an den Shop.",
  "thanks-title": "Vielen Dank",
  thanks: "{shop} hat Ihre Antwort erhalten. Sie können diese Seite schließen.",
  "thanks-without-file":
    "{shop} hat Ihre Antwort erhalten, konnte die Datei aber nicht speichern. Sie können diese Seite schließen.",
  "too-many-title": "Zu viele Versuche",
  "too-many": "Warten Sie eine Weile und öffnen Sie den Link dann noch einmal.",
  "try-again": "Das hat nicht geklappt. Prüfen Sie Ihre Antwort und versuchen Sie es noch einmal.",
  "choose-one": "Wählen Sie eine der Antworten.",
  "mail-subject": "{shop}: Ist die Bestellung {name} von Ihnen?",
  "mail-intro": "{shop} hat die Bestellung {name} erhalten und wartet vor dem Versand auf Ihre Antwort.",
  "mail-open":
    "Öffnen Sie diese Seite, um die Bestellung zu bestätigen oder zu sagen, dass sie nicht von Ihnen ist:",
  "mail-once": "Der Link funktioniert einmal, bis {until} (UTC). Leiten Sie ihn nicht weiter.",
  "mail-not-you":
    "Wenn Sie nichts bestellt haben, öffnen Sie die Seite und sagen Sie es dort. Dann bleibt die Bestellung angehalten, bis jemand im Shop sie geprüft hat.",
  // earlier-address
  "earlier-title": "Haben Sie diese Bestellung aufgegeben?",
  "earlier-text": "Wir fragen Sie hier, weil eine frühere Bestellung von Ihnen diese Adresse verwendet hat.",
  "earlier-yes": "Ja, ich habe das bestellt",
  "earlier-no": "Nein, das ist nicht meine Bestellung",
  // card-code
  "code-title": "Finden Sie den Code auf Ihrer Kartenabrechnung",
  "code-text":
    "Auf der Karte, mit der diese Bestellung bezahlt wurde, ist ein kleiner Betrag vorgemerkt. Er wird nicht abgebucht und später wieder freigegeben. Suchen Sie ihn in Ihrer Banking-App oder auf Ihrer Kartenabrechnung: Sein Text endet mit einem Code aus 6 Buchstaben. Bis er erscheint, kann es ein bis zwei Tage dauern.",
  "code-label": "Code aus 6 Buchstaben",
  "code-send": "Code senden",
  "code-missing": "Geben Sie den Code ein.",
  "code-wrong":
    "Das ist nicht der Code. Geben Sie die letzten 6 Buchstaben des Textes auf Ihrer Abrechnung ein.",
  // evidence
  "evidence-title": "Schreiben Sie dem Shop zu Ihrer Bestellung",
  "evidence-text":
    "Schreiben Sie eine kurze Nachricht. Wenn es hilft, fügen Sie ein Foto oder eine Datei hinzu, zum Beispiel eine frühere Rechnung. Im Shop liest sie ein Mensch. Schicken Sie kein Bild einer Zahlungskarte, eines Ausweises oder eines Reisepasses.",
  "evidence-note": "Ihre Nachricht",
  "evidence-file": "Foto oder Datei (freiwillig): JPEG, PNG, WebP, HEIC oder PDF, bis 8 MB",
  "evidence-send": "An den Shop senden",
  "say-something": "Schreiben Sie eine Nachricht oder fügen Sie eine Datei hinzu.",
  "note-too-long":
    "Die Nachricht ist zu lang. Kürzen Sie sie auf 2.000 Zeichen. Wählen Sie eine hinzugefügte Datei noch einmal aus.",
  "file-too-large":
    "Die Datei ist zu groß. Ihre Nachricht ist noch da: Wählen Sie eine Datei mit höchstens 8 MB, oder senden Sie nur die Nachricht.",
  "file-type":
    "Diese Art von Datei kann nicht gesendet werden. Ihre Nachricht ist noch da: Wählen Sie eine Datei in JPEG, PNG, WebP, HEIC oder PDF, oder senden Sie nur die Nachricht.",
  "upload-slow":
    "Das Hochladen hat zu lange gedauert. Ihre Nachricht ist noch da: Wählen Sie die Datei noch einmal aus, oder eine kleinere.",
  "upload-busy":
    "Der Shop empfängt gerade andere Dateien. Ihre Nachricht ist noch da: Wählen Sie die Datei noch einmal aus und senden Sie sie in einer Minute.",
  "no-room":
    "Der Shop kann gerade keine Dateien annehmen. Ihre Nachricht ist noch da: Senden Sie sie ohne Datei.",
  "not-now":
    "Ihre Antwort konnte nicht gespeichert werden. Versuchen Sie es in einer Minute noch einmal. Wählen Sie eine hinzugefügte Datei noch einmal aus.",
};

export const TEXTS = {
  "access-removed":
    "Dein Zugriff auf Holdfast wurde entfernt. Bitte einen Inhaber dieses Shops, ihn wiederherzustellen.",
  "already-declined": "Die Bestellung war bereits abgelehnt. Sperre den Käufer auf der Seite der Bestellung.",
  "body-invalid": "Die Eingaben sind ungültig. Korrigiere die genannten Felder.",
  "body-late": "Die Daten sind nicht rechtzeitig angekommen. Versuche es erneut.",
  "body-too-large": "Die Daten sind zu groß. Höchstens {max} Bytes sind möglich.",
  "buyer-question-closed": "Es gibt keine offene Frage an den Käufer dieser Bestellung.",
  "buyer-trusted":
    "Es wurde nichts abgelehnt: Eines davon gilt als vertrauenswürdig. Nimm es zuerst von der Liste.",
  "catalog-unreachable":
    "Der Katalog ist nicht erreichbar, um den Schlüssel zu testen. Nichts wurde gespeichert. Versuche es erneut.",
  "data-request-not-found": "Diese Datenanfrage gibt es nicht.",
  "dispute-not-found": "Zu dieser Bestellung ist keine Anfechtung bekannt.",
  "dispute-unseen":
    "Eine Bank fragt nach der Zahlung dieser Bestellung. Öffne die Bestellung, um sie zu genehmigen.",
  "entry-invalid": "Der Eintrag ist ungültig. Korrigiere die genannten Felder.",
  "entry-value-missing":
    "Die Bestellung hat diese Angabe nicht, oder ihre personenbezogenen Daten wurden gelöscht.",
  "evidence-changed":
    "Die Beweise haben sich geändert, seit du sie angesehen hast. Nichts wurde gespeichert. Sieh sie noch einmal an.",
  "evidence-dispute-hidden":
    "Shopify zeigt der App diese Anfechtung nicht: Sie gehört nicht zu Shopify Payments. Lade die Beweise herunter und lade sie dort hoch, wo du auf die Anfechtung antwortest.",
  "evidence-invalid":
    "Shopify lehnt den Text ab. Nichts wurde gespeichert. Lade die Beweise herunter und lade sie dort hoch, wo du auf die Anfechtung antwortest.",
  "evidence-no-form":
    "Diese Plattform hat kein Formular für Beweise, das Apps ausfüllen können. Lade die Beweise herunter und lade sie dort hoch, wo du auf die Anfechtung antwortest.",
  "evidence-not-allowed":
    "Die App darf keine Beweise schreiben: Die Berechtigung write_shopify_payments_dispute_evidences fehlt, oder Shopify verweigert sie. Lade die Beweise herunter und lade sie dort hoch, wo du auf die Anfechtung antwortest.",
  "evidence-past-due": "Die Frist der Bank ist abgelaufen. Nichts wurde gespeichert.",
  "evidence-submitted":
    "Beweise wurden bereits eingereicht, oder die Anfechtung ist beendet. Nichts wurde gespeichert.",
  "evidence-unsure":
    "Die Plattform ist nicht verfügbar. Soweit Holdfast weiß, wurde nichts gespeichert. Versuche es später erneut.",
  failed: "In Holdfast ist etwas schiefgegangen. Der Betreiber findet die `errorId` im Protokoll.",
  "file-not-export": "Die Datei ist kein Export des Fraud Filters.",
  "foreign-site": "Diese Anfrage kommt von einer anderen Website.",
  "key-test-limit":
    "Du kannst {max} Schlüssel pro Stunde testen. Nichts wurde gespeichert. Versuche es später erneut.",
  "last-owner": "Das ist der letzte Inhaber. Gib zuerst jemand anderem die Rolle Inhaber.",
  "mail-server-missing": "Diese Installation hat keinen Mailserver.",
  "members-unreadable":
    "Die Mitglieder deines Workspace sind nicht lesbar. Gib den Namen selbst ein, oder versuche es später erneut.",
  "mention-unknown": "Wähle Personen, die hier über Bestellungen entscheiden dürfen.",
  "not-found": "Nicht gefunden.",
  "note-erased": "Der Inhalt der Bestellung wurde gelöscht, deshalb kannst du keine Notiz hinzufügen.",
  "nothing-to-undo": "Es gibt keine Entscheidung zum Rückgängigmachen. Lade die Bestellung neu.",
  "notice-address-missing": "Speichere zuerst eine Adresse und sende dann einen Test.",
  "notice-limit": "Das geht {max}-mal pro Stunde. Versuche es später erneut.",
  "notices-invalid": "Prüfe die Felder. Nichts wurde gespeichert.",
  "operator-fixed":
    "Der Zugriff des Betreibers kommt aus CONSOLE_TOKEN. Ändere oder entferne diese Variable.",
  "order-changed":
    "Die Bestellung hat sich geändert, seit du sie geladen hast. Lade sie neu und entscheide noch einmal.",
  "order-claimed": "Jemand anderes prüft diese Bestellung. Übernimm sie, wenn die Person nicht kann.",
  "order-hidden": "Die Plattform zeigt Holdfast diese Bestellung nicht mehr.",
  "order-not-found": "Diese Bestellung gibt es nicht.",
  "order-not-on-platform": "Die Plattform hat diese Bestellung nicht.",
  "order-recheck-limit":
    "Diese Bestellung wurde in 24 Stunden {max}-mal erneut geprüft, mehr geht nicht. Versuche es nach diesem Zeitpunkt erneut: {time}.",
  overloaded: "Zu viele Anfragen auf einmal. Versuche es erneut.",
  "own-role":
    "Du kannst deine eigene Rolle nicht ändern und deinen eigenen Zugriff nicht entfernen. Bitte einen anderen Inhaber.",
  "owner-required": "Dafür brauchst du die Rolle Inhaber. Bitte einen Inhaber um Zugriff.",
  "pdf-package-missing":
    "Für PDF-Dateien fehlt ein Paket. Wer Holdfast betreibt, installiert es mit: npm install pdfkit@0.20. Lade die Beweise bis dahin als JSON herunter.",
  "phantom-not-found": "Es ist keine Phantom-Richtlinie gespeichert.",
  "platform-not-configured": "Die Plattform der Bestellung ist nicht mehr eingerichtet.",
  "platform-unavailable": "Die Plattform ist nicht verfügbar. Versuche es später erneut.",
  "policy-busy": "Jemand anderes hat gerade die Richtlinie geändert. Versuche es erneut.",
  "policy-changed": "Jemand anderes hat die Richtlinie geändert. Lade sie neu.",
  "policy-invalid": "Die Richtlinie ist ungültig. Korrigiere die genannten Felder.",
  "policy-not-saved": "Die Richtlinie wurde nicht gespeichert. Korrigiere die genannten Felder.",
  "policy-unfit":
    "Die gespeicherte Richtlinie kann den Eintrag nicht aufnehmen. Korrigiere sie auf der Seite Richtlinie.",
  "policy-unsaved":
    "Speichere die Richtlinie einmal, bevor du Listen verwendest: Bis dahin wird nichts storniert.",
  "policy-version-not-found": "Diese Version der Richtlinie gibt es nicht.",
  "query-invalid": "Die Adresse ist ungültig. Korrigiere die genannten Parameter.",
  "replay-running": "Für diesen Shop läuft bereits ein anderes Nachspielen. Warte, bis es fertig ist.",
  "reviewer-required": "Dafür brauchst du die Rolle Prüfer. Bitte einen Inhaber um Zugriff.",
  "rule-not-found": "Die Richtlinie hat keine Regel mehr mit diesem Namen.",
  "sandbox-limit": "Du kannst {max} Sandbox-Bestellungen pro Stunde anlegen. Versuche es später erneut.",
  "service-unreachable":
    "Der Prüfdienst ist nicht erreichbar, um den Schlüssel zu testen. Nichts wurde gespeichert. Versuche es erneut.",
  "session-unchecked": "Deine Sitzung ließ sich nicht prüfen. Versuche es erneut.",
  "settings-busy": "Jemand anderes hat gerade die Einstellungen geändert. Versuche es erneut.",
  "settings-changed": "Jemand anderes hat die Einstellungen geändert. Lade sie neu.",
  "settings-not-saved": "Die Einstellungen wurden nicht gespeichert. Korrigiere die genannten Felder.",
  "settings-unreadable":
    "Die Einstellungen des Shops lassen sich nicht entschlüsseln. Prüfe zuerst DATA_KEY.",
  "settings-unreadable-start-over":
    'Die gespeicherten Einstellungen lassen sich nicht entschlüsseln. Nichts wurde geändert. Prüfe DATA_KEY. Um neu zu beginnen, speichere zuerst den Schlüssel des Dienstes oder "service": null für keinen: Das löscht alles, was gespeichert war.',
  "shop-not-signed-in": "Du bist bei diesem Shop nicht angemeldet.",
  "shop-recheck-limit":
    "Dieser Shop hat in 24 Stunden {max} Bestellungen erneut geprüft, mehr geht nicht. Versuche es nach diesem Zeitpunkt erneut: {time}.",
  "sign-in-limit":
    "Zu viele fehlgeschlagene Anmeldungen von dieser Adresse. Warte und versuche es dann erneut.",
  "sign-in-needed": "Melde dich zuerst an.",
  "token-limit": "Mehr Tokens sind nicht möglich. Widerrufe Tokens, die du nicht mehr brauchst.",
  "token-revoked": "Dieses Token wurde widerrufen. Erstelle ein neues.",
  "token-unknown": "Dieses Token ist unbekannt oder wurde widerrufen. Prüfe es und versuche es erneut.",
  unavailable: "Holdfast ist vorübergehend nicht verfügbar. Versuche es später erneut.",
  "user-id-taken": "Diese Benutzer-ID gehört jemand anderem.",
  "user-not-found": "Diese Person gibt es nicht.",
  "view-limit": "Du hast {max} solche gespeicherten Ansichten, mehr geht nicht. Lösche zuerst eine.",
  "view-name-taken": "Die Ansicht wurde nicht gespeichert. Wähle einen anderen Namen.",
  "view-not-found": "Diese Ansicht gibt es nicht.",
  "view-not-yours": "Nur wer diese Ansicht gespeichert hat oder ein Inhaber kann sie ändern.",
  "view-sharing":
    "Um eine Ansicht mit dem Shop zu teilen, brauchst du die Rolle Prüfer. Speichere sie nur für dich.",
  "viewer-required": "Dafür brauchst du die Rolle Betrachter. Bitte einen Inhaber um Zugriff.",
  "workspace-missing": "Es ist kein Workspace eingerichtet.",
};

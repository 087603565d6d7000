export const TEXTS = {
  "being-carried-out": "{decision} Das wird gerade ausgeführt. Versuche es gleich noch einmal.",
  "cant-reach-the-server-check-your":
    "Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es erneut.",
  contested: "{decision} Sieh dir die Bestellung noch einmal an, bevor du anders entscheidest.",
  "couldnt-get-a-session-from-the": "Die Plattform hat keine Sitzung geliefert. Lade die Seite neu.",
  decided:
    "{who} hat {act, select, approve {diese Bestellung am {time} genehmigt} decline {diese Bestellung am {time} abgelehnt} handle {diese Bestellung am {time} als erledigt markiert} other {am {time} eine erneute Prüfung dieser Bestellung angefordert}}.",
  "holdfast-is-unavailable-try-again-in":
    "Holdfast ist nicht verfügbar. Versuche es in ein paar Minuten erneut.",
  "in-english": "{text} (Englisch)",
  "requires-role":
    "Dafür brauchst du die Rolle {role, select, viewer {Betrachter} reviewer {Prüfer} other {Inhaber}}. Bitte einen Inhaber um Zugriff.",
  "server-error": "Der Server hat einen Fehler gemeldet ({status}). Versuche es erneut.",
  "someone-else-changed-this-reload-to":
    "Jemand anderes hat das geändert. Lade neu, um die aktuelle Version zu sehen.",
  "something-went-wrong-on-this-page": "Auf dieser Seite ist etwas schiefgegangen. Lade sie neu.",
  "this-doesnt-exist-or-it-was":
    "Das gibt es nicht, oder es wurde gelöscht. Geh zurück und versuche es erneut.",
  "too-late": "Zum Rückgängigmachen ist es zu spät: {decision}",
  "too-many-requests-wait-a-moment": "Zu viele Anfragen. Warte einen Moment und versuche es erneut.",
  "undo-first": "{decision} Mach das zuerst rückgängig.",
  "your-role-doesnt-allow-this-ask": "Deine Rolle erlaubt das nicht. Bitte einen Inhaber um Zugriff.",
  "your-session-has-ended-sign-in": "Deine Sitzung ist abgelaufen. Melde dich erneut an.",
};

export const TEXTS = {
  already:
    "{act, select, approve {Diese Bestellung ist bereits genehmigt.} decline {Diese Bestellung ist bereits storniert oder wird gerade storniert.} handle {Diese Bestellung ist bereits als erledigt markiert.} other {Eine erneute Prüfung läuft.}}",
  cancels:
    "Storniert die Bestellung in {platform}, {refund, select, sum {erstattet {sum}} yes {erstattet sie} other {erstattet nicht}}, {restock, select, yes {lagert wieder ein} other {lagert nicht wieder ein}}{notify, select, yes { und benachrichtigt den Kunden} other {}}. Das lässt sich nicht rückgängig machen, sobald es wirksam ist.",
  "cancels-sandbox":
    "Storniert die Sandbox-Bestellung. Es fließt kein Geld, und auf der Plattform ändert sich nichts.",
  "decides-again":
    "Entscheidet erneut. Kostet keine Credits, weil diese Bestellung nicht an den Prüfdienst gesendet wird.",
  handles:
    "Nimmt die bereits versandte Bestellung aus der Warteschlange. Berichte zählen sie weder als genehmigt noch als abgelehnt.",
  "impossible-already-canceled": "Nicht möglich: die Bestellung ist bereits storniert.",
  "impossible-being-canceled": "Nicht möglich: die Bestellung wird gerade auf der Plattform storniert.",
  "impossible-being-carried-out":
    "Nicht möglich: {first, select, approve {die Bestellung wurde bereits genehmigt} decline {die Bestellung wurde bereits abgelehnt} handle {die Bestellung wurde bereits als erledigt markiert} other {eine erneute Prüfung wurde bereits angefordert}} und das wird gerade ausgeführt, versuche es gleich noch einmal.",
  "impossible-canceled-on-platform": "Nicht möglich: die Bestellung wurde auf der Plattform storniert.",
  "impossible-content-erased": "Nicht möglich: der Inhalt der Bestellung wurde gelöscht.",
  "impossible-content-unreadable": "Nicht möglich: der Inhalt der Bestellung ist nicht lesbar.",
  "impossible-contested":
    "Nicht möglich: {first, select, approve {die Bestellung wurde bereits genehmigt} decline {die Bestellung wurde bereits abgelehnt} handle {die Bestellung wurde bereits als erledigt markiert} other {eine erneute Prüfung wurde bereits angefordert}}, sieh sie dir noch einmal an, bevor du anders entscheidest.",
  "impossible-not-shipped":
    "Nicht möglich: die Bestellung ist nicht versandt, genehmige sie oder lehne sie ab.",
  "impossible-undecided":
    "Nicht möglich: über die Bestellung ist noch nicht entschieden, versuche es gleich noch einmal.",
  "impossible-undo-first":
    "Nicht möglich: {first, select, approve {die Bestellung wurde bereits genehmigt} decline {die Bestellung wurde bereits abgelehnt} handle {die Bestellung wurde bereits als erledigt markiert} other {eine erneute Prüfung wurde bereits angefordert}} und das lässt sich noch rückgängig machen, mach es zuerst rückgängig.",
  rechecks: "Kostet 1 Credit und entscheidet erneut.",
  "rechecks-locally": "Prüft erneut mit der lokalen Engine und entscheidet erneut. Kostet keine Credits.",
  "records-approval": "Hält fest, dass die Bestellung gut ist. Sie wurde bereits versandt.",
  "records-decline":
    "Hält deine Entscheidung fest und storniert oder erstattet nichts: Die Bestellung wurde versandt. Erstatte sie auf der Plattform.",
  "releases-both":
    "Hebt die Zurückstellung von Holdfast auf und entfernt {tags}. Die Bestellung kann versandt werden.",
  "releases-hold": "Hebt die Zurückstellung von Holdfast auf. Die Bestellung kann versandt werden.",
  "releases-nothing": "Ändert nichts in {platform}. Die Bestellung kann versandt werden.",
  "releases-tags": "Entfernt {tags}. Die Bestellung kann versandt werden.",
};

export const TEXTS = {
  approve: "Genehmigen",
  blocked: "{count, plural, one {# Angabe des Käufers gesperrt.} other {# Angaben des Käufers gesperrt.}}",
  "check-again": "Erneut prüfen",
  "customer-asked-to-cancel": "Kunde bat um Stornierung",
  "customer-didnt-confirm-the-order": "Kunde hat die Bestellung nicht bestätigt",
  decline: "Ablehnen",
  "done-many": "{parts}.",
  "done-one":
    "{name} {kind, select, approve {genehmigt} decline {abgelehnt} late {abgelehnt, aber nicht storniert: bereits versandt} recheck {zur erneuten Prüfung gesendet} other {als erledigt markiert}}.",
  "done-part":
    "{count, plural, one {# Bestellung} other {# Bestellungen}} {kind, select, approve {genehmigt} decline {abgelehnt} late {abgelehnt, aber nicht storniert: bereits versandt} recheck {zur erneuten Prüfung gesendet} other {als erledigt markiert}}",
  "false-name-address-or-phone": "Falscher Name, falsche Adresse oder Telefonnummer",
  "mark-as-handled": "Als erledigt markieren",
  "not-blocked": "{name} wurde abgelehnt, aber nichts wurde gesperrt. {why}",
  other: "Sonstiges",
  "reseller-promotion-or-return-abuse": "Missbrauch durch Wiederverkauf, Aktionen oder Rückgaben",
  "still-blocked":
    "Die Ablehnung von {name} wurde rückgängig gemacht, aber der Käufer ist noch gesperrt. {why}",
  "stolen-card-or-account": "Gestohlene Karte oder gestohlenes Konto",
  "suspected-fraud": "Betrugsverdacht",
};

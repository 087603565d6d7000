export const TEXTS = {
  "alert-opened": "Warnung: {about}",
  "alert-over": "Das Problem ist behoben. Du musst nichts weiter tun.",
  "alert-reminder": "Dauert an: {about}",
  "alert-resolved": "Behoben: {about}",
  "alert-unknown": "Diese Version hat keinen Text für diese Warnung. Sieh dir die Zeile im Log an.",
  amount: "Betrag: {amount}",
  "assigned-many": "{count, number} Notizen und Zuweisungen sind für dich",
  "assigned-one": "{known, select, yes {Bestellung {name}} other {Eine Bestellung}} ist dir zugewiesen",
  "attention-many": "{count, number} Bestellungen brauchen Aufmerksamkeit",
  "attention-one": "{known, select, yes {Bestellung {name}} other {Eine Bestellung}} braucht Aufmerksamkeit",
  code: "Dein Code ist {code}",
  "code-enter": "Gib ihn in Holdfast unter „Einstellungen“, „Deine Mitteilungen“ ein.",
  "code-ignore": "Wenn du Holdfast nicht nutzt, ignoriere diese E-Mail: Du erhältst keine Mitteilungen.",
  "code-subject": "Dein Code",
  "deadline-many": "Bei {count, number} Bestellungen läuft die Frist bald ab",
  "deadline-one":
    "Bei {known, select, yes {Bestellung {name}} other {einer Bestellung}} läuft die Frist bald ab",
  "detail-code": "Code {code}",
  "detail-found": "gefunden: {found, number}",
  "detail-more":
    "{count, plural, one {# weiterer seit der letzten Nachricht} other {# weitere seit der letzten Nachricht}}",
  "detail-order": "Bestellung {orders}",
  "detail-problem": "Problem {problem}",
  "held-blocked": "Eine Sperrliste trifft auf sie zu.",
  "held-burst": "Viele Bestellungen kamen von derselben Stelle.",
  "held-degraded": "Der Prüfdienst war nicht verfügbar, deshalb wurde ohne ihn entschieden.",
  "held-held-to-check": "Sie ist zurückgestellt, bis sie geprüft ist.",
  "held-hold-kept": "Sie hat sich geändert, und ihre frühere Zurückstellung bleibt bestehen.",
  "held-hold-released": "Eine Person hatte eine frühere Zurückstellung aufgehoben.",
  "held-level":
    "Ihre Risikostufe ist {level, select, low {gering} medium {mittel} high {hoch} critical {kritisch} other {{level}}}.",
  "held-local-never-cancels": "Ohne den Prüfdienst wird sie nicht storniert.",
  "held-many": "{count, number} Bestellungen sind zur Prüfung zurückgestellt",
  "held-no-policy-saved": "Sie wird nicht storniert, solange du keine Richtlinie gespeichert hast.",
  "held-one":
    "{known, select, yes {Bestellung {name}} other {Eine Bestellung}} ist zur Prüfung zurückgestellt",
  "held-opted-out": "Der Kunde hat automatischen Entscheidungen widersprochen.",
  "held-policy-changed": "Die Richtlinie wurde geändert, während sie auf die Stornierung wartete.",
  "held-rule": "Eine Regel deiner Richtlinie stellt sie zurück.",
  "held-skipped": "Sie konnte nicht an den Prüfdienst gesendet werden.",
  "held-too-little-known": "Über sie ist zu wenig bekannt.",
  "held-unavailable": "Sie konnte nicht geprüft werden.",
  "held-unchecked": "Der Prüfdienst hat sie nicht geprüft.",
  "inquiry-many": "Banken fechten die Zahlungen von {count, number} Bestellungen an",
  "inquiry-one":
    "Eine Bank ficht die Zahlung von {known, select, yes {Bestellung {name}} other {einer Bestellung}} an",
  "mentioned-one":
    "Du wurdest in einer Notiz zu {known, select, yes {Bestellung {name}} other {einer Bestellung}} erwähnt",
  "reason-authorization_expiring": "Ihre Zahlung ist nur noch weniger als 24 Stunden autorisiert.",
  "reason-dispute_chargeback":
    "Die Bank hat die Zahlung zurückgebucht. Beantworte die Anfechtung im Shop, bevor ihre Frist abläuft.",
  "reason-dispute_evidence_due":
    "Die Bank nimmt nur noch weniger als 48 Stunden lang Belege an. Reiche sie vorher im Shop ein.",
  "reason-dispute_inquiry":
    "Eine Erstattung kostet jetzt meist weniger als eine Rückbuchung. Lehne die Bestellung ab, oder erstatte sie im Shop.",
  "reason-enforcement_failed":
    "Ein Schritt ihrer Entscheidung ist fehlgeschlagen. Führe ihn im Shop selbst aus.",
  "reason-held_order_fulfilled": "Sie wurde versandt, während Holdfast sie zurückgestellt hatte.",
  "reason-hold_expiring": "Die Frist der Zurückstellung läuft in weniger als 6 Stunden ab.",
  "reason-hold_not_placed":
    "Sie sollte zurückgestellt sein, ist es aber ganz oder teilweise nicht. Versende sie nicht.",
  "reason-hold_overdue": "Die Frist der Zurückstellung ist abgelaufen.",
  "reason-order_failed": "Holdfast kann sie nicht weiter bearbeiten. Entscheide in der Konsole oder im Shop.",
  "reason-order_hidden": "Die Plattform zeigt sie Holdfast nicht mehr. Sieh sie dir im Shop an.",
  "reason-order_hidden_soon":
    "Die Plattform zeigt sie Holdfast wegen ihres Alters nur noch weniger als 2 Tage.",
  "reason-protection_lapsing":
    "Shopify Protect deckt sie nur noch weniger als zwei Tage ab, wenn sie nicht mit Sendungsverfolgung versandt wird.",
  "reason-verification_key_refused": "Er lehnt den API-Schlüssel ab. Bestellungen werden zurückgestellt.",
  "reason-verification_misconfigured":
    "Er ist mit dieser Einrichtung nicht nutzbar. Bestellungen werden zurückgestellt.",
  "reason-verification_no_credits":
    "Es sind keine Credits mehr übrig. Über Bestellungen wird ohne ihn entschieden.",
  "reason-verification_unavailable":
    "Er ist nicht erreichbar oder meldet immer wieder Fehler. Über Bestellungen wird ohne ihn entschieden.",
  "service-many": "Der Prüfdienst hat mehrere Probleme",
  "service-one": "Der Prüfdienst hat ein Problem",
  shop: "Shop: {shop}",
  test: "Das ist ein Test. Deine Mitteilungen kommen hier an.",
  "test-subject": "Test",
};

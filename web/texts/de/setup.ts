export const TEXTS = {
  "access-to-personal-data-isnt-known":
    "Ob Zugriff auf personenbezogene Daten besteht, ist noch nicht bekannt.",
  "all-settings": "Alle Einstellungen",
  allow: "Erlauben",
  change: "Ändern",
  "check-again": "Erneut prüfen",
  "check-your-first-order": "Deine erste Bestellung prüfen",
  "choose-what-holdfast-does": "Festlegen, was Holdfast tut",
  "connect-the-verification-service": "Prüfdienst verbinden",
  "critical-orders-are-canceled-right-away":
    "Kritische Bestellungen werden sofort storniert. Shopify erstattet den Kunden. Eine Stornierung lässt sich nicht rückgängig machen.",
  done: "erledigt",
  fine: "in Ordnung",
  "give-holdfast-access-to-the-platform": "Holdfast Zugriff auf die Plattform geben",
  granted: "{count, plural, one {# Berechtigung erteilt} other {# Berechtigungen erteilt}}",
  "hold-and-cancel-orders": "Bestellungen zurückstellen und stornieren",
  "hold-orders": "Bestellungen zurückstellen",
  "holdfast-holds-risky-orders-and-cancels":
    "Holdfast stellt riskante Bestellungen zurück und storniert keine.",
  "holdfast-holds-risky-orders-and-cancels-critical":
    "Holdfast stellt riskante Bestellungen zurück und storniert kritische.",
  "holdfast-only-watches-your-orders": "Holdfast beobachtet deine Bestellungen nur.",
  "holdfast-records-decisions-without-changing-orders":
    "Holdfast zeichnet Entscheidungen auf, ohne Bestellungen zu ändern. Nach einigen Tagen zeigt der Bericht, was es getan hätte.",
  "holdfast-tags-and-holds-risky-orders":
    "Holdfast taggt riskante Bestellungen und stellt sie zurück. Du entscheidest, was mit ihnen geschieht.",
  "not-checked": "nicht geprüft",
  "open-any-order-in-your-admin":
    "Öffne eine Bestellung in deinem Adminbereich, füge der Seite den Holdfast-Block hinzu und hefte ihn an. Jede Bestellung zeigt dann ihr Risiko, die Entscheidung und die Gründe.",
  "open-holdfast-in-the-platforms-admin": "Öffne Holdfast im Adminbereich der Plattform, um das zu erlauben.",
  "open-order": "Bestellung öffnen",
  "order-is": "Status der Bestellung: {state}.",
  "pin-holdfast-to-your-order-pages": "Holdfast an deine Bestellseiten anheften",
  problem: "Problem",
  "risk-level-of-the-test-order": "Risikostufe der Testbestellung",
  save: "Speichern",
  "send-sandbox-order": "Sandbox-Bestellung senden",
  sending: "Wird gesendet …",
  "setup-complete-holdfast-checks-orders-as":
    "Einrichtung abgeschlossen. Holdfast prüft Bestellungen, sobald sie eingehen.",
  "show-orders": "Bestellungen anzeigen",
  "steps-left":
    "Noch {count, plural, one {# Schritt} other {# Schritte}}. Holdfast prüft deine Bestellungen bereits.",
  "the-platform-doesnt-share-personal-data":
    "Die Plattform teilt keine personenbezogenen Daten, Prüfungen sind deshalb weniger genau. Beantrage den Zugriff auf der Plattform.",
  "the-platform-shares-the-personal-data":
    "Die Plattform teilt die personenbezogenen Daten, die Prüfungen brauchen.",
  "to-approve-decline-or-recheck-choose":
    "Um eine Bestellung zu genehmigen, abzulehnen oder erneut zu prüfen, wähle bei ihr unter „Weitere Aktionen“ den Eintrag „In Holdfast prüfen“. In der Bestellliste wählst du zuerst einige aus.",
  "to-do": "zu erledigen",
  "uses-no-credits-and-changes-nothing": "Kostet keine Credits und ändert nichts auf der Plattform.",
  "view-policy": "Richtlinie ansehen",
  waiting: "wartet …",
  warning: "Warnung",
  "watch-only-recommended": "Nur beobachten (empfohlen)",
  "welcome-to-holdfast": "Willkommen bei Holdfast",
  "what-holdfast-does": "Was Holdfast tut",
  "your-first-orders-have-arrived": "Deine ersten Bestellungen sind eingegangen.",
};

export const TEXTS = {
  access: "Shopify akzeptiert das Zugriffstoken der App.",
  "access-invalid": "Shopify kann die Anfragen der App nicht lesen.",
  "access-invalid.advice":
    "Prüfe, dass zwischen diesem Rechner und myshopify.com nichts die Anfragen verändert, und melde es dann.",
  "access-refused": "Shopify lehnt die Anfragen der App ab.",
  "access-refused.advice":
    "Prüfe Client-ID und Secret, die IP-Freigabeliste im Dev Dashboard und den Tarif des Shops.",
  "access-throttled": "Shopify begrenzt die Anfragen der App.",
  "access-throttled.advice": "Prüfe es erneut, wenn im Shop weniger los ist.",
  "access-unauthorized": "Shopify akzeptiert das Zugriffstoken der App nicht.",
  "access-unauthorized.advice": "Öffne die App einmal im Adminbereich des Shops.",
  "access-unavailable": "Shopify ist nicht erreichbar.",
  "access-unavailable.advice":
    "Prüfe, ob dieser Rechner myshopify.com erreicht, und sieh auf die Statusseite von Shopify.",
  "access-unreadable": "Das Zugriffstoken des Shops kann nicht entschlüsselt werden.",
  "access-unreadable.advice": "Setze DATA_KEY auf den Schlüssel, der das Zugriffstoken verschlüsselt hat.",
  "api-version": "Shopify unterstützt die API-Version {version}.",
  "api-version-unsupported": "Shopify unterstützt die API-Version {version} nicht.",
  "api-version-unsupported.advice":
    "Aktualisiere Holdfast auf eine Version mit einer unterstützten API-Version.",
  checkout: "Die App darf gesperrte Käufer im Checkout ablehnen.",
  "checkout-list":
    "Sperrliste im Checkout: Einträge {count}, Größe {bytes} von {limit} Byte, aktualisiert {time}.",
  "checkout-list-empty":
    "Der Checkout hat keine Sperrliste: Er kann keinen Eintrag vergleichen, oder keine Zahlungsart soll verborgen werden.",
  "checkout-list-not-deployed":
    "Der Checkout hat nicht die aktuelle Sperrliste: Die Funktion der App ist nicht bereitgestellt.",
  "checkout-list-not-deployed.advice":
    "Führe `shopify app deploy` mit den Erweiterungen aus, und veröffentliche die Version.",
  "checkout-list-not-granted":
    "Der Checkout hat nicht die aktuelle Sperrliste: Der App fehlt die Berechtigung.",
  "checkout-list-not-granted.advice":
    "Erteile die Berechtigung hier. Wird sie nicht angeboten, führe zuerst `shopify app deploy` aus.",
  "checkout-list-pending": "Der Checkout hat die aktuelle Sperrliste noch nicht.",
  "checkout-list-pending.advice":
    "Prüfe es in zwei Minuten erneut. Hat sich dann nichts geändert, lies das Protokoll.",
  "checkout-list-plan":
    "Der Checkout hat nicht die aktuelle Sperrliste: Eine eigene App darf das nur mit Shopify Plus.",
  "checkout-list-plan.advice":
    "Stelle „Gesperrte Käufer an der Kasse“ in der Richtlinie auf „Bestellen lassen“.",
  "checkout-list-too-many":
    "Der Checkout hat nicht die aktuelle Sperrliste: Der Shop hat so viele aktive Checkout-Regeln, wie Shopify erlaubt.",
  "checkout-list-too-many.advice": "Schalte in Shopify eine Checkout-Regel aus.",
  "checkout-list-turned-off": "Jemand hat die Sperrliste im Checkout in Shopify ausgeschaltet.",
  "checkout-list-turned-off.advice":
    "Schalte sie in den Einstellungen von Shopify wieder ein, oder stelle „Gesperrte Käufer an der Kasse“ in der Richtlinie auf „Bestellen lassen“.",
  "checkout-list-watching": "Der Checkout hat keine Sperrliste, solange die Richtlinie nur beobachtet.",
  "checkout-off":
    "Optional: Mit {scope} kann der Checkout Käufer auf der Sperrliste ablehnen, wenn die Richtlinie es vorsieht.",
  "checkout-payments": "Die App darf vor gesperrten Käufern Zahlungsarten verbergen.",
  "checkout-payments-off":
    "Optional: Mit {scope} kann der Checkout Käufer auf der Sperrliste um eine andere Zahlung bitten, wenn die Richtlinie es vorsieht.",
  disputes: "Die Anfechtungen des Shops kommen an.",
  "disputes-off":
    "Optional: Mit {scope} zeigt der Bericht, welcher Betrug durchkam, und eine Bestellung, zu der eine Bank nachfragt, wird nicht versandt.",
  "disputes-unsubscribed": "Erteilt, aber nicht abonniert: {missing}.",
  "disputes-unsubscribed.advice":
    "Entziehe die Berechtigung, und erteile sie in der Einrichtung der App neu.",
  "no-access": "Ohne Zugriff lässt sich das nicht prüfen.",
  "older-orders": "Shopify zeigt Bestellungen jeden Alters.",
  "older-orders-hidden":
    "Optional: Ohne {scope} zeigt Shopify Bestellungen ab dem 60. Tag nicht mehr. Zurückstellungen enden spätestens am 59. Tag, eine ältere Bestellung lässt sich nicht stornieren, und die Nachfrage einer Bank hält sie vielleicht nicht auf.",
  "older-orders-unrequested":
    "Optional: Ohne {scope} zeigt Shopify Bestellungen ab dem 60. Tag nicht mehr. Zurückstellungen enden spätestens am 59. Tag, eine ältere Bestellung lässt sich nicht stornieren, und die Nachfrage einer Bank hält sie vielleicht nicht auf.",
  "older-orders-unrequested.advice":
    "Beantrage im Partner-Dashboard Zugriff auf alle Bestellungen. Sobald Shopify zustimmt, füge {scope} in shopify.app.toml zu optional_scopes hinzu, und führe `shopify app deploy` aus.",
  "personal-data": "Shopify zeigt die Kundendaten aller {orders} geprüften Bestellungen.",
  "personal-data-hidden": "Shopify zeigt der App keine Namen, Adressen oder E-Mail-Adressen.",
  "personal-data-hidden.advice":
    "Beantrage im Partner-Dashboard Zugriff auf geschützte Kundendaten, Stufe 2.",
  "personal-data-no-orders": "Der Shop hat keine neuere Bestellung, die sich prüfen lässt.",
  "personal-data-unread": "Bestellungen konnten nicht gelesen werden ({code}).",
  "personal-data-unread.advice": "Prüfe, ob die Berechtigungen erteilt sind, und prüfe dann erneut.",
  "platform-silent": "Die Plattform hat nicht geantwortet.",
  "platform-silent.advice": "Prüfe es in einer Minute erneut.",
  scopes: "Alle nötigen Berechtigungen sind erteilt.",
  "scopes-missing": "Nicht erteilt: {missing}.",
  "scopes-missing-goods":
    "Nicht erteilt: {missing}. Waren bei einem Fulfillment-Dienst sind nicht sichtbar und werden versandt, obwohl die Bestellung zurückgestellt ist.",
  "scopes-missing-goods.advice":
    "Führe `shopify app deploy` aus, öffne dann die App im Shop, und erteile die Berechtigungen.",
  "scopes-missing.advice":
    "Führe `shopify app deploy` aus, öffne dann die App im Shop, und erteile die Berechtigungen.",
  "step-mode": "Version {version} deiner Richtlinie ist in Kraft.",
  "step-mode-none":
    "Es ist noch keine Richtlinie gespeichert. Bis du wählst, werden Bestellungen getaggt und zurückgestellt, nie storniert.",
  "step-order": "Holdfast entscheidet über Bestellungen.",
  "step-order-none":
    "Noch keine Bestellungen. Sende eine Sandbox-Bestellung, um zu sehen, wie es funktioniert.",
  "step-order-sandbox": "Holdfast hat über eine Sandbox-Bestellung entschieden.",
  "step-platform": "Verbunden.",
  "step-platform-none": "Es ist keine Verbindung zu einer Plattform nötig.",
  "step-platform-uninstalled": "Die App ist deinstalliert. Installiere sie neu.",
  "step-service-none":
    "Es ist kein Schlüssel für den Prüfdienst gesetzt. Bis dahin prüft die lokale Engine jede Bestellung. Sie kann zurückstellen, storniert aber nie.",
  "step-service-own": "Bestellungen werden mit deinem eigenen Schlüssel geprüft.",
  "step-service-plan":
    "Wähle einen Tarif, oder gib deinen eigenen Schlüssel ein. Bis dahin prüft die lokale Engine jede Bestellung. Sie kann zurückstellen, storniert aber nie.",
  "step-service-shared": "Bestellungen werden mit dem Schlüssel dieser Installation geprüft.",
};

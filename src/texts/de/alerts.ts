export const TEXTS = {
  verification_key_refused:
    "Der Prüfdienst lehnt den API-Schlüssel ab. Bestellungen werden zurückgestellt. Prüfe den Schlüssel und seine Organisation. Den eigenen Schlüssel eines Shops ersetzt du in den Einstellungen der Konsole. Nach einer Änderung von VERIFY_API_KEY oder VERIFY_ORGANIZATION starte die App neu.",
  verification_no_credits:
    "Beim Prüfdienst sind keine Credits mehr übrig. Über Bestellungen wird ohne ihn entschieden. Kaufe Credits. Wir versuchen es alle 3 Minuten mit einer Bestellung erneut.",
  verification_unavailable:
    "Der Prüfdienst ist nicht erreichbar oder meldet immer wieder Fehler. Über Bestellungen wird ohne ihn entschieden. Prüfe den Status des Dienstes, dein Netzwerk, DNS und Proxy. Wir versuchen es automatisch erneut.",
  verification_misconfigured:
    "Der Prüfdienst ist mit dieser Einrichtung nicht nutzbar: Organisation, Adresse oder Zertifikat stimmen nicht (siehe Log). Bestellungen werden zurückgestellt. Setze VERIFY_ORGANIZATION, prüfe VERIFY_URL, den Proxy und die Zertifikate, und starte die App neu.",
  verification_request_refused:
    "Der Prüfdienst hat die Anfrage zu einer Bestellung abgelehnt, und der Aufruf wurde berechnet. Das ist ein Fehler in Holdfast. Melde ihn, ohne die Daten der Bestellung.",
  ledger_unwritten:
    "Das Ergebnis eines Aufrufs des Prüfdienstes konnte nicht gespeichert werden. Der Aufruf wurde vielleicht berechnet. Prüfe die Datenbank.",
  hold_expiring:
    "Die Frist einer Zurückstellung läuft in weniger als 6 Stunden ab. Prüfe die Bestellung, und gib sie dann im Shop frei oder storniere sie dort.",
  hold_overdue:
    "Die Frist einer Zurückstellung ist abgelaufen, und die Bestellung ist noch zurückgestellt. Prüfe die Bestellung, und gib sie dann im Shop frei oder storniere sie dort.",
  protection_lapsing:
    "Eine zurückgestellte Bestellung verliert in weniger als zwei Tagen die Deckung durch Shopify Protect, wenn sie nicht mit Sendungsverfolgung versandt wird. Prüfe die Bestellung. Gib sie dann frei und versende sie, oder storniere sie.",
  dispute_inquiry:
    "Die Bank eines Käufers fragt zur Zahlung einer Bestellung nach. Wenn die Bestellung nicht versandt ist, ist sie zurückgestellt. Prüfe sie jetzt: Eine Erstattung kostet meist weniger als eine Rückbuchung. Um zu erstatten, lehne die Bestellung ab oder erstatte sie im Shop.",
  dispute_chargeback:
    "Eine Bestellung wurde zurückgebucht: Die Bank hat die Zahlung zurückgeholt. Beantworte die Anfechtung im Shop, bevor ihre Frist abläuft. Der Bericht zeigt, welcher Betrug durchkam.",
  disputes_high:
    "Die Anfechtungen dieses Monats erreichen drei Viertel der Grenzen eines Kartennetzwerks, oder werden es, wenn der Monat so weitergeht. Frag deinen Zahlungsanbieter nach deinen Betrugsmeldungen (TC40), die auch zählen. Stelle mehr riskante Bestellungen zurück, und beantworte Anfragen mit Erstattungen.",
  dispute_evidence_due:
    "Die Bank nimmt nur noch weniger als 48 Stunden lang Belege zu einer angefochtenen Zahlung an, und es wurden keine gesendet. Öffne die Bestellung in der Konsole, hole ihre Belege, und reiche sie im Shop ein.",
  authorization_expiring:
    "Die Zahlung einer zurückgestellten Bestellung ist nur noch weniger als 24 Stunden autorisiert. Wenn sie noch nicht eingezogen ist, genehmige die Bestellung und ziehe die Zahlung ein, oder lehne die Bestellung ab.",
  order_hidden_soon:
    "Die Plattform zeigt der App eine zurückgestellte Bestellung wegen ihres Alters nur noch weniger als 2 Tage. Prüfe die Bestellung jetzt: Danach kann Holdfast sie nicht mehr stornieren. Bei Shopify verhindert das die Berechtigung read_all_orders.",
  order_hidden:
    "Die Plattform zeigt der App eine Bestellung wegen ihres Alters nicht mehr, und die Bestellung braucht eine Person: Sie ist zurückgestellt, oder eine Bank fragt zu ihrer Zahlung nach. Sieh sie dir im Shop an. Stornieren oder erstatten kannst du sie nur dort.",
  hold_not_placed:
    "Eine Bestellung sollte zurückgestellt sein, ist es aber ganz oder teilweise nicht. Prüfe die Bestellung, und versende sie nicht. Wenn ihr Problem goods-hidden ist, erteile write_third_party_fulfillment_orders.",
  held_order_fulfilled:
    "Eine Bestellung wurde versandt, während Holdfast sie zurückgestellt hatte, oder jemand hat sie zwischen zwei Prüfungen freigegeben und versandt. Finde heraus, wer sie freigegeben hat. Halte das Paket auf, wenn die Bestellung nicht versandt werden sollte.",
  hold_released_by_app:
    "Eine andere App oder ein Workflow hat eine Zurückstellung aufgehoben, ohne dass eine Person entschieden hat. Die Bestellung bleibt in der Prüfliste. Finde die App im Verlauf der Bestellung, und verhindere, dass sie fremde Zurückstellungen aufhebt. Diese Warnung kommt einmal am Tag.",
  cancel_limit_reached:
    "Die Obergrenze der Richtlinie für Stornierungen pro Stunde ist erreicht. Weitere Bestellungen werden stattdessen zurückgestellt. Prüfe, ob du angegriffen wirst oder ob eine Regel auf zu viele Bestellungen zutrifft. Storniere die Bestellungen selbst, oder erhöhe cancel.maxPerHour.",
  enforcement_failed:
    "Eine Entscheidung konnte auf eine Bestellung nicht angewendet werden. Führe den Schritt, den das Problem nennt, selbst aus.",
  platform_refused:
    "Die Plattform lehnt alle Aufrufe der App ab, deshalb warten Bestellungen. Prüfe die Berechtigungen der App, die IP-Freigabeliste und den Tarif des Shops.",
  personal_data_not_granted:
    "Shopify teilt keine personenbezogenen Daten mit der App, deshalb prüft die lokale Engine die Bestellungen. Beantrage Zugriff auf geschützte Kundendaten, Stufe 2.",
  burst_braked:
    "Aus derselben Quelle kommen zu viele Bestellungen. Sie werden zurückgestellt und kosten keine Credits. Suche nach Bots, blockiere sie in deinem Shop, und prüfe die zurückgestellten Bestellungen.",
  one_ip_address:
    "Alle Kunden eines Shops haben dieselbe öffentliche IP-Adresse, wahrscheinlich die eines Proxys oder CDN. Die Prüfung kann sie daran nicht unterscheiden, und ihre Bestellungen werden vielleicht als Häufung zurückgestellt. Gib die eigene Adresse der Kunden weiter: Setze trust proxy, oder sende sie mit der Bestellung.",
  order_failed:
    "Holdfast kann eine Bestellung nicht fertig bearbeiten und versucht es nicht erneut. Suche die Bestellung in der Konsole, entscheide im Shop, und schlage das Problem in docs/reference/errors.md nach.",
  defect:
    "Bei einer Bestellung ist ein unerwarteter Fehler aufgetreten. Melde ihn mit dem Stacktrace aus dem Log.",
  webhooks_missed:
    "Holdfast hat Bestellungen gefunden, deren Webhook nie ankam, und prüft sie jetzt. Wenn das oft geschieht, prüfe die Webhook-Abonnements, die Adresse, und ob Webhooks mit 401 (das Secret der App ist falsch) oder 503 beantwortet wurden.",
  webhooks_unauthenticated:
    "Webhooks werden abgelehnt (401), weil sie mit einem anderen Secret signiert sind, deshalb werden Bestellungen nicht geprüft. Setze SHOPIFY_API_SECRET auf das Client Secret der App, ohne Anführungszeichen, und starte die App neu. Wenn es stimmt, sind die Webhooks gefälscht und bewirken nichts.",
  webhooks_refused:
    "Signierte Webhooks kamen mit veränderten Kopfzeilen an und wurden ignoriert. Jemand hat Zustellungen abgefangen und sendet sie erneut. Finde das Leck (Proxy-Logs, Fehlerberichte), und erneuere das Client Secret.",
  orders_not_kept:
    "Es warten zu viele Bestellungen von Shops, die die App nicht installiert haben. Neue Bestellungen dieser Shops werden verworfen. Finde heraus, woher sie kommen.",
  erasure_unconfirmed:
    "Die Daten eines Shops sollen gelöscht werden, aber Shopify hat nicht bestätigt, dass die App deinstalliert ist. Wenn die App noch installiert ist, öffne sie im Adminbereich des Shops. Andernfalls werden die Daten nach 25 Tagen gelöscht.",
  delivery_stuck:
    "Ein angenommener Webhook kann nicht verarbeitet werden. Wir versuchen es jede Stunde erneut. Den Fehler zeigt das Log.",
  shop_access_lost:
    "Shopify akzeptiert den Zugriff der App auf einen Shop nicht mehr, deshalb warten dessen Bestellungen. Öffne die App im Adminbereich dieses Shops.",
  store_unavailable:
    "Holdfast kann keine Arbeit aus der Datenbank lesen. Prüfe die Datenbank, ihren Datenträger und das Netzwerk. Webhooks, die nicht gespeichert werden können, werden mit 503 beantwortet, und die Plattform sendet sie erneut.",
  checkout_list_not_applied:
    "Der Checkout eines Shops behandelt gesperrte Käufer nicht so, wie die Richtlinie es vorsieht: Er lässt sie vielleicht bestellen, oder er lehnt noch jemanden ab, der nicht mehr auf der Liste steht. Bestellungen werden in jedem Fall geprüft. Wenn das Problem not-granted ist, erteile write_validations oder write_payment_customizations in der Einrichtung der App. Zu den anderen siehe docs/block-at-checkout.md.",
  customer_data_request:
    "Ein Kunde hat seine Daten angefordert, und der Bericht ist fertig. Lade ihn unter /api/data-requests herunter, und sende ihn dem Kunden innerhalb der gesetzlichen Frist.",
  coverage_low:
    "Über zu viele Bestellungen der letzten 24 Stunden wurde nicht innerhalb von 5 Minuten entschieden. Prüfe das Anfragelimit des Prüfdienstes, den Rückstand, die Datenbank und die anderen Warnungen.",
  levels_shifted:
    "Deutlich mehr (up) oder weniger (down) Bestellungen als am gleichen Wochentag der letzten vier Wochen haben heute das Risiko, das im Problem steht. Öffne in der Konsole die Übersicht, und folge dem Hinweis dort zu den Bestellungen.",
  settings_unreadable:
    "Die Einstellungen eines Shops können nicht entschlüsselt werden, deshalb werden sein Dienstschlüssel und seine Adressen für Benachrichtigungen nicht verwendet. Setze den DATA_KEY, der sie verschlüsselt hat, oder gib die Einstellungen in der Konsole neu ein.",
  retention_failed:
    "Personenbezogene Daten, deren Aufbewahrungsfrist abgelaufen ist, wurden seit einem Tag nicht gelöscht. Sieh dir den Fehler im Log an, und prüfe die Datenbank.",
  card_amount_not_released:
    "Ein kleiner Betrag, der einen Code auf einer Kartenabrechnung zeigt, ist seit etwa zehn Stunden nicht freigegeben. Prüfe den Schlüssel der Zahlungsplattform und ihren Status, oder storniere die Zahlung dort: In Stripe steht in ihren Metadaten holdfast: card-code. Sie wird nie eingezogen und verfällt nach einigen Tagen von selbst.",
  notifier_failed:
    "Eine Warnung konnte nicht gesendet werden und steht nur im Log. Prüfe ALERT_WEBHOOK_URL oder SMTP_URL und den Server dahinter.",
};

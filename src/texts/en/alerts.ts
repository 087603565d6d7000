/** What each alert tells people: what happened, and what to do. By the alert's name. */
export const TEXTS = {
  verification_key_refused:
    "The verification service refuses the API key. Orders are held. Check the key and its organization. Replace a shop's own key in the console's settings. After you change VERIFY_API_KEY or VERIFY_ORGANIZATION, restart the app.",
  verification_no_credits:
    "The verification service has no credits left. Orders are decided without the service. Buy credits. We retry one order every 3 minutes.",
  verification_unavailable:
    "The verification service can't be reached or keeps failing. Orders are decided without the service. Check the service's status, your network, DNS and proxy. We retry automatically.",
  verification_misconfigured:
    "The service can't be used with this set-up: its organization, address or certificate is wrong (see the log). Orders are held. Set VERIFY_ORGANIZATION, check VERIFY_URL, the proxy and the certificates, and restart the app.",
  verification_request_refused:
    "The verification service refused the request for an order, and the call was billed. This is a bug in Holdfast. Report it without the order's data.",
  ledger_unwritten:
    "The result of a call to the verification service couldn't be saved. The call may have been billed. Check the database.",
  hold_expiring:
    "A hold reaches its deadline within 6 hours. Review the order, then release the hold or cancel the order in the shop.",
  hold_overdue:
    "A hold is past its deadline and the order is still held. Review the order, then release the hold or cancel the order in the shop.",
  protection_lapsing:
    "An order on hold loses Shopify Protect's cover in less than two days, unless it ships with tracking. Review the order, then release the hold and ship it, or cancel it.",
  dispute_inquiry:
    "A buyer's bank asks about an order's payment. If it hasn't shipped, it's on hold. Review it now: a refund usually costs less than a chargeback. To refund, decline the order or refund it in the shop.",
  dispute_chargeback:
    "An order was charged back: the bank took the payment back. Answer the dispute in the shop before its deadline. The report shows what fraud passed.",
  disputes_high:
    "This month's disputes reach three quarters of a card network's limits, or will if the month goes on like this. Ask your payment provider for your fraud reports (TC40), which count too. Hold more of your risky orders, and answer inquiries with refunds.",
  dispute_evidence_due:
    "The bank takes evidence about a disputed payment for less than 48 more hours, and none was sent. Open the order in the console, get its evidence, and submit it in the shop.",
  authorization_expiring:
    "The payment of a held order is authorized for less than 24 more hours. If it isn't captured yet, approve the order and capture the payment, or decline the order.",
  order_hidden_soon:
    "The platform hides a held order from the app within 2 days, because of its age. Review the order now: after that, Holdfast can't cancel it. For Shopify, the scope read_all_orders prevents this.",
  order_hidden:
    "The platform no longer shows an order to the app, because of its age, and the order needs a person: it's on hold, or a bank asks about its payment. Look at it in the shop. To cancel or refund it, do that there.",
  hold_not_placed:
    "An order should be on hold, but it or part of it isn't. Review the order and don't ship it. If its problem is goods-hidden, grant write_third_party_fulfillment_orders.",
  held_order_fulfilled:
    "An order shipped while Holdfast was holding it, or someone released and shipped it between two checks. Find out who released it. Stop the parcel if the order shouldn't have shipped.",
  hold_released_by_app:
    "Another app or a workflow released a hold, without a person's decision. The order stays in the review queue. Find the app in the order's history, and stop it from releasing the holds of others. This is reported once a day.",
  cancel_limit_reached:
    "The policy's hourly limit for cancellations is reached. Further orders are held instead. Check whether you're under attack or a rule matches too many orders. Cancel the orders yourself, or raise cancel.maxPerHour.",
  enforcement_failed:
    "A decision couldn't be applied to an order. Apply the step that the problem names yourself.",
  platform_refused:
    "The platform refuses all of the app's calls, so orders are waiting. Check the app's permissions, the IP allowlist and the shop's plan.",
  personal_data_not_granted:
    "Shopify doesn't share personal data with the app, so the local engine checks orders. Request access to protected customer data, level 2.",
  burst_braked:
    "Too many orders come from the same source. They're held and use no credits. Check for bots, block them in your shop, and review the held orders.",
  one_ip_address:
    "All customers of a shop have one public IP address, so it's probably a proxy's or CDN's. The check can't tell them apart by it, and the burst brake may hold their orders. Pass on the customer's own address: set trust proxy, or send it with the order.",
  order_failed:
    "Holdfast can't finish an order and won't retry it. Find the order in the console, decide it in the shop, and look up the problem in docs/reference/errors.md.",
  defect: "An unexpected error occurred on an order. Report it with the stack trace from the log.",
  webhooks_missed:
    "Holdfast found orders whose webhook never arrived, and is checking them now. If this happens often, check the webhook subscriptions, the address, and whether webhooks were answered with 401 (the app's secret is wrong) or 503.",
  webhooks_unauthenticated:
    "Webhooks are refused (401), because they're signed with another secret, so orders aren't checked. Set SHOPIFY_API_SECRET to the app's client secret, without quotes, and restart the app. If it's right, the webhooks are forged and have no effect.",
  webhooks_refused:
    "Signed webhooks arrived with altered headers and were ignored. Someone captured deliveries and is sending them again. Find the leak (proxy logs, error trackers) and rotate the client secret.",
  orders_not_kept:
    "Too many orders are waiting from shops that haven't installed the app. New orders from these shops are dropped. Find out where they come from.",
  erasure_unconfirmed:
    "A shop's data is due to be erased, but Shopify didn't confirm that the app is uninstalled. If the app is still installed, open it in the shop's admin. Otherwise the data is erased after 25 days.",
  delivery_stuck: "An accepted webhook can't be processed. We retry it every hour. See the error in the log.",
  shop_access_lost:
    "Shopify no longer accepts the app's access to a shop, so its orders are waiting. Open the app in that shop's admin.",
  store_unavailable:
    "Holdfast can't read work from the database. Check the database, its disk and the network. Webhooks that can't be saved are answered with 503, and the platform sends them again.",
  customer_data_request:
    "A customer requested their data, and the report is ready. Download it at /api/data-requests and send it to the customer within the legal deadline.",
  checkout_list_not_applied:
    "A shop's checkout doesn't do with blocked buyers what the policy says: it may let them order, or still refuse somebody who left the list. Orders are checked either way. If the problem is not-granted, grant write_validations or write_payment_customizations in the app's setup. For the others, see docs/block-at-checkout.md.",
  coverage_low:
    "Too many orders of the last 24 hours weren't decided within 5 minutes. Check the verification service's rate limit, the backlog, the database and the other alerts.",
  levels_shifted:
    "Clearly more (up) or fewer (down) of today's orders have the risk that the problem names than on the same weekday of the last four weeks. Open Overview in the console and follow its notice to the orders.",
  settings_unreadable:
    "A shop's settings can't be decrypted, so its service key and alert addresses aren't used. Set the DATA_KEY that encrypted them, or enter the settings again in the console.",
  retention_failed:
    "Personal data past its retention period hasn't been deleted for a day. See the error in the log, and check the database.",
  card_amount_not_released:
    "A small amount that shows a code on a card statement hasn't been given back for about ten hours. Check the payment platform's key and its status, or cancel the payment there: in Stripe, its metadata says holdfast: card-code. It's never captured, and lapses by itself within days.",
  notifier_failed:
    "An alert couldn't be sent and appears only in the log. Check ALERT_WEBHOOK_URL or SMTP_URL and the server behind it.",
} as const;

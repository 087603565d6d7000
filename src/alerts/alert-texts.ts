/** The text of one kind of alert. */
export interface AlertText {
  /** What happened, and what to do. */
  readonly text: string;
  /** It lasts until a log line says that it is over, with the name in its `resolved` field. */
  readonly lasting?: true;
  /** Each `problem` is its own incident, since each needs a different action. */
  readonly perProblem?: true;
}

/** Every alert by name, the same set as in `docs/alerts.md`. */
export const ALERT_TEXTS = {
  verification_key_refused: {
    text: "The verification service refuses the API key. Orders are decided without the service. Check the key and its organization. Replace a shop's own key in the console's settings. After you change VERIFY_API_KEY or VERIFY_ORGANIZATION, restart the app.",
    lasting: true,
  },
  verification_no_credits: {
    text: "The verification service has no credits left. Orders are decided without the service. Buy credits. We retry one order every 3 minutes.",
    lasting: true,
  },
  verification_unavailable: {
    text: "The verification service can't be reached or keeps failing. Orders are decided without the service. Check the service's status, your network, DNS and proxy. We retry automatically.",
    lasting: true,
  },
  verification_misconfigured: {
    text: "The API key has no organization, or has several and none is selected, or the service's address is wrong. Orders are decided without the service. Set VERIFY_ORGANIZATION, check VERIFY_URL, and restart the app.",
    lasting: true,
  },
  verification_request_refused: {
    text: "The verification service refused the request for an order, and the call was billed. This is a bug in Holdfast. Report it without the order's data.",
  },
  ledger_unwritten: {
    text: "The result of a call to the verification service couldn't be saved. The call may have been billed. Check the database.",
  },
  hold_expiring: {
    text: "A hold reaches its deadline within 6 hours. Review the order, then release the hold or cancel the order in the shop.",
  },
  hold_overdue: {
    text: "A hold is past its deadline and the order is still held. Review the order, then release the hold or cancel the order in the shop.",
  },
  protection_lapsing: {
    text: "An order on hold loses Shopify Protect's cover in less than two days, unless it ships with tracking. Review the order, then release the hold and ship it, or cancel it.",
  },
  dispute_inquiry: {
    text: "A buyer's bank asks about an order's payment. If it hasn't shipped, it's on hold. Review it now: a refund usually costs less than a chargeback. To refund, decline the order or refund it in the shop.",
    perProblem: true,
  },
  dispute_chargeback: {
    text: "An order was charged back: the bank took the payment back. Answer the dispute in the shop before its deadline. The report shows what fraud passed.",
    perProblem: true,
  },
  authorization_expiring: {
    text: "The payment of a held order is authorized for less than 24 more hours. If it isn't captured yet, approve the order and capture the payment, or decline the order.",
  },
  hold_not_placed: {
    text: "An order should be on hold, but it or part of it isn't. Review the order and don't ship it. If its problem is goods-hidden, grant write_third_party_fulfillment_orders.",
  },
  held_order_fulfilled: {
    text: "An order shipped while Holdfast was holding it, or someone released and shipped it between two checks. Find out who released it. Stop the parcel if the order shouldn't have shipped.",
  },
  cancel_limit_reached: {
    text: "The policy's hourly limit for cancellations is reached. Further orders are held instead. Check whether you're under attack or a rule matches too many orders. Cancel the orders yourself, or raise cancel.maxPerHour.",
  },
  enforcement_failed: {
    text: "A decision couldn't be applied to an order. Apply the step that the problem names yourself.",
    perProblem: true,
  },
  platform_refused: {
    text: "The platform refuses all of the app's calls, so orders are waiting. Check the app's permissions, the IP allowlist and the shop's plan.",
  },
  personal_data_not_granted: {
    text: "Shopify doesn't share personal data with the app, so the local engine checks orders. Request access to protected customer data, level 2.",
  },
  burst_braked: {
    text: "Too many orders come from the same source. They're held and use no credits. Check for bots, block them in your shop, and review the held orders.",
  },
  order_failed: {
    text: "Holdfast can't finish an order and won't retry it. Find the order in the console, decide it in the shop, and look up the problem in docs/reference/errors.md.",
    perProblem: true,
  },
  defect: {
    text: "An unexpected error occurred on an order. Report it with the stack trace from the log.",
  },
  webhooks_missed: {
    text: "Holdfast found orders whose webhook never arrived, and is checking them now. If this happens often, check the webhook subscriptions, the address, and whether webhooks were answered with 503.",
  },
  webhooks_refused: {
    text: "Signed webhooks arrived with altered headers and were ignored. Someone captured deliveries and is sending them again. Find the leak (proxy logs, error trackers) and rotate the client secret.",
  },
  orders_not_kept: {
    text: "Too many orders are waiting from shops that haven't installed the app. New orders from these shops are dropped. Find out where they come from.",
  },
  erasure_unconfirmed: {
    text: "A shop's data is due to be erased, but Shopify didn't confirm that the app is uninstalled. If the app is still installed, open it in the shop's admin. Otherwise the data is erased after 25 days.",
  },
  delivery_stuck: {
    text: "An accepted webhook can't be processed. We retry it every hour. See the error in the log.",
  },
  shop_access_lost: {
    text: "Shopify no longer accepts the app's access to a shop, so its orders are waiting. Open the app in that shop's admin.",
  },
  store_unavailable: {
    text: "Holdfast can't read work from the database. Check the database, its disk and the network. Webhooks that can't be saved are answered with 503, and the platform sends them again.",
    lasting: true,
  },
  customer_data_request: {
    text: "A customer requested their data, and the report is ready. Download it at /api/data-requests and send it to the customer within the legal deadline.",
  },
  coverage_low: {
    text: "Too many orders of the last 24 hours weren't decided within 5 minutes. Check the backlog, the database and the other alerts.",
    lasting: true,
  },
  levels_shifted: {
    text: "Clearly more (up) or fewer (down) of today's orders have the risk that the problem names than on the same weekday of the last four weeks. Open Overview in the console and follow its notice to the orders.",
    lasting: true,
    perProblem: true,
  },
  settings_unreadable: {
    text: "A shop's settings can't be decrypted, so its service key and alert addresses aren't used. Set the DATA_KEY that encrypted them, or enter the settings again in the console.",
  },
  retention_failed: {
    text: "Personal data past its retention period hasn't been deleted for a day. See the error in the log, and check the database.",
  },
  notifier_failed: {
    text: "An alert couldn't be sent and appears only in the log. Check ALERT_WEBHOOK_URL or SMTP_URL and the server behind it.",
  },
} as const satisfies Readonly<Record<string, AlertText>>;

/** About sending itself: if this were sent, it could cause itself again without end. */
export const NEVER_SENT = "notifier_failed";

/** The text of an alert by its name; undefined for an alert of another adapter. */
export function findAlertText(name: string): AlertText | undefined {
  return Object.hasOwn(ALERT_TEXTS, name) ? ALERT_TEXTS[name as keyof typeof ALERT_TEXTS] : undefined;
}

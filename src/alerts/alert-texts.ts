/** What a person is told of one kind of alert. */
export interface AlertText {
  /** What happened, and what to do. */
  readonly text: string;
  /** It goes on until a line says that it is over, with the name in its `resolved` field. */
  readonly lasting?: true;
  /** Each `problem` is an incident of its own, since each wants something else done. */
  readonly perProblem?: true;
}

/** Every alert by name, the same set as `docs/alerts.md` has. */
export const ALERT_TEXTS = {
  verification_key_refused: {
    text: "The verification service refuses the key, and orders are decided without it: check the key and its organization. A shop's own key is replaced in the console's settings, VERIFY_API_KEY and VERIFY_ORGANIZATION with a restart.",
    lasting: true,
  },
  verification_no_credits: {
    text: "The credits of the verification service are used up, and orders are decided without it: buy credits, and one order every few minutes finds out by itself.",
    lasting: true,
  },
  verification_unavailable: {
    text: "The verification service cannot be reached or keeps failing, and orders are decided without it: look at its status, your network, DNS and proxy; it is tried again by itself.",
    lasting: true,
  },
  verification_misconfigured: {
    text: "The key reaches no organization, or several and none is chosen, or the service's address is wrong, and orders are decided without the service: set VERIFY_ORGANIZATION, check VERIFY_URL and start again.",
    lasting: true,
  },
  verification_request_refused: {
    text: "The verification service refused the request of an order, which was billed: it is a defect, please report it without the order's data.",
  },
  ledger_unwritten: {
    text: "A call to the verification service ended and that could not be written, so it counts as perhaps paid: see to the database.",
  },
  hold_expiring: {
    text: "A hold reaches its deadline in 6 hours or less: look at the order, and release the hold or cancel the order in the shop.",
  },
  hold_overdue: {
    text: "A hold is past its deadline and the order stays held: look at the order, and release the hold or cancel the order in the shop.",
  },
  hold_not_placed: {
    text: "An order that is to be held is still not held: look at the order, and keep it from being shipped.",
  },
  held_order_fulfilled: {
    text: "An order shipped while Holdfast was holding it, or was released and shipped between two looks: ask who released it, and stop the parcel if it should not have gone.",
  },
  cancel_limit_reached: {
    text: "More orders were to be cancelled within an hour than the policy allows, and the rest are held instead: look whether fraud or a rule went wild; cancel by hand, or raise cancel.maxPerHour.",
  },
  enforcement_failed: {
    text: "A step of a decision cannot be carried out on an order: do by hand what the problem names.",
    perProblem: true,
  },
  platform_refused: {
    text: "The platform refuses the app's calls as a whole, and orders wait: check the app's permissions, the IP allowlist and the shop's plan.",
  },
  personal_data_not_granted: {
    text: "Shopify withholds personal data from the app, so orders are judged by the local engine: request access to protected customer data, level 2.",
  },
  burst_braked: {
    text: "Too many orders come from the same place, so they cost no credits and are held: look whether bots are at work, block them in front of the shop, and look through the held orders.",
  },
  order_failed: {
    text: "Work on an order ended for good: find the order in the console, decide it in the shop, and look up the problem in the README's table of errors.",
    perProblem: true,
  },
  defect: {
    text: "An order met an error that nobody foresaw: please report it with the stack in the log line.",
  },
  webhooks_missed: {
    text: "Orders existed on the platform that no webhook told of, and are in work now: if it happens again and again, check the subscriptions, the address, and whether webhooks were answered with 503.",
  },
  webhooks_refused: {
    text: "Signed webhooks came with headers that are not theirs, and had no effect: somebody has captured deliveries and sends them again. Find out where they leaked from (proxy logs, error trackers) and rotate the client secret.",
  },
  orders_not_kept: {
    text: "Too many orders of shops that have not installed the app wait already, so new ones of such shops are dropped: see where they come from.",
  },
  erasure_unconfirmed: {
    text: "A shop is to be erased, and Shopify does not say whether it uninstalled the app: if the app is still installed, open it in that shop's admin; otherwise the shop is erased after 25 days.",
  },
  delivery_stuck: {
    text: "A webhook that was accepted cannot be carried out and is tried every hour: see the error in the log line.",
  },
  shop_access_lost: {
    text: "Shopify no longer takes a shop's access, and its orders wait: open the app in that shop's admin.",
  },
  store_unavailable: {
    text: "Work cannot be claimed from the database: check the database, its disk and the network; webhooks that cannot be kept are answered with 503 and come again.",
    lasting: true,
  },
  customer_data_request: {
    text: "A customer asked for their data, and a report lies ready: fetch it at /api/data-requests and pass it on within the time that the law gives.",
  },
  coverage_low: {
    text: "Too many orders of the last day were not decided within five minutes: look at the backlog, the database and the other alerts.",
    lasting: true,
  },
  settings_unreadable: {
    text: "A shop's settings cannot be opened, so neither its own service key nor its addresses for alerts are used: give the DATA_KEY that they were sealed with, or enter them in the console again.",
  },
  retention_failed: {
    text: "Personal data that is too old to be kept has not been erased for a day: see the error in the log line, and to the database.",
  },
  notifier_failed: {
    text: "An alert could not be sent, so the log alone has it: check ALERT_WEBHOOK_URL or SMTP_URL and what listens there.",
  },
} as const satisfies Readonly<Record<string, AlertText>>;

/** About the sending itself: sending it could go on for ever. */
export const NEVER_SENT = "notifier_failed";

/** What is told of an alert by this name; undefined for one of somebody else's adapter. */
export function findAlertText(name: string): AlertText | undefined {
  return Object.hasOwn(ALERT_TEXTS, name) ? ALERT_TEXTS[name as keyof typeof ALERT_TEXTS] : undefined;
}

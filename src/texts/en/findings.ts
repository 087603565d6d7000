/** What the setup found, by its code; `.advice`: what to do about it. In English for programs and the command line. */
export const TEXTS = {
  access: "Shopify accepts the app's access token",
  "access-invalid": "Shopify can't read the app's requests",
  "access-invalid.advice":
    "check that nothing between this machine and myshopify.com changes requests; then report it",
  "access-refused": "Shopify refuses the app's requests",
  "access-refused.advice":
    "check the client ID and secret, the IP allowlist in the Dev Dashboard, and the shop's plan",
  "access-throttled": "Shopify limits the app's requests",
  "access-throttled.advice": "run this again when the shop is less busy",
  "access-unauthorized": "Shopify doesn't accept the app's access token",
  "access-unauthorized.advice": "open the app once in the shop's admin",
  "access-unavailable": "Shopify can't be reached",
  "access-unavailable.advice":
    "check that this machine can reach myshopify.com, and check Shopify's status page",
  "access-unreadable": "the shop's access token can't be decrypted",
  "access-unreadable.advice": "set DATA_KEY to the key that encrypted the shop's access token",
  "api-version": "Shopify supports API version {version}",
  "api-version-unsupported": "Shopify does not support API version {version}",
  "api-version-unsupported.advice": "update Holdfast to a version that uses a supported API version",
  checkout: "the app may refuse blocked buyers at the checkout",
  "checkout-list":
    "block list at the checkout: entries {count}, size {bytes} of {limit} bytes, updated {time}",
  "checkout-list-empty":
    "the checkout has no block list: it can compare no entry, or no payment method is to be hidden",
  "checkout-list-not-deployed":
    "the checkout doesn't have the current block list: the app's function isn't deployed",
  "checkout-list-not-deployed.advice":
    "run `shopify app deploy` with the extensions, and release the version",
  "checkout-list-not-granted":
    "the checkout doesn't have the current block list: the app lacks the permission",
  "checkout-list-not-granted.advice":
    "grant the permission here; if it isn't offered, run `shopify app deploy` first",
  "checkout-list-pending": "the checkout doesn't have the current block list yet",
  "checkout-list-pending.advice": "check again in two minutes; if nothing changed by then, read the log",
  "checkout-list-plan":
    "the checkout doesn't have the current block list: a custom app may do this only on Shopify Plus",
  "checkout-list-plan.advice": "in the policy, set “Blocked buyers at the checkout” to “Let them order”",
  "checkout-list-too-many":
    "the checkout doesn't have the current block list: the shop has as many active checkout rules as Shopify allows",
  "checkout-list-too-many.advice": "turn off a checkout rule in Shopify",
  "checkout-list-turned-off": "somebody turned the block list at the checkout off in Shopify",
  "checkout-list-turned-off.advice":
    "turn it on again in Shopify's settings, or set “Blocked buyers at the checkout” to “Let them order” in the policy",
  "checkout-list-watching": "the checkout has no block list while the policy only watches",
  "checkout-off":
    "optional: with {scope}, the checkout can refuse buyers on the block list, if the policy says so",
  "checkout-payments": "the app may hide payment methods from blocked buyers",
  "checkout-payments-off":
    "optional: with {scope}, the checkout can ask buyers on the block list for another payment, if the policy says so",
  disputes: "the shop's disputes arrive",
  "disputes-off":
    "optional: with {scope}, the report shows what fraud passed, and an order that a bank asks about stops shipping",
  "disputes-unsubscribed": "granted, but not subscribed to {missing}",
  "disputes-unsubscribed.advice": "revoke the scope and grant it again in the app's setup",
  "no-access": "can't be checked without access",
  "older-orders": "Shopify shows orders of any age",
  "older-orders-hidden":
    "optional: without {scope}, Shopify hides orders from day 60 on. Holds end by day 59, an older order can't be canceled, and a bank's question about one may not stop it",
  "older-orders-unrequested":
    "optional: without {scope}, Shopify hides orders from day 60 on. Holds end by day 59, an older order can't be canceled, and a bank's question about one may not stop it",
  "older-orders-unrequested.advice":
    "request access to all orders in the Partner Dashboard; once Shopify approves it, add {scope} to optional_scopes in shopify.app.toml and run `shopify app deploy`",
  "personal-data": "Shopify shows customer data on all {orders} orders checked",
  "personal-data-hidden": "Shopify hides names, addresses, or email addresses from the app",
  "personal-data-hidden.advice":
    "request access to protected customer data, level 2, in the Partner Dashboard",
  "personal-data-no-orders": "the shop has no recent order to check",
  "personal-data-unread": "couldn't read orders ({code})",
  "personal-data-unread.advice": "check that the scopes are granted, then run this again",
  "platform-silent": "The platform didn't respond.",
  "platform-silent.advice": "Check again in a minute.",
  scopes: "all required scopes are granted",
  "scopes-missing": "not granted: {missing}",
  "scopes-missing-goods":
    "not granted: {missing}: goods at a fulfillment service are hidden, and ship although the order is on hold",
  "scopes-missing-goods.advice":
    "run `shopify app deploy`, then open the app in the shop and grant the scopes",
  "scopes-missing.advice": "run `shopify app deploy`, then open the app in the shop and grant the scopes",
  "step-mode": "Version {version} of your policy is in use.",
  "step-mode-none": "No policy is saved yet. Until you choose, orders are tagged and held, never canceled.",
  "step-order": "Holdfast is deciding orders.",
  "step-order-none": "No orders yet. Send a sandbox order to see how it works.",
  "step-order-sandbox": "Holdfast decided a sandbox order.",
  "step-platform": "Connected.",
  "step-platform-none": "No platform connection needed.",
  "step-platform-uninstalled": "The app is uninstalled. Install it again.",
  "step-service-none":
    "No service key is set. Until then, the local engine checks every order; it can hold but never cancels.",
  "step-service-own": "Orders are checked with your own key.",
  "step-service-plan":
    "Choose a plan, or add your own key. Until then, the local engine checks every order; it can hold but never cancels.",
  "step-service-shared": "Orders are checked with this installation's key.",
} as const;

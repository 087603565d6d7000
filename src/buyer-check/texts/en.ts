/** English texts of the buyer's page and message. They decide which texts there are. */
export const TEXTS = {
  title: "Is this order yours?",
  intro: "{shop} received this order and waits for your answer before it ships.",
  order: "Order {name}",
  items: "Items",
  "more-items": "And {count} more",
  "nothing-secret": "We never ask for a password or a card number here.",
  "gone-title": "This link no longer works",
  gone: "A link works once, and only for a while. If you have a question about an order, contact the shop.",
  "thanks-title": "Thank you",
  thanks: "{shop} has your answer. You can close this page.",
  "too-many-title": "Too many attempts",
  "too-many": "Wait a while, then open the link again.",
  "try-again": "That didn’t work. Check your answer, and try again.",
  "choose-one": "Choose one of the answers.",
  "mail-subject": "{shop}: is order {name} yours?",
  "mail-intro": "{shop} received order {name} and waits for your answer before it ships.",
  "mail-open": "Open this page to confirm the order, or to say that it isn’t yours:",
  "mail-once": "The link works once, until {until} (UTC). Don’t forward it.",
  "mail-not-you":
    "If you didn’t order anything, open the page and say so. Then the order stays on hold until a person at the shop has looked at it.",
  // earlier-address
  "earlier-title": "Did you place this order?",
  "earlier-text": "We ask you here because an earlier order of yours used this address.",
  "earlier-yes": "Yes, I placed this order",
  "earlier-no": "No, this isn’t my order",
} as const;

export type BuyerTextKey = keyof typeof TEXTS;
/** The texts for buyers, in one language. */
export type BuyerTexts = Readonly<Record<BuyerTextKey, string>>;

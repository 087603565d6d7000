/** Disputes: evidence for banks, deadlines, and a month's share. */
export const TEXTS = {
  "access-log": "Activity log",
  "by-month-end": "Expected by the end of the month",
  changed: "The evidence changed while you read it. Nothing was saved. This is what would be saved now.",
  communication: "Messages with the buyer",
  "communication-hint":
    "Paste them here. Shopify doesn’t share them with apps. They aren’t saved in Holdfast.",
  "count-meter": "{expected} disputes expected; the limit is {limit}",
  email: "Email address",
  "exactly-this": "Exactly this will be saved in Shopify’s form. It isn’t submitted.",
  "first-name": "First name",
  "from-bank": "The buyer’s bank",
  "from-local": "Local engine",
  "from-person": "Your staff",
  "from-platform": "Your shop",
  "from-service": "Verification service",
  gauge: "Disputes this month",
  "gauge-lead":
    "Since {day}. Card networks act if a month exceeds both limits: {share} of orders and {count, number} disputes ({source, select, visa {Visa’s monitoring program VAMP, since April 2026} other {from your settings}}).",
  "keep-days": "Keep orders for disputes, in days",
  "keep-hint":
    "150 to 540 days; 400 are enough. Older orders are deleted. Empty: nothing is kept, and everything that was kept is deleted at once.",
  "keep-lead":
    "To show a bank that a buyer is a customer of yours, Visa wants two earlier orders. Holdfast can keep each order’s number, time, amount, goods, IP address, shipping address, email address and card brand, encrypted, and keyed digests of the card, the customer and the email address. Only orders from now on are kept. Name it in your privacy policy.",
  known: "What Holdfast knows",
  "last-name": "Last name",
  "limit-count": "Limit for the number of disputes",
  "limit-percent": "Enter a percentage above 0, such as 1.5, with a point.",
  "limit-share": "Limit for the share of orders, in percent",
  "limits-lead":
    "From which share and which number of disputes in a month your card network acts. Visa: 1.5% and 1,500, since April 2026.",
  missing: "What is missing, and where you find it",
  "not-kept":
    "Earlier orders aren’t kept in this shop. An owner can turn that on in the settings, for later disputes.",
  "off-deletes": "Saving this deletes everything that was kept, at once.",
  open: "Evidence",
  preview: "Preview the draft",
  range: "If it goes on like this: probably {low} to {high}",
  save: "Save as a draft in Shopify",
  "save-settings": "Save",
  saved: "Draft saved. Submit it in Shopify.",
  "settings-saved": "Dispute settings saved.",
  share: "Share of orders",
  "share-meter": "{share} of orders; the limit is {limit}",
  "share-of": "{count, plural, one {# dispute} other {# disputes}} over {orders, number} orders",
  "shipping-address": "Shipping address",
  statement: "Statement",
  stays: "Already filled in. It stays as it is.",
  tc40: "Visa also counts banks’ fraud reports (TC40), which Holdfast can’t see. Your real figure is higher: ask your payment provider.",
  title: "Evidence about {name}",
  "too-early": "Too early in the month to tell",
  "why-filled":
    "Every field in Shopify is already filled in, so there is nothing to save. Download the evidence instead.",
  "why-invalid": "Shopify refuses the text. Download the evidence instead.",
  "why-no-form": "This platform has no form that apps can fill in. Download the evidence instead.",
  "why-not-allowed": "The app may not write evidence in this shop. Download the evidence instead.",
  "why-past-due": "The bank’s deadline has passed.",
  "why-submitted": "Evidence was already submitted, or the dispute is over.",
  "why-unknown":
    "It isn’t a dispute of Shopify Payments. Download the evidence and upload it where you answer the dispute.",
  "you-submit":
    "Holdfast never sends anything to the bank. Read the evidence, then submit it in your shop. The texts are in English, for the bank.",
} as const;

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
  "thanks-without-file": "{shop} has your answer, but couldn’t keep the file. You can close this page.",
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
  // card-code
  "code-title": "Find the code on your card statement",
  "code-text":
    "A small amount is reserved on the card that paid for this order. It isn’t charged, and it’s released later. Look for it in your bank’s app or on your card statement: its text ends with a code of 6 letters. It can take a day or two to appear.",
  "code-label": "Code of 6 letters",
  "code-send": "Send the code",
  "code-missing": "Enter the code.",
  "code-wrong": "This isn’t the code. Copy the last 6 letters of the text on your statement.",
  // evidence
  "evidence-title": "Tell the shop about your order",
  "evidence-text":
    "Write a short note. If it helps, add a photo or a file, such as an earlier invoice. A person at the shop reads it. Don’t send a picture of a payment card, an ID card or a passport.",
  "evidence-note": "Your note",
  "evidence-file": "Photo or file (optional): JPEG, PNG, WebP, HEIC or PDF, up to 8 MB",
  "evidence-send": "Send to the shop",
  "say-something": "Write a note, or add a file.",
  "note-too-long":
    "The note is too long. Shorten it to 2,000 characters. If you added a file, choose it again.",
  "file-too-large":
    "The file is too large. Your note is still here: choose a file of at most 8 MB, or send only the note.",
  "file-type":
    "This kind of file can’t be sent. Your note is still here: choose a JPEG, PNG, WebP, HEIC or PDF file, or send only the note.",
  "upload-slow":
    "The upload took too long. Your note is still here: choose the file again, or a smaller one.",
  "upload-busy":
    "The shop is receiving other files right now. Your note is still here: choose the file again and send it in a minute.",
  "no-room": "The shop can’t take files right now. Your note is still here: send it without a file.",
  "not-now": "Your answer couldn’t be saved. Try again in a minute. If you added a file, choose it again.",
} as const;

export type BuyerTextKey = keyof typeof TEXTS;
/** The texts for buyers, in one language. */
export type BuyerTexts = Readonly<Record<BuyerTextKey, string>>;

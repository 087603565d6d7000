/** Asking an order's buyer whether it is theirs. */
export const TEXTS = {
  advice:
    "The buyer confirmed this order by their {method, select, earlier_address {earlier address} card_code {card statement} other {evidence}}",
  "advice-milder": "Look at it as one risk level milder",
  "advice-wrong": "The buyer said that this isn’t their order, or couldn’t confirm it",
  "any-word": "Any buyer’s answer",
  answer: "Answer",
  answered:
    "{answer, select, right {Confirmed the order} wrong {Said it isn’t theirs, or couldn’t confirm it} other {Sent something for a reviewer}} ({method, select, earlier_address {earlier address} card_code {code on the card statement} other {evidence}})",
  "buyer-answered": "Buyer answered",
  "buyer-asked": "Buyer asked",
  "buyer-confirmed": "Confirmed by the buyer, for a person to decide",
  "confirmed-reason": "The buyer confirmed the order",
  copied: "Link copied. Send it only to {address}",
  "copy-link": "Copy the buyer’s link",
  "from-buyer": "The buyer",
  "keep-addresses":
    "Keep the addresses of orders that went well as long as the orders, to ask later buyers there. Say so in your privacy policy",
  figure:
    "{figure, select, asked {Buyers asked} answered {Answered} right {Confirmed} released {Released} other {Charged back later}}",
  language: "Language if the buyer’s isn’t known",
  level: "Ask the buyer at this risk level: {level}",
  method:
    "{method, select, earlier_address {Earlier address} card_code {Code on the card statement} other {Evidence}}",
  "nobody-asked": "Nobody was asked: no way was possible",
  "not-offered": "Not offered",
  "not-sent": "Couldn’t be sent ({problem}). Copy the link instead",
  "of-order": "{address}, which order {order} used",
  "open-file":
    "{kind, select, heic {Save the file} pdf {Save the file} other {Show the picture}} ({kind}, {size, number} kB)",
  option:
    "{verify, select, none {Don’t ask the buyer} release {Ask the buyer, and release the hold after a right answer} other {Ask the buyer, and let a person decide}}",
  picture: "Picture that the buyer sent",
  retry: "Next try",
  sent: "Sent",
  "sent-to": "Link goes to",
  "shop-name": "Shop name for buyers",
  state:
    "{state, select, open {Waiting for the buyer’s answer} answered {The buyer answered} closed {The link no longer works} other {Nobody was asked}}",
  status: "Status",
  "the-buyer": "The buyer",
  "the-platforms-address": "Your address on the platform",
  title: "Ask the buyer",
  until: "Link works until",
  ways: "Ways to answer",
  "why-not":
    "{method, select, earlier_address {Earlier address} card_code {Code on the card statement} other {Evidence}}: {reason, select, not_chosen {your policy leaves it out} no_earlier_order {no earlier order of this customer counts} no_earlier_address {no earlier order’s address is kept} platform_cannot {the platform can’t} not_a_card {not paid by card} no_payment {no payment to use} not_configured {not set up} already_used {used before} several_cards {several cards were tried} card_not_saved {the card isn’t saved} storage_full {no room for more files} other {not possible now}}",
  with: "{what}. Asks the buyer: {verify, select, release {a right answer releases the hold} other {a person decides}}",
  word: "{word, select, asked {Buyer asked} right {Buyer confirmed} wrong {Buyer says it isn’t theirs} other {Buyer sent something}}",
  "word-label": "Buyer’s answer",
} as const;

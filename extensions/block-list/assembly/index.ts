// Refuses a checkout whose buyer is on the shop's block list. It doesn't judge risk: that's after the order.
// Whatever is odd, the buyer continues.

import { readBlockList } from "./block-list";
import { toMailbox, toPhone } from "./compared-texts";
import { Texts } from "./json";
import { toMessage } from "./messages";
import { readInput, writeOutput } from "./wasi";

const NOTHING = '{"operations":[]}';

/** The target `cart.validations.generate.run`. */
export function cart_validations_generate_run(): void {
  const input = readInput();
  writeOutput(input == null ? NOTHING : toOutput(new Texts(input)));
}

function toOutput(input: Texts): string {
  if (!input.complete) return NOTHING;
  // Only when the buyer pays: a message that appears while they type would say which detail is on the list.
  if (input.first("buyerJourney.step") != "CHECKOUT_COMPLETION") return NOTHING;
  if (!isBlocked(input)) return NOTHING;
  const message = toMessage(input.first("localization.language.isoCode"));
  return `{"operations":[{"validationAdd":{"errors":[{"message":"${message}","target":"$.cart"}]}}]}`;
}

const EMAILS = ["cart.buyerIdentity.email", "cart.buyerIdentity.customer.email"];
const PHONES = [
  "cart.buyerIdentity.phone",
  "cart.billingAddress.phone",
  "cart.deliveryGroups.deliveryAddress.phone",
];

/** The most values of a buyer that are compared: carts can have many delivery groups. */
const MOST_COMPARED = 20;

function isBlocked(input: Texts): bool {
  const list = readBlockList(input.first("validation.metafield.value"));
  if (list == null) return false;
  let compared = 0;
  for (let i = 0; i < EMAILS.length; i++) {
    const emails = input.all(EMAILS[i]);
    for (let j = 0; j < emails.length && compared < MOST_COMPARED; j++, compared++)
      if (list.has("velocity-mailbox", toMailbox(emails[j]))) return true;
  }
  for (let i = 0; i < PHONES.length; i++) {
    const phones = input.all(PHONES[i]);
    for (let j = 0; j < phones.length && compared < MOST_COMPARED; j++, compared++)
      if (list.has("velocity-phone", toPhone(phones[j]))) return true;
  }
  return false;
}

// The buyer in a function's input, compared with the block list. Both functions share it.

import { BlockList } from "./block-list";
import { toMailbox, toPhone } from "./compared-texts";
import { Texts } from "./json";

const EMAILS = ["cart.buyerIdentity.email", "cart.buyerIdentity.customer.email"];
const PHONES = [
  "cart.buyerIdentity.phone",
  "cart.billingAddress.phone",
  "cart.deliveryGroups.deliveryAddress.phone",
];

/** The most values of a buyer that are compared: carts can have many delivery groups. */
const MOST_COMPARED = 20;

/** Whether an input's buyer is on the list. */
export function isBlocked(input: Texts, list: BlockList): bool {
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

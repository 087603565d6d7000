// Refuses a checkout whose buyer is on the shop's block list. It doesn't judge risk: that's after the order.
// Whatever is odd, the buyer continues.

import { readBlockList } from "./block-list";
import { isBlocked } from "./buyer";
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
  const list = readBlockList(input.first("validation.metafield.value"));
  if (list == null || !isBlocked(input, list)) return NOTHING;
  const message = toMessage(input.first("localization.language.isoCode"));
  return `{"operations":[{"validationAdd":{"errors":[{"message":"${message}","target":"$.cart"}]}}]}`;
}

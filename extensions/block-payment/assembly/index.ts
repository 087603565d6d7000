// Hides payment methods from a buyer who is on the shop's block list. It doesn't judge risk: that's after the order.
// Whatever is odd, every method stays.

import { readBlockList } from "../../block-list/assembly/block-list";
import { isBlocked } from "../../block-list/assembly/buyer";
import { Texts } from "../../block-list/assembly/json";
import { readInput, writeOutput } from "../../block-list/assembly/wasi";
import { findHidden } from "./hidden-methods";

const NOTHING = '{"operations":[]}';

/** The target `cart.payment-methods.transform.run`. */
export function cart_payment_methods_transform_run(): void {
  const input = readInput();
  writeOutput(input == null ? NOTHING : toOutput(new Texts(input)));
}

function toOutput(input: Texts): string {
  if (!input.complete) return NOTHING;
  // The list as the other function has it, and on the lines below it the names: `toHiddenPaymentsText`.
  const lines = input.first("paymentCustomization.metafield.value").split("\n");
  const hidden = lines.slice(1);
  const ids = findHidden(input.all("paymentMethods.id"), input.all("paymentMethods.name"), hidden);
  // Digests take longer than names.
  if (ids.length == 0) return NOTHING;
  const list = readBlockList(lines[0]);
  if (list == null || !isBlocked(input, list)) return NOTHING;
  let operations = "";
  for (let i = 0; i < ids.length; i++)
    operations += (i == 0 ? "" : ",") + `{"paymentMethodHide":{"paymentMethodId":"${ids[i]}"}}`;
  return `{"operations":[${operations}]}`;
}

import type { Decision, EssentialFact, UncheckedCause } from "../order/decision.ts";

/** Why the service did not check an order, after "The verification service did not check this order: ". */
const CAUSES: Readonly<Partial<Record<UncheckedCause, string>>> = {
  TEST_ORDER: "it is a test order.",
  NO_EMAIL: "it has no email address.",
  NO_NAME: "it has no customer name.",
  NO_ADDRESS: "it has no address.",
  NO_AMOUNT: "it has no amount.",
  PERSONAL_DATA_NOT_GRANTED: "the platform doesn't share the customer's data.",
  ORDER_INVALID: "the order can't be sent.",
  VERIFICATION_REFUSED: "the service refused the order.",
  VERIFICATION_UNAUTHORIZED: "the service refused the API key.",
  VERIFICATION_FORBIDDEN: "the service refused the API key.",
  VERIFICATION_NO_CREDITS: "no credits are left.",
  VERIFICATION_RATE_LIMITED: "the service asked for a pause.",
  BUDGET_SPENT: "the credit budget is used up.",
  BURST_BRAKED: "too many orders came from one source within an hour.",
};
const NO_ANSWER = "the service did not answer.";

const MISSING: Readonly<Record<EssentialFact, string>> = {
  email: "no email address",
  name: "no customer name",
  address: "no complete address",
  detail: "less than half of the data that the local engine checks",
};

/**
 * The note beside an order's level, or instead of it: the service didn't check the order and why, or too little is
 * known to call its risk low. Null if there is nothing to add. No personal data, at most 256 characters.
 */
export function explainUnchecked({ unchecked, guess }: Pick<Decision, "unchecked" | "guess">): string | null {
  if (unchecked !== undefined) {
    return `The verification service did not check this order: ${CAUSES[unchecked] ?? NO_ANSWER}`;
  }
  if (guess === undefined) return null;
  const missing = guess.missing.map((fact) => MISSING[fact]).join(", ");
  return `Too little is known to call the risk low: ${missing}.`;
}

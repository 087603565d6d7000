import type { PaymentInfo } from "../../../src/index.ts";
import { toPaymentInfo } from "./payment.ts";

/** A payment as the Admin API tells it. Fields are null where a permission is missing. */
export interface Transaction {
  readonly kind: string;
  readonly status: string;
  readonly paymentDetails: {
    readonly __typename: string;
    readonly company?: string | null;
    readonly number?: string | null;
    readonly name?: string | null;
    readonly expirationMonth?: number | null;
    readonly expirationYear?: number | null;
  } | null;
}

const PAYING: ReadonlySet<string> = new Set(["AUTHORIZATION", "SALE", "EMV_AUTHORIZATION"]);
const WORKING: ReadonlySet<string> = new Set(["SUCCESS", "PENDING"]);

/** Facts of the card an order was paid with: the one that worked, else the first that was tried. */
export function toCardFacts(transactions: readonly (Transaction | null)[]): PaymentInfo | undefined {
  const cards = transactions.filter(
    (transaction) => transaction?.paymentDetails?.__typename === "CardPaymentDetails",
  );
  const paid = cards.find((card) => card !== null && PAYING.has(card.kind) && WORKING.has(card.status));
  const details = (paid ?? cards[0])?.paymentDetails;
  if (details == null) return undefined;
  // The same facts under the names of the REST payloads, so that there is one mapping of cards.
  return toPaymentInfo({
    payment_details: {
      credit_card_company: details.company,
      credit_card_number: details.number,
      credit_card_name: details.name,
      credit_card_expiration_month: details.expirationMonth,
      credit_card_expiration_year: details.expirationYear,
    },
  });
}

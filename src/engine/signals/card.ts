import { localPartFitsName, namesAgree } from "../text/names.ts";
import type { OrderFacts } from "../facts/order-facts.ts";
import { isDisputedByBank } from "../facts/payment-facts.ts";
import type { EvidenceGroup } from "./signal.ts";
import { say, type Sentence } from "./sentence.ts";
import { isNonsenseName } from "../text/nonsense-names.ts";
import { isGibberish, isOddName, toWords } from "../text/text-shape.ts";

/** Test cards from the documentation of payment providers: brand and last four digits. */
export const TEST_CARDS: ReadonlySet<string> = new Set([
  "visa 4242",
  "visa 1111",
  "visa 1881",
  "mastercard 4444",
  "mastercard 5100",
  "amex 0005",
  "amex 8431",
  "american express 0005",
  "american express 8431",
  "discover 1117",
  "discover 9424",
]);

/** What is odd about the name on the card; undefined if nothing is. */
function findHolderFault({ card, customerName }: OrderFacts): Sentence | undefined {
  const { holder = "" } = card;
  const words = toWords(holder);
  if (words.join("").length < 2) return say("The name on the card has fewer than two letters.");
  if (/\d/.test(holder)) return say("The name on the card has digits.");
  if (words[0] === "test") return say("The name on the card begins with a test word.");
  return words.some((word) => isGibberish(word) && !isOddName(word, customerName))
    ? say("The name on the card looks like random letters or keys in a row.")
    : undefined;
}

/** Cards are valid for five years, some for ten, but none for twenty. */
const FARTHEST_EXPIRY_MS = 20 * 366 * 86_400_000;

/**
 * Whether the card's holder is the customer or the customer's company; undefined if that can't be known. Cards are embossed
 * in Latin letters, so if the customer's name is in another script, the name in the email address is compared instead.
 */
export function holderAgrees({ card, customerName, companyName, email }: OrderFacts): boolean | undefined {
  if (card.holder === undefined || customerName === undefined) return undefined;
  if (companyName !== undefined && namesAgree(card.holder, companyName) === true) return true;
  const agrees = namesAgree(card.holder, customerName);
  if (agrees !== undefined || email === undefined) return agrees;
  return localPartFitsName(email.local, card.holder) === true ? true : undefined;
}

/** Signals from the card facts. The number itself is never seen. */
export const CARD_SIGNALS: EvidenceGroup = {
  name: "card",
  isKnown: ({ card, payment }) =>
    payment.avs !== undefined ||
    payment.hasWrongCvv ||
    card.holder !== undefined ||
    card.expiresAtMs !== undefined ||
    card.expiryImpossible ||
    card.lastFourDigits !== undefined,
  limitation: "The order has no card details.",
  signals: [
    {
      code: "CARD_EXPIRED",
      category: "technical",
      title: "Expired card",
      observe: ({ card, nowMs }) =>
        card.expiresAtMs !== undefined && card.expiresAtMs <= nowMs
          ? { points: 12, says: say("The card had expired when the order was placed.") }
          : null,
    },
    {
      code: "CARD_EXPIRY_ODD",
      category: "technical",
      title: "Impossible card expiry date",
      observe: ({ card, nowMs }) =>
        card.expiryImpossible || (card.expiresAtMs ?? 0) > nowMs + FARTHEST_EXPIRY_MS
          ? { points: 6, says: say("The expiry month doesn't exist or is decades ahead.") }
          : null,
    },
    {
      code: "HOLDER_NONSENSE",
      category: "customer",
      title: "Cardholder name that looks invented",
      observe: (facts) => {
        const says = facts.card.holder === undefined ? undefined : findHolderFault(facts);
        return says === undefined ? null : { points: 12, says };
      },
    },
    {
      code: "HOLDER_MISMATCH",
      category: "customer",
      title: "Different name on the card",
      observe: (facts) =>
        holderAgrees(facts) === false
          ? { points: 4, says: say("The name on the card doesn't match the customer's name.") }
          : null,
    },
    {
      code: "HOLDER_MATCH",
      category: "customer",
      title: "Cardholder is the customer",
      isClaim: true,
      observe: (facts) =>
        holderAgrees(facts) === true &&
        !isDisputedByBank(facts.payment) &&
        findHolderFault(facts) === undefined &&
        // A company's name on the card says nothing if the customer gives no company.
        !isNonsenseName(facts.customerName ?? "")
          ? { points: -6, says: say("the name on the card fits the customer's") }
          : null,
    },
    {
      code: "AVS_MISMATCH",
      category: "address",
      title: "Billing address not confirmed by the bank",
      observe: ({ payment }) =>
        payment.avs === "mismatch"
          ? {
              points: 12,
              needsCheck: true,
              says: say("The bank has neither this street nor this postal code on file."),
            }
          : null,
    },
    {
      code: "AVS_FOREIGN_BANK",
      category: "address",
      title: "Foreign card for a billing address in the United States",
      observe: ({ payment, billing }) =>
        payment.avs === "foreign" && billing?.country === "US"
          ? {
              points: 8,
              says: say(
                "The billing address is in the United States, and the card's bank is outside and doesn't verify it.",
              ),
            }
          : null,
    },
    {
      code: "AVS_MATCH",
      category: "address",
      title: "Bank confirms the billing address",
      observe: ({ payment }) =>
        payment.avs === "match" && !payment.hasWrongCvv
          ? { points: -5, says: say("the bank has the billing address on file") }
          : null,
    },
    {
      code: "CVV_MISMATCH",
      category: "technical",
      title: "Wrong card security code",
      observe: ({ payment }) =>
        payment.hasWrongCvv
          ? {
              points: 12,
              needsCheck: true,
              says: say("The bank says that the card's security code is wrong."),
            }
          : null,
    },
    {
      code: "DEVICE_WALLET",
      category: "technical",
      title: "Paid with a device wallet",
      observe: ({ payment }) =>
        payment.hasDeviceWallet && !isDisputedByBank(payment)
          ? { points: -3, says: say("the card was in a wallet of the customer's device") }
          : null,
    },
    {
      code: "CARD_CREDIT",
      category: "technical",
      title: "Credit or prepaid card",
      observe: ({ card }) =>
        /\b(?:credit|prepaid)\b/.test(card.brand ?? "")
          ? { points: 8, says: say("The card brand indicates a credit or prepaid card, not a debit card.") }
          : null,
    },
    {
      code: "CARD_DEBIT",
      category: "technical",
      title: "Debit card",
      observe: ({ card }) =>
        /\bdebit\b/.test(card.brand ?? "") ? { points: -5, says: say("the card is a debit card") } : null,
    },
    {
      code: "PUBLIC_TEST_CARD",
      category: "technical",
      title: "Published test card",
      testData: true,
      observe: ({ card }) =>
        TEST_CARDS.has(`${card.brand?.replace(/ ?(?:credit|debit|prepaid) ?/, "")} ${card.lastFourDigits}`)
          ? {
              points: 8,
              says: say(
                "The brand and last digits match a test card from a payment provider's documentation.",
              ),
            }
          : null,
    },
  ],
};

import type { OrderContext, PlatformRisk } from "../../order/order-context.ts";
import { readText, type PlainFields } from "./plain-order.ts";
import { REQUEST_LIMITS } from "../../order/request.ts";
import { toMeaningful } from "./place.ts";

/** Reports of the bank, the wallet and the platform about an order, nothing that the customer typed. */
export interface PaymentFacts {
  /**
   * The bank's check of the billing address. `foreign`: a bank outside the United States doesn't compare it. Undefined if it
   * wasn't asked, didn't answer or agrees in part.
   */
  readonly avs: "match" | "mismatch" | "foreign" | undefined;
  /** The card's security code was wrong. A correct one says nothing, because few shops accept an order without it. */
  readonly hasWrongCvv: boolean;
  /** A wallet that replaces the card number with a token of one device. */
  readonly hasDeviceWallet: boolean;
  readonly platformRisk: PlatformRisk | undefined;
  /** The platform says that a gift card is among the goods. */
  readonly sellsGiftCard: boolean;
}

/** The codes of all networks, by meaning. Codes for "in part", "not asked" and "no answer" are left out. */
const AVS_ANSWERS: ReadonlyMap<string | undefined, PaymentFacts["avs"]> = new Map([
  ["Y", "match"],
  ["X", "match"],
  ["F", "match"],
  ["N", "mismatch"],
  ["G", "foreign"],
]);
const CODE_LENGTH = 20;
/** Shop Pay and similar wallets store card numbers, so they don't count. */
const DEVICE_WALLETS: ReadonlySet<string | undefined> = new Set(["apple_pay", "google_pay", "android_pay"]);

export function toPaymentFacts(context: PlainFields): PaymentFacts {
  const read = (field: keyof OrderContext) => readText(context[field], CODE_LENGTH);
  const advice = read("platformRisk")?.toLowerCase();
  return {
    avs: AVS_ANSWERS.get(read("avs")?.toUpperCase()),
    hasWrongCvv: read("cvv")?.toUpperCase() === "N",
    hasDeviceWallet: DEVICE_WALLETS.has(read("wallet")?.toLowerCase()),
    platformRisk: advice === "accept" || advice === "investigate" || advice === "cancel" ? advice : undefined,
    sellsGiftCard: context["giftCard"] === true,
  };
}

/** Whether the bank has another address or security code. Typed data then earns no credit. */
export function isDisputedByBank({ avs, hasWrongCvv }: PaymentFacts): boolean {
  return avs === "mismatch" || hasWrongCvv;
}

/** Card facts, folded; the expiry as the first moment at which the card is invalid everywhere. */
export interface CardFacts {
  readonly brand: string | undefined;
  readonly lastFourDigits: string | undefined;
  readonly expiresAtMs: number | undefined;
  /** The expiry has the form of a date but an impossible month. */
  readonly expiryImpossible: boolean;
  readonly holder: string | undefined;
}

/** The last time zone on earth reaches the end of a month twelve hours after UTC. */
const LAST_ZONE_MS = 12 * 3_600_000;
/** What terminals and wallets print if the card has no name. */
const NO_HOLDER =
  /^(?:card ?(?:holder|member)|valued (?:customer|cardholder)|gift ?card|apple pay|google pay)$/;

export function toCardFacts(fields: PlainFields): CardFacts {
  const holder = toMeaningful(readText(fields["holderName"], REQUEST_LIMITS.holderName));
  // Some platforms mask the number themselves: "•••• 4242".
  const digits = /\d{4}$/.exec(readText(fields["lastFourDigits"], 25) ?? "")?.[0];
  const expiry = toExpiry(fields["expiry"]);
  return {
    brand: toMeaningful(readText(fields["brand"], 100)),
    lastFourDigits: digits,
    expiresAtMs: typeof expiry === "number" ? expiry : undefined,
    expiryImpossible: expiry === "impossible",
    holder: holder !== undefined && NO_HOLDER.test(holder) ? undefined : holder,
  };
}

/** Reads `MM/YY`, `MM/YYYY`, `MMYY` and `YYYY-MM`, with any of `/ - .` or a space between. */
function toExpiry(value: unknown): number | "impossible" | undefined {
  const text = readText(value, 20)?.replaceAll(/\s/g, "");
  const yearFirst = /^(\d{4})[-/.](\d{1,2})$/.exec(text ?? "");
  const monthFirst = /^(\d{1,2})[-/.]?(\d{4}|\d{2})$/.exec(text ?? "");
  const [year, month] =
    yearFirst === null ? [monthFirst?.[2], monthFirst?.[1]] : [yearFirst[1], yearFirst[2]];
  if (year === undefined || month === undefined) return undefined;
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  if (Number(month) < 1 || Number(month) > 12) return "impossible";
  // Month numbers start at 0, so this is the first day of the month after.
  return Date.UTC(fullYear, Number(month), 1) + LAST_ZONE_MS;
}

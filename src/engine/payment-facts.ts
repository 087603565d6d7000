import type { OrderContext, PlatformRisk } from "../order/order-context.ts";
import { readText } from "./read-fields.ts";
import type { PlainFields } from "./plain-order.ts";

/** What the bank, the wallet and the platform report about an order. Nothing that the customer typed. */
export interface PaymentFacts {
  /**
   * The bank's check of the billing address. `foreign`: a bank outside the United States doesn't compare it. Undefined
   * when it was not asked, did not answer, or agrees in part.
   */
  readonly avs: "match" | "mismatch" | "foreign" | undefined;
  /** The card's security code was wrong. That it was right says nothing: few shops take an order without it. */
  readonly hasWrongCvv: boolean;
  /** A wallet that replaces the card number by a token of one device. */
  readonly hasDeviceWallet: boolean;
  readonly platformRisk: PlatformRisk | undefined;
  /** The platform says that a gift card is among the goods. */
  readonly sellsGiftCard: boolean;
}

/** The codes of all networks that mean the same. Codes for "in part", "not asked" and "no answer" are left out. */
const AVS_ANSWERS: ReadonlyMap<string | undefined, PaymentFacts["avs"]> = new Map([
  ["Y", "match"],
  ["X", "match"],
  ["F", "match"],
  ["N", "mismatch"],
  ["G", "foreign"],
]);
const CODE_LENGTH = 20;
/** Shop Pay and the like keep card numbers, and are wallets of the shop's. */
const DEVICE_WALLETS: ReadonlySet<string | undefined> = new Set(["apple_pay", "google_pay", "android_pay"]);

/** Read the part of an order's context that the engine has signals for. */
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

/** Whether the bank knows another address or security code: what the customer typed then earns nothing. */
export function isDisputedByBank({ avs, hasWrongCvv }: PaymentFacts): boolean {
  return avs === "mismatch" || hasWrongCvv;
}

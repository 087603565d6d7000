import { BUYER_CHECK_METHODS, type BuyerCheckMethod, type UnofferedReason } from "../order/buyer-check.ts";
import type { OfferedMethods, Recipient } from "../store/buyer-checks/buyer-check.ts";
import type { Store } from "../store/store.ts";
import { isEmailAddress, type AlertsConfig } from "../alerts/alert-config.ts";
import { toKnownNow } from "../platform/platform.ts";
import { createCardCode } from "./card-code.ts";
import { createEarlierAddress } from "./earlier-address.ts";
import { createEvidence } from "./evidence.ts";
import { createLinkSender, type LinkSender, type LinkSenderOptions } from "./link-sender.ts";
import type { AskedOrder, BuyerMethod, Offer } from "./method.ts";

/** How this app asks buyers. */
export interface BuyerAsking {
  /** In the order of the buyer's page. */
  readonly methods: readonly BuyerMethod[];
  readonly sender: LinkSender;
}

/** Nobody can be asked: there is no address for the link. */
export const NO_ASKING: BuyerAsking = { methods: [], sender: createLinkSender({ publicUrl: undefined }) };

/** What asking buyers needs of the app and its configuration. */
export interface BuyerAskingOptions extends Pick<LinkSenderOptions, "publicUrl" | "dispatcher"> {
  readonly store: Store;
  readonly alerts?: AlertsConfig | undefined;
  readonly buyerWebhook?: LinkSenderOptions["webhook"];
}

export function createBuyerAsking({
  store,
  alerts,
  buyerWebhook,
  ...options
}: BuyerAskingOptions): BuyerAsking {
  const sender = createLinkSender({ ...options, mail: alerts?.email, webhook: buyerWebhook });
  return { methods: [createEarlierAddress(store), createCardCode(store), createEvidence(store)], sender };
}

/** In which ways a buyer can be asked, and where the link goes. */
export interface Question {
  readonly methods: OfferedMethods;
  /** Null: there is no address. A reviewer can still copy the link, if a method is offered. */
  readonly recipient: Recipient | null;
  /** `false`: an answer at that address never releases the hold. */
  readonly isStrong: boolean;
}

/** Ask each method that the policy chooses whether it's possible for the order. */
export async function toQuestion({ methods, sender }: BuyerAsking, asked: AskedOrder): Promise<Question> {
  const offers = new Map<BuyerCheckMethod, Offer>();
  for (const method of methods) {
    if (asked.policy.verify.methods.includes(method.name))
      offers.set(method.name, sender.publicUrl === undefined ? NOT_CONFIGURED : await method.offer(asked));
  }
  const named = [...offers.values()].find((offer) => offer.possible && offer.recipient !== undefined);
  const recipient = named?.possible === true ? (named.recipient ?? null) : toOwnAddress(asked);
  const toOffered = (name: BuyerCheckMethod): true | UnofferedReason => {
    if (!asked.policy.verify.methods.includes(name)) return "not-chosen";
    const offer = offers.get(name) ?? NOT_CONFIGURED;
    return offer.possible || offer.reason;
  };
  const all = BUYER_CHECK_METHODS.map((name) => [name, toOffered(name)] as const);
  const isStrong = named?.possible !== true || named.isWeak !== true;
  return { methods: Object.fromEntries(all) as OfferedMethods, recipient, isStrong };
}

const NOT_CONFIGURED: Offer = { possible: false, reason: "not-configured" };

/** The address that came with the order: good enough where the answer itself proves something. */
function toOwnAddress({ order: { mapped } }: AskedOrder): Recipient | null {
  const address = mapped === null ? undefined : toKnownNow(mapped).customerEmail;
  return address === undefined || !isEmailAddress(address) ? null : { kind: "email", address };
}

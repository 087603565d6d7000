import { toPlainIp } from "../../order/ip-address.ts";
import { findMainItem, type OrderFacts } from "../facts/order-facts.ts";
import type { Manner } from "./manner.ts";
import type { TenantDigest } from "./tenant-digest.ts";

/** What is counted of an order for its shop. Nothing here recognizes a customer. */
export interface ShopKeys {
  /** Upper case; undefined if the amount or the currency isn't known. */
  readonly currency: string | undefined;
  /** The amount, as one of {@link toAmountStep}'s steps. */
  readonly step: number;
  /** Digests of what many orders share: the most valuable article, the card's issuer, the provider's network. */
  readonly goods: string | undefined;
  readonly bin: string | undefined;
  readonly network: string | undefined;
  /** The customer has a history that the order fits. */
  readonly isKnown: boolean;
}

/** Four steps double the amount: a step is 19 % wide, finer than any rule needs. */
const STEPS_PER_DOUBLING = 4;
const STEP_LIMITS = { least: -40, most: 160 } as const;
/** Enough to tell a shop's articles apart. */
const DIGEST_LENGTH = 12;
/** The first digits name the issuer and the kind of card. */
const BIN_DIGITS = 6;

/** The step of an amount: the same for amounts within 19 %. */
export function toAmountStep(amount: number): number {
  const step = Math.floor(Math.log2(amount) * STEPS_PER_DOUBLING);
  return Math.min(STEP_LIMITS.most, Math.max(STEP_LIMITS.least, step));
}

/** The largest amount of a step. */
export function toTopOfStep(step: number): number {
  return 2 ** ((step + 1) / STEPS_PER_DOUBLING);
}

/** What to count of an order. `ip`, `bin`: as the platform gave them. */
export function toShopKeys(
  facts: OrderFacts,
  given: {
    readonly ip: string | undefined;
    readonly bin: string | undefined;
    readonly manner: Manner | undefined;
  },
  digest: TenantDigest,
): ShopKeys {
  const { amount, currency } = facts;
  const make = (kind: string, text: string | undefined): string | undefined =>
    text === undefined ? undefined : digest(`velocity-${kind}`, text).slice(0, DIGEST_LENGTH);
  return {
    currency: amount === undefined ? undefined : currency,
    step: amount === undefined ? 0 : toAmountStep(amount),
    goods: make("goods", findMainItem(facts)?.name),
    bin: make("bin", /^\d{6}/.exec(given.bin ?? "")?.[0].slice(0, BIN_DIGITS)),
    network: make("provider", toProvidersNetwork(given.ip, facts)),
    isKnown: given.manner === "known" || given.manner === "knownAway",
  };
}

/** The /16 of an IPv4 address, the /32 of an IPv6 address. Not a relay's or the shop's own. */
function toProvidersNetwork(ip: string | undefined, { ip: facts }: OrderFacts): string | undefined {
  if (ip === undefined || facts === undefined || facts.fault !== undefined || facts.network === "shared")
    return undefined;
  const plain = toPlainIp(ip);
  if (plain === undefined) return undefined;
  const parts = plain.includes(":") ? plain.toLowerCase().split(":") : plain.split(".");
  return parts.slice(0, 2).join(".");
}

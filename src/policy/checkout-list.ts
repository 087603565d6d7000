import { createHmac } from "node:crypto";
import { toLinkKeys, type LinkKeys } from "../engine/velocity/keys.ts";
import type { PartialVerificationRequest } from "../order/request.ts";
import type { CheckoutLists } from "../platform/platform.ts";
import { toCurrent, type ListEntry } from "./lists.ts";
import type { Policy } from "./policy.ts";

/** The version of the list's text. The platform's part refuses others, and then lets every buyer continue. */
const VERSION = "1";

/**
 * 48 bits. With 1,000 entries and 4 compared values, two different texts have the same digest in one of 70 billion
 * checkouts.
 */
export const CHECKOUT_DIGEST_LENGTH = 8;

/**
 * The part that runs on the platform can't fold other texts in the same way, and knows no cards and networks. It leaves out
 * addresses too: a wrong match would turn a neighbor away.
 */
const COMPARED: Readonly<Record<string, RegExp>> = {
  "velocity-mailbox": /^[\x21-\x7e]+$/,
  "velocity-phone": /^\d+$/,
};

/** What platforms hand to their part at most, in bytes. */
export const CHECKOUT_LIST_BYTES = 10_000;

interface KeySource {
  sharedKey(tenant: string, purpose: string): string;
}

/** The key of a tenant's digests that its checkout knows. No other digest is made with it. */
export function toCheckoutKey(keyring: KeySource, tenant: string): string {
  return keyring.sharedKey(tenant, "checkout");
}

/** Digests of what a checkout can compare of an order's buyer. */
export function toCheckoutKeys(order: PartialVerificationRequest, key: string): Partial<LinkKeys> {
  const digest = (purpose: string, text: string): string =>
    COMPARED[purpose]?.test(text) === true && !isPlaceholder(text)
      ? toCheckoutDigest(key, purpose, text)
      : "";
  const made = Object.entries(toLinkKeys(order, digest)).filter(([, one]) => one !== undefined && one !== "");
  return Object.fromEntries(made);
}

/** The fewest different digits of a phone number that somebody didn't just type to fill in the field. */
const FEWEST_DIFFERENT = 4;
const SEQUENCES = ["01234567890123456789", "98765432109876543210"] as const;

/** Digits that many people type instead of their number, as in `000-000-0000`. Refusing them would turn strangers away. */
function isPlaceholder(text: string): boolean {
  if (!/^\d+$/.test(text)) return false;
  return new Set(text).size < FEWEST_DIFFERENT || SEQUENCES.some((sequence) => sequence.includes(text));
}

function toCheckoutDigest(key: string, purpose: string, text: string): string {
  return createHmac("sha256", key)
    .update(`${purpose}\0${text}`)
    .digest("base64url")
    .slice(0, CHECKOUT_DIGEST_LENGTH);
}

/** What a checkout should do with blocked buyers, each as the text that the platform's part reads. */
export function toCheckoutLists(policy: Policy, key: string, nowMs: number): CheckoutLists {
  const list = toCheckoutListText(policy, key, nowMs);
  if (policy.blockedAtCheckout !== "another-payment") return { refuse: list, hidePayments: null };
  return { refuse: null, hidePayments: list === null ? null : toHiddenPaymentsText(list, policy) };
}

/** The list on the first line, and a name on each line below it. Null: no payment is hidden. */
function toHiddenPaymentsText(list: string, { hiddenPayments }: Policy): string | null {
  if (hiddenPayments.length === 0) return null;
  return [list, ...hiddenPayments.map((name) => name.replaceAll(/\p{Cc}/gu, " ").trim())].join("\n");
}

/**
 * The list that a checkout recognizes buyers by, as text: version, key and digests. Null: it recognizes nobody. It has the
 * current entries of the block list that it can compare; that a buyer is trusted too changes nothing, as for orders.
 */
export function toCheckoutListText(policy: Policy, key: string, nowMs: number): string | null {
  if (policy.blockedAtCheckout === "nothing" || policy.mode === "shadow") return null;
  const digests = toCompared(toCurrent(policy.lists, nowMs));
  return digests.length === 0 ? null : [VERSION, key, digests.join("")].join(".");
}

/** How many entries a list's text has. */
export function countCheckoutEntries(text: string): number {
  const [list = ""] = text.split("\n");
  return (list.split(".")[2] ?? "").length / CHECKOUT_DIGEST_LENGTH;
}

/** The digests of blocked buyers, each once. Sorted, so that the order in which they were blocked changes nothing. */
function toCompared(lists: readonly ListEntry[]): readonly string[] {
  const made = lists.flatMap(({ list, checkout }) =>
    list === "block" && checkout !== undefined ? [checkout] : [],
  );
  return [...new Set(made)].toSorted();
}

import { createHash } from "node:crypto";
import { CHECKOUT_STATES, type CheckoutLists, type CheckoutState } from "../../platform/platform.ts";
import {
  CHECKOUT_LIST_BYTES,
  countCheckoutEntries,
  toCheckoutKey,
  toCheckoutLists,
} from "../../policy/checkout-list.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { PipelineParts } from "../tasks.ts";

/** A digest of the list that a tenant's checkout has; 0 for none. No cursor: it never had one. */
export const LIST_CURSOR = "checkout-list";
/** When the checkout got that list, milliseconds since the epoch. */
export const APPLIED_CURSOR = "checkout-applied";

type StateParts = Pick<PipelineParts, "store" | "policyOf">;

/** What a tenant's checkout should have, and what it has. */
export interface Compared {
  readonly lists: CheckoutLists;
  /** What the cursor is once the checkout has them. 0: neither list is wanted. */
  readonly wanted: number;
  /** What it is now. */
  readonly kept: number;
}

export async function compareWithCheckout(
  { store, policyOf }: StateParts,
  tenant: TenantId,
  { installedAtMs, nowMs }: { readonly installedAtMs: number; readonly nowMs: number },
): Promise<Compared> {
  const { policy } = await policyOf(tenant);
  const lists = toCheckoutLists(policy, toCheckoutKey(store.keyring, tenant), nowMs);
  const { refuse, hidePayments } = lists;
  // Platforms forget lists when the app is uninstalled, so each installation needs its own.
  const isNothing = refuse === null && hidePayments === null;
  const wanted = isNothing ? 0 : toNumber(`${installedAtMs}\0${refuse ?? ""}\0${hidePayments ?? ""}`);
  return { lists, wanted, kept: (await store.cursors.load(tenant, LIST_CURSOR)) ?? 0 };
}

/** 48 bits of a digest, never 0. */
function toNumber(text: string): number {
  return createHash("sha256").update(text).digest().readUIntBE(0, 6) || 1;
}

/** Each problem is an incident of its own, so that a second one isn't taken for the first. */
export function toCheckoutIncident(state: CheckoutState): string {
  return `checkout_list_not_applied:${state}`;
}

/** What a person is shown about a shop's checkout. */
export type CheckoutListState =
  /** The policy does nothing there. */
  | { readonly kind: "unused" }
  /** The policy only watches. */
  | { readonly kind: "watching" }
  /** No entry can be compared there, or no payment is to be hidden. */
  | { readonly kind: "empty" }
  /** The checkout doesn't have what it should yet. */
  | { readonly kind: "pending" }
  /** It can't have it. */
  | { readonly kind: "problem"; readonly problem: CheckoutProblem }
  | {
      readonly kind: "applied";
      readonly entries: number;
      readonly bytes: number;
      readonly limit: number;
      readonly sinceMs: number;
    };
export type CheckoutProblem = Exclude<CheckoutState, "applied" | "open">;

/** Read what an installed shop's checkout has. Calls no platform. */
export async function readCheckoutListState(
  parts: StateParts,
  tenant: TenantId,
  about: { readonly installedAtMs: number; readonly nowMs: number },
): Promise<CheckoutListState> {
  const { store, policyOf } = parts;
  const names = CHECKOUT_STATES.map(toCheckoutIncident);
  const [compared, incidents, appliedAtMs] = await Promise.all([
    compareWithCheckout(parts, tenant, about),
    store.incidents.listOpen(tenant, names),
    store.cursors.load(tenant, APPLIED_CURSOR),
  ]);
  const { lists, wanted, kept } = compared;
  const problem = CHECKOUT_STATES.find((state) => incidents.includes(toCheckoutIncident(state)));
  if (wanted !== kept) {
    const isKnown = problem !== undefined && problem !== "applied" && problem !== "open";
    return isKnown ? { kind: "problem", problem } : { kind: "pending" };
  }
  const list = lists.refuse ?? lists.hidePayments ?? null;
  if (list !== null) {
    const [entries, bytes] = [countCheckoutEntries(list), Buffer.byteLength(list)];
    return { kind: "applied", entries, bytes, limit: CHECKOUT_LIST_BYTES, sinceMs: appliedAtMs ?? 0 };
  }
  const { policy } = await policyOf(tenant);
  if (policy.blockedAtCheckout === "nothing") return { kind: "unused" };
  return { kind: policy.mode === "shadow" ? "watching" : "empty" };
}

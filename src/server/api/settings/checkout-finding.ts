import {
  readCheckoutListState,
  type CheckoutListState,
} from "../../../pipeline/chores/checkout-list-state.ts";
import { toIso } from "../../../base/iso-time.ts";
import { describeFinding } from "../../../platform/findings.ts";
import type { Finding } from "../../../platform/platform.ts";
import type { TenantRecord } from "../../../store/store.ts";
import type { ServerParts } from "../../parts/server-parts.ts";

const PROBLEMS = {
  "not-granted": describeFinding("checkout-list-not-granted"),
  "not-deployed": describeFinding("checkout-list-not-deployed"),
  plan: describeFinding("checkout-list-plan"),
  "too-many": describeFinding("checkout-list-too-many"),
  "turned-off": describeFinding("checkout-list-turned-off"),
};

/** What a shop's checkout has of the block list. Nothing where the policy does nothing there, and where nothing can be done. */
export async function findAtCheckout(
  parts: ServerParts,
  kept: TenantRecord | null,
): Promise<readonly Finding[]> {
  const platform = parts.platforms.find(({ name }) => name === kept?.platform);
  if (platform?.applyAtCheckout === undefined || kept?.state !== "installed") return [];
  const { tenant, installedAtMs } = kept;
  const state = await readCheckoutListState(parts, tenant, { installedAtMs, nowMs: parts.now() });
  const said = describeCheckoutList(state);
  return said === null ? [] : [{ id: `${platform.name}.checkout-list`, ...said }];
}

/** Null: there is nothing to say. */
export function describeCheckoutList(state: CheckoutListState): Omit<Finding, "id"> | null {
  if (state.kind === "unused") return null;
  if (state.kind === "problem") return { status: "warning", ...PROBLEMS[state.problem] };
  if (state.kind === "pending") return { status: "warning", ...describeFinding("checkout-list-pending") };
  if (state.kind === "watching") return { status: "skipped", ...describeFinding("checkout-list-watching") };
  if (state.kind === "empty") return { status: "ok", ...describeFinding("checkout-list-empty") };
  const { entries, bytes, limit, sinceMs } = state;
  const params = { count: entries, bytes, limit, time: toIso(sinceMs) };
  return { status: "ok", ...describeFinding("checkout-list", params) };
}

import type { BuyerCheckMethod } from "../../order/buyer-check.ts";
import type { BuyerCheck, OfferedMethods } from "../../store/buyer-checks/buyer-check.ts";
import type { Situation } from "../order-life/situation.ts";
import type { OrderTask } from "../tasks.ts";

/** Pauses before methods are tried again that weren't possible for now. After the last, a person decides without them. */
const PAUSES_MS = [5 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000] as const;

/** Begin each offered method that didn't begin yet. One that can't is no longer offered, but maybe tried again later. */
export async function beginMethods(
  { buyers, platform, signal, now }: OrderTask,
  { order, policy }: Situation,
  check: BuyerCheck,
): Promise<Pick<BuyerCheck, "methods" | "kept" | "retryAtMs">> {
  const methods = { ...check.methods };
  const kept: Partial<Record<BuyerCheckMethod, unknown>> = { ...check.kept };
  for (const method of buyers.methods) {
    const { name } = method;
    if (methods[name] !== true || method.begin === undefined || kept[name] !== undefined) continue;
    const asked = { order, policy, platform, signal, nowMs: now() };
    const beginning = await method.begin(asked, check.checkId);
    if (beginning.outcome === "begun") kept[name] = beginning.kept;
    else methods[name] = beginning.reason;
  }
  return { methods, kept, retryAtMs: check.retryAtMs ?? toRetryMs(methods, check, now()) };
}

/** When to try again what wasn't possible for now; null if nothing is left to try in time. */
export function toRetryMs(
  methods: OfferedMethods,
  { retries, expiresAtMs }: Pick<BuyerCheck, "retries" | "expiresAtMs">,
  nowMs: number,
): number | null {
  const pauseMs = PAUSES_MS[retries];
  if (pauseMs === undefined || !Object.values(methods).includes("try-again-later")) return null;
  return nowMs + pauseMs < expiresAtMs ? nowMs + pauseMs : null;
}

import { equal, fail, ok } from "node:assert/strict";
import { isHoldfastError } from "../base/errors.ts";
import type { EnforcementStep } from "../platform/enforcement-step.ts";
import type { AdapterCheck, AdapterUnderTest, NamedCheck, Deprivation } from "./adapter-under-test.ts";
import { toStepTarget } from "./enforcement-cases.ts";

type Call = (adapter: AdapterUnderTest, orderId: string) => Promise<unknown>;

const STEPS: readonly EnforcementStep[] = ["assess", "tag", "untag", "hold", "release", "capture", "cancel"];

/** Every call that reaches the platform and may fail. */
const CALLS: readonly (readonly [name: string, call: Call])[] = [
  ["observe", ({ platform, tenant }, orderId) => platform.observe(tenant, orderId)],
  ["readOrder", ({ platform, tenant }, orderId) => platform.readOrder(tenant, orderId)],
  ["recentOrders", ({ platform, tenant }) => platform.recentOrders(tenant, { sinceMs: Date.now() - 60_000 })],
  ...STEPS.map((step): readonly [string, Call] => [
    step,
    (adapter, orderId) => adapter.platform.enforce(step, toStepTarget(adapter, step, orderId)),
  ]),
];

const CONNECTED = "expected a platform that can lose its connection";

/** Cases for how the adapter fails. */
export const FAILURE_CHECKS: Readonly<Record<string, AdapterCheck>> = {
  ...Object.fromEntries(
    CALLS.map(([name, call]): NamedCheck => [
      `reports that ${name} may work later when there is no connection`,
      async (adapter) => {
        const error = (await failWithout("connection", adapter, call)) ?? fail(CONNECTED);
        ok(error.code.startsWith("PLATFORM_"), `expected a PLATFORM_ code, got ${error.code}`);
        equal(error.retryable, true);
        const { retryAtMs } = error;
        ok(retryAtMs === undefined || Number.isFinite(retryAtMs), "expected retryAtMs to be a time, if any");
      },
    ]),
  ),
  ...Object.fromEntries(
    CALLS.map(([name, call]): NamedCheck => [
      `reports that access is missing for ${name}`,
      async (adapter) => {
        const error = await failWithout("access", adapter, call);
        if (error !== null) equal(error.code, "PLATFORM_UNAUTHORIZED");
      },
    ]),
  ),
  "works again once it has its connection back": async (adapter) => {
    const { orderId } = await adapter.placeOrder();
    const giveBack = await adapter.deprive("connection");
    await adapter.platform.observe(adapter.tenant, orderId).catch(() => undefined);
    ok(giveBack !== null, CONNECTED);
    giveBack();
    await adapter.passTime?.(60_000);
    ok((await adapter.platform.observe(adapter.tenant, orderId)) !== null, "expected the order to be there");
  },
  "gives up when its signal fires": async (adapter) => {
    const { platform, tenant } = adapter;
    const { orderId } = await adapter.placeOrder();
    const signal = AbortSignal.abort();
    await platform.observe(tenant, orderId, { signal }).then(
      () => fail("expected a call to end with its signal"),
      () => undefined,
    );
  },
  "shows no order to a tenant of another platform": async (adapter) => {
    const { orderId } = await adapter.placeOrder();
    const stranger = "holdfast-contract:stranger";
    // An error or null is fine, as long as no other tenant's order is shown.
    const seen = await adapter.platform.observe(stranger, orderId).catch(() => null);
    equal(seen, null);
  },
  "can be closed twice": async ({ platform }) => {
    await platform.close();
    await platform.close();
  },
};

/** The error of a call; null if the platform can't be deprived of this. */
async function failWithout(what: Deprivation, adapter: AdapterUnderTest, call: Call) {
  const { orderId } = await adapter.placeOrder();
  const giveBack = await adapter.deprive(what);
  if (giveBack === null) return null;
  try {
    await call(adapter, orderId);
  } catch (error) {
    if (isHoldfastError(error)) return error;
    return fail(`expected a HoldfastError, got ${error instanceof Error ? error.name : typeof error}`);
  } finally {
    giveBack();
  }
  return fail(`expected an error without ${what}`);
}

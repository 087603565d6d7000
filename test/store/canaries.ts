import { expect } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { attempt, claim, decision, delivery, entry, mapped, order, result, T0, TENANT } from "./samples.ts";

/** Values that must be readable nowhere in a database. */
export const CANARIES = {
  name: "Canary Nightingale",
  email: "Canary.Wren@shop.example",
  customer: "canary-customer-4711",
  reasoning: "canary reasoning about a person",
  body: "canary body of a webhook",
  secret: "canary-token",
  policy: "canary-policy-of-a-person",
  report: "canary report of a person",
  view: "Canary view of a person",
  notices: "canary.notices@shop.example",
};

/** Store them all, about an order that is decided. The reasoning is long: SQLite splits it at page boundaries. */
export async function plantCanaries(store: Store): Promise<void> {
  const request = mapped(CANARIES.email, CANARIES.name);
  const body = Buffer.from(`${CANARIES.body} "${CANARIES.email}"`);
  await store.deliveries.save([delivery("d1", { body })]);
  await store.orders.receive(
    order("1", { customerId: CANARIES.customer, mapped: request }),
    entry("received"),
  );
  await store.orders.claim(claim("p1"));
  const grant = await store.ledger.begin(attempt("fp", { orderId: "1" }));
  if (grant.outcome !== "granted") throw new Error(grant.outcome);
  const answer = result(`${CANARIES.reasoning} `.repeat(500));
  await store.ledger.finish(grant.attemptId, { state: "answered", result: answer }, T0);
  await store.orders.save({ tenant: TENANT, orderId: "1" }, "p1", {
    changes: { result: answer, decision: decision(), state: "settled", dueAtMs: null },
    release: true,
  });
  await store.tenants.saveCredential(TENANT, "shopify", CANARIES.secret, "installed", T0);
  await store.policies.save(TENANT, { rule: CANARIES.policy }, 0, T0);
  const view = {
    tenant: TENANT,
    viewId: "v1",
    list: "orders",
    query: { level: "low" },
    isShared: true,
  } as const;
  await store.views.add({ ...view, name: CANARIES.view }, { actor: "person:7", isOwner: false, atMs: T0 });
  const person = { tenant: TENANT, actor: "person:1" };
  await store.notices.save(person, { email: CANARIES.notices, webhookUrl: CANARIES.secret }, T0);
  await store.reports.save(TENANT, "r1", `${CANARIES.report} "${CANARIES.email}"`, T0);
}

export function expectNoCanary(bytes: Buffer): void {
  for (const canary of Object.values(CANARIES)) {
    for (const form of [canary, canary.toLowerCase()]) {
      expect(bytes.includes(form), form).toBe(false);
      expect(bytes.includes(Buffer.from(form).toString("base64").slice(0, 12)), form).toBe(false);
    }
  }
  // The search does find a value that is there.
  expect(bytes.includes("holdfast-high")).toBe(true);
}

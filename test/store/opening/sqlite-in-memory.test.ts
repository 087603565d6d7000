import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestStore } from "../../support/test-store.ts";
import { describeLedger } from "../conformance-ledger.ts";
import { describeOrders } from "../conformance-orders.ts";
import { describeRaces } from "../conformance-races.ts";
import { entry, order, TENANT } from "../samples.ts";

// The same code as the store in a file, which runs the whole suite. These tests cover what depends on the connection.
describe("SQLite in memory", () => {
  describeOrders(() => createTestStore());
  describeLedger(() => createTestStore());
  describeRaces(() => createTestStore());

  it("shares nothing with another store in memory", async () => {
    const [one, two] = await Promise.all([createTestStore(), createTestStore()]);

    await one.orders.receive(order("1"), entry("received"));

    expect(await two.orders.get({ tenant: TENANT, orderId: "1" })).toBeNull();
    await Promise.all([one.close(), two.close()]);
  });

  it("computes the same digests under the same data key", async () => {
    const dataKey = randomBytes(32);
    const [one, two] = await Promise.all([createTestStore(dataKey), createTestStore(dataKey)]);

    expect(one.keyring.digest(TENANT, "purpose", "text")).toBe(two.keyring.digest(TENANT, "purpose", "text"));
    await Promise.all([one.close(), two.close()]);
  });
});

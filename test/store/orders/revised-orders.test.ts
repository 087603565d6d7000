import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createKyselyStore } from "../../../src/store/kysely-store.ts";
import { createKeyring } from "../../../src/store/sealing/keyring.ts";
import { MEMORY_PATH } from "../../../src/store/engines/sqlite/sqlite-files.ts";
import { createSqliteEngine } from "../../../src/store/engines/sqlite/sqlite-engine.ts";
import { prepareDatabase } from "../../../src/store/opening/migrate.ts";
import { entry, mapped, order, T0, TENANT } from "../samples.ts";

describe("orders that name a person only since they were changed", () => {
  it("are found a page at a time, however many changes are waiting", async () => {
    const keyring = createKeyring(randomBytes(32));
    const engine = createSqliteEngine({ path: MEMORY_PATH, logger: SILENT_LOGGER });
    await prepareDatabase(engine, { keyring, name: MEMORY_PATH, nowMs: T0 });
    const pages: number[] = [];
    const read: typeof engine.read = async (query) => {
      const rows = await engine.read(query);
      if (Array.isArray(rows)) pages.push(rows.length);
      return rows;
    };
    const store = createKyselyStore({
      engine: { ...engine, read },
      keyring,
      logger: SILENT_LOGGER,
      now: () => T0,
    });
    onTestFinished(() => store.close());
    const ids = Array.from({ length: 130 }, (_, id) => String(1_000 + id));
    for (const orderId of ids) {
      const key = { tenant: TENANT, orderId };
      await store.orders.receive(order(orderId), entry("received"));
      const seen = await store.orders.get(key);
      if (seen === null) throw new TypeError("kept");
      await store.orders.revise(key, {
        asOfMs: T0,
        nowMs: T0,
        // Only every tenth belongs to the person.
        revision: {
          mapped: mapped(orderId.endsWith("0") ? "robert@shop.example" : "jane@shop.example"),
          amount: 30,
          currency: "USD",
          rescreen: true,
          enriched: false,
          attempts: 0,
          sinceMs: T0,
        },
        customerId: undefined,
        material: true,
        fields: [],
        entry: entry("context-changed"),
        seen,
      });
    }
    pages.length = 0;

    const request = { tenant: TENANT, orderIds: [], customerId: undefined, email: "robert@shop.example" };
    const found = await store.retention.findCustomerOrders(request);

    expect(found.map(({ orderId }) => orderId).toSorted()).toEqual(ids.filter((id) => id.endsWith("0")));
    expect(Math.max(...pages)).toBe(100);
  });
});

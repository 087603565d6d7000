import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { entry, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const KEY = { tenant: TENANT, orderId: "1", checkId: "c".repeat(32) };

export function describeCardCodes(open: OpenStore): void {
  describe("amounts that show codes", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1"), entry("received"));
    });
    afterEach(() => store.close());

    const listDue = (nowMs: number, tenant = TENANT) => store.cardCodes.listDue(tenant, nowMs, 10);

    it("are noted once for each question, whoever comes first", async () => {
      const noted = await Promise.all(
        ["pi_a", "pi_b"].map((reference) => store.cardCodes.note({ ...KEY, reference }, T0)),
      );

      expect(new Set(noted).size).toBe(1);
      expect(await store.cardCodes.find(KEY)).toBe(noted[0]);
      expect(await store.cardCodes.note({ ...KEY, reference: "pi_c" }, T0 + 1)).toBe(noted[0]);
      expect(await store.cardCodes.find({ ...KEY, tenant: OTHER_TENANT })).toBeNull();
      expect(await store.cardCodes.find({ ...KEY, checkId: "d".repeat(32) })).toBeNull();
    });

    it("are looked at when they're due, the oldest first, until they're given back", async () => {
      const other = { ...KEY, checkId: "d".repeat(32) };
      await store.cardCodes.note({ ...KEY, reference: "pi_a" }, T0 + 2);
      await store.cardCodes.note({ ...other, reference: "pi_b" }, T0 + 1);

      expect(await listDue(T0)).toEqual([]);
      expect(await listDue(T0 + 2, OTHER_TENANT)).toEqual([]);
      expect((await listDue(T0 + 2)).map(({ reference }) => reference)).toEqual(["pi_b", "pi_a"]);
      expect(await store.cardCodes.listDue(TENANT, T0 + 2, 1)).toEqual([
        { ...other, reference: "pi_b", failures: 0 },
      ]);

      await store.cardCodes.defer(other, { dueAtMs: T0 + 9, failures: 1 });
      await store.cardCodes.drop(KEY);
      expect(await listDue(T0 + 8)).toEqual([]);
      expect(await listDue(T0 + 9)).toEqual([{ ...other, reference: "pi_b", failures: 1 }]);
    });

    it("are forgotten with their tenant", async () => {
      await store.cardCodes.note({ ...KEY, reference: "pi_a" }, T0);
      await store.retention.eraseTenant(TENANT);

      expect(await listDue(T0)).toEqual([]);
    });
  });
}

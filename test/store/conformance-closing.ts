import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { T0, TENANT } from "./samples.ts";

export function describeClosing(open: OpenStore): void {
  describe("closing", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });

    it("answers a ping, and rejects it once the store is closed", async () => {
      await store.ping();

      await Promise.all([store.close(), store.close()]);

      await expect(store.ping()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      await expect(store.orders.get({ tenant: TENANT, orderId: "1" })).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
      });
    });

    it("finishes what it accepted before it closes", async () => {
      const saves = Array.from({ length: 20 }, (_, index) =>
        store.policies.save(TENANT, { index }, undefined, T0),
      );
      await store.close();

      expect((await Promise.all(saves)).map((saved) => saved?.version)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
    });
  });
}

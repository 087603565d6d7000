import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { OTHER_TENANT, T0, TENANT } from "./samples.ts";

/** What tenants set for themselves. */
export function describeSettings(open: OpenStore): void {
  describe("settings", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const content = { service: { apiKey: "k" }, alerts: { email: ["jane@shop.example"] } };

    it("don't exist before they are saved, and then are each tenant's newest", async () => {
      expect(await store.loadSettings(TENANT)).toBeNull();

      expect(await store.saveSettings(TENANT, { first: true }, 0, T0)).toMatchObject({ version: 1 });
      await store.saveSettings(TENANT, content, undefined, T0 + 5);

      expect(await store.loadSettings(TENANT)).toEqual({ version: 2, content, savedAtMs: T0 + 5 });
      expect(await store.loadSettings(OTHER_TENANT)).toBeNull();
    });

    it("aren't saved if they were changed in the meantime", async () => {
      await store.saveSettings(TENANT, content, 0, T0);

      expect(await store.saveSettings(TENANT, {}, 0, T0 + 1)).toBeNull();
      expect(await store.saveSettings(TENANT, {}, 2, T0 + 1)).toBeNull();

      expect(await store.loadSettings(TENANT)).toMatchObject({ version: 1, content });
    });

    it("are saved by one of several callers that expect the same version", async () => {
      const saved = await Promise.all(
        Array.from({ length: 10 }, (_, index) => store.saveSettings(TENANT, { index }, 0, T0)),
      );

      expect(saved.filter((one) => one !== null)).toHaveLength(1);
      expect((await store.loadSettings(TENANT))?.content).toEqual(saved.find((one) => one !== null)?.content);
    });

    it("leave no block of the own key of an erased tenant", async () => {
      const [own, others] = [`key:own-x:${TENANT}`, `key:own-x:${OTHER_TENANT}`];
      const block = { code: "VERIFICATION_FORBIDDEN", untilMs: T0 + 1_000, pause: false } as const;
      for (const name of [own, others]) await store.saveCircuit(name, block);

      await store.eraseTenant(TENANT);

      expect(await store.findBlocks([own, others], T0)).toMatchObject([{ name: others }]);
    });

    it("are deleted with their tenant, and with no other", async () => {
      await store.saveSettings(TENANT, content, 0, T0);
      await store.saveSettings(OTHER_TENANT, content, 0, T0);

      await store.eraseTenant(TENANT);

      expect(await store.loadSettings(TENANT)).toBeNull();
      expect(await store.loadSettings(OTHER_TENANT)).toMatchObject({ version: 1 });
    });
  });
}

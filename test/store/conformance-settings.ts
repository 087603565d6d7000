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
      expect(await store.settings.load(TENANT)).toBeNull();

      expect(await store.settings.save(TENANT, { first: true }, 0, T0)).toMatchObject({ version: 1 });
      await store.settings.save(TENANT, content, undefined, T0 + 5);

      expect(await store.settings.load(TENANT)).toEqual({ version: 2, content, savedAtMs: T0 + 5 });
      expect(await store.settings.load(OTHER_TENANT)).toBeNull();
    });

    it("aren't saved if they were changed in the meantime", async () => {
      await store.settings.save(TENANT, content, 0, T0);

      expect(await store.settings.save(TENANT, {}, 0, T0 + 1)).toBeNull();
      expect(await store.settings.save(TENANT, {}, 2, T0 + 1)).toBeNull();

      expect(await store.settings.load(TENANT)).toMatchObject({ version: 1, content });
    });

    it("are saved by one of several callers that expect the same version", async () => {
      const saved = await Promise.all(
        Array.from({ length: 10 }, (_, index) => store.settings.save(TENANT, { index }, 0, T0)),
      );

      expect(saved.filter((one) => one !== null)).toHaveLength(1);
      expect((await store.settings.load(TENANT))?.content).toEqual(
        saved.find((one) => one !== null)?.content,
      );
    });

    it("leave no block of the own key of an erased tenant", async () => {
      const [own, others] = [`key:own-x:${TENANT}`, `key:own-x:${OTHER_TENANT}`];
      const block = { code: "VERIFICATION_FORBIDDEN", untilMs: T0 + 1_000, pause: false } as const;
      for (const name of [own, others]) await store.ledger.saveBlock(name, block);

      await store.retention.eraseTenant(TENANT);

      expect(await store.ledger.findBlocks([own, others], T0)).toMatchObject([{ name: others }]);
    });

    it("are deleted with their tenant, and with no other", async () => {
      await store.settings.save(TENANT, content, 0, T0);
      await store.settings.save(OTHER_TENANT, content, 0, T0);

      await store.retention.eraseTenant(TENANT);

      expect(await store.settings.load(TENANT)).toBeNull();
      expect(await store.settings.load(OTHER_TENANT)).toMatchObject({ version: 1 });
    });
  });
}

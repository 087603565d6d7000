import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLAIM_MS } from "../../src/store/orders/review-claims.ts";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { entry, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const KEY = { tenant: TENANT, orderId: "1" };
const ANN = "person:1";
const BOB = "person:2";

/** Who is reviewing which order. */
export function describeReviewClaims(open: OpenStore): void {
  describe("claims of reviewers", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1"), entry("received"));
    });
    afterEach(() => store.close());

    const claim = (actor: string, takeOver = false, nowMs = T0) =>
      store.reviews.claim(KEY, { actor, nowMs, takeOver });
    const claimOf = async (nowMs = T0) =>
      (await store.reviews.listClaims(TENANT, ["1", "2"], nowMs)).get("1");

    it("last an hour, belong to one person, and can be taken over", async () => {
      expect(await claimOf()).toBeUndefined();
      expect(await claim(ANN)).toBe(true);
      expect(await claim(BOB)).toBe(false);
      expect((await claimOf())?.actor).toBe(ANN);
      // The database's clock counts if it is shared: it advances between two statements.
      const leftMs = ((await claimOf())?.untilMs ?? 0) - T0;
      expect(leftMs).toBeLessThanOrEqual(CLAIM_MS);
      expect(leftMs).toBeGreaterThan(CLAIM_MS - 60_000);

      expect(await claim(BOB, true)).toBe(true);
      await store.reviews.end(KEY, ANN);
      expect((await claimOf())?.actor).toBe(BOB);
      await store.reviews.end(KEY, BOB);
      expect(await claimOf()).toBeUndefined();
    });

    it("on one tenant's order don't affect another's", async () => {
      await claim(ANN);
      expect(await store.reviews.listClaims(OTHER_TENANT, ["1"], T0)).toEqual(new Map());
    });

    it("end with a decision, but not with a request for a recheck", async () => {
      await claim(ANN);
      const press = { actor: BOB, atMs: T0, note: null };
      const judge = () => ({ outcome: "asked" }) as const;
      await store.reviews.decide(KEY, { ...press, act: "recheck" }, judge);
      expect((await claimOf())?.actor).toBe(ANN);
      await store.reviews.decide(KEY, { ...press, act: "approve" }, judge);
      expect(await claimOf()).toBeUndefined();
    });

    it("are deleted with everything else of a tenant", async () => {
      await claim(ANN);
      await store.retention.eraseTenant(TENANT);
      expect(await claimOf()).toBeUndefined();
    });
  });
}

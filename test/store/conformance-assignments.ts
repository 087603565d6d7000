import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { entry, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const KEY = { tenant: TENANT, orderId: "1" };
const ANN = "person:1";
const BOB = "person:2";

/** Who should review which order, and how many notes it has. */
export function describeAssignments(open: OpenStore): void {
  describe("marks of an order", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
      await store.orders.receive(order("1"), entry("received"));
      await store.orders.receive(order("1", { tenant: OTHER_TENANT }), entry("received"));
    });
    afterEach(() => store.close());

    const assign = (to: string | null) => store.reviews.assign(KEY, { to, by: ANN, atMs: T0 });
    const marks = async (tenant = TENANT) => (await store.reviews.listMarks(tenant, ["1", "2"])).get("1");
    const note = (text: string) =>
      store.reviews.note(KEY, {
        atMs: T0,
        kind: "note",
        detail: "",
        actor: ANN,
        note: text,
        mentions: [BOB],
      });

    it("are who should review it, written to its history once", async () => {
      expect(await marks()).toBeUndefined();
      expect([await assign(BOB), await assign(BOB)]).toEqual([true, true]);
      expect(await marks()).toEqual({ notes: 0, assignee: BOB });
      await assign(ANN);
      await assign(null);
      expect(await marks()).toBeUndefined();

      const entries = (await store.orders.listTimeline(KEY)).filter(({ kind }) => kind === "assigned");
      expect(entries.map(({ event, actor }) => [event, actor])).toEqual([
        [{ kind: "assigned", to: BOB }, ANN],
        [{ kind: "assigned", to: ANN }, ANN],
        [{ kind: "assigned", to: null }, ANN],
      ]);
      expect(await store.reviews.assign({ ...KEY, orderId: "2" }, { to: BOB, by: ANN, atMs: T0 })).toBe(
        false,
      );
    });

    it("lose somebody who is removed, with their drafts", async () => {
      for (const actor of [ANN, BOB]) {
        await store.people.admit({ tenant: TENANT, actor }, T0);
        await store.reviews.keepDraft(KEY, { actor, text: "Call them.", atMs: T0 });
      }
      await assign(BOB);

      await store.people.revoke({ tenant: TENANT, actor: BOB }, { by: ANN, atMs: T0 });

      expect(await marks()).toBeUndefined();
      expect((await store.reviews.listDrafts(TENANT, BOB)).size).toBe(0);
      expect((await store.reviews.listDrafts(TENANT, ANN)).size).toBe(1);
    });

    it("count its notes until they are erased, and belong to their tenant", async () => {
      await note("Called.");
      await note("Called again.");
      await assign(BOB);

      expect(await marks()).toEqual({ notes: 2, assignee: BOB });
      expect(await marks(OTHER_TENANT)).toBeUndefined();
      expect((await store.orders.listTimeline(KEY)).at(-2)?.event).toEqual({ kind: "note", mentions: [BOB] });

      const erased = { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined };
      await store.retention.eraseOrders(erased, entry("erased"));
      expect(await marks()).toEqual({ notes: 0, assignee: BOB });
    });
  });
}

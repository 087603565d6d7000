import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MOST_VIEWS, type NewView, type ViewAct } from "../../src/store/people/saved-views.ts";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { entry, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const ANNA: ViewAct = { actor: "person:anna", isOwner: false, atMs: T0 };
const BEN: ViewAct = { actor: "person:ben", isOwner: false, atMs: T0 };
const OWNER: ViewAct = { actor: "person:owner", isOwner: true, atMs: T0 };

function view(viewId: string, changes: Partial<NewView> = {}): NewView {
  return {
    tenant: TENANT,
    viewId,
    list: "orders",
    name: `View ${viewId}`,
    query: { level: "high", sort: "amount" },
    isShared: true,
    ...changes,
  };
}

/** Named views of the lists of orders. */
export function describeSavedViews(open: OpenStore): void {
  describe("saved views", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const idsOf = async ({ actor }: ViewAct, tenant = TENANT) =>
      (await store.views.list(tenant, actor)).map(({ viewId }) => viewId).toSorted();

    it("are seen by everybody of the tenant if they are shared, and else by one person", async () => {
      expect(await store.views.add(view("1"), ANNA)).toBe("saved");
      await store.views.add(view("2", { isShared: false, list: "queue" }), ANNA);

      expect(await idsOf(ANNA)).toEqual(["1", "2"]);
      expect(await store.views.list(TENANT, BEN.actor)).toEqual([
        {
          viewId: "1",
          list: "orders",
          name: "View 1",
          query: { level: "high", sort: "amount" },
          isShared: true,
          actor: ANNA.actor,
          savedAtMs: T0,
        },
      ]);
      expect(await idsOf(ANNA, OTHER_TENANT)).toEqual([]);
    });

    it("are changed and removed by the person who saved them, or by an owner if they are shared", async () => {
      const key = { tenant: TENANT, viewId: "1" };
      const renamed = { name: "Large orders", query: { sort: "amount" }, isShared: true };
      await store.views.add(view("1"), ANNA);

      expect(await store.views.change(key, renamed, BEN)).toBe("not-theirs");
      expect(await store.views.remove(key, BEN)).toBe("not-theirs");
      expect(await store.views.change(key, renamed, OWNER)).toBe("saved");
      expect(await store.views.list(TENANT, BEN.actor)).toMatchObject([{ ...renamed, actor: ANNA.actor }]);

      // Only Anna would see it.
      expect(await store.views.change(key, { ...renamed, isShared: false }, OWNER)).toBe("not-theirs");
      await store.views.change(key, { ...renamed, isShared: false }, ANNA);
      expect(await store.views.change(key, renamed, OWNER)).toBe("unknown");
      expect(await store.views.remove(key, OWNER)).toBe("unknown");
      expect(await store.views.remove({ ...key, tenant: OTHER_TENANT }, ANNA)).toBe("unknown");
      expect(await store.views.remove(key, ANNA)).toBe("removed");
      expect(await store.views.remove(key, ANNA)).toBe("unknown");
    });

    it("have different names for each person, ignoring case", async () => {
      await store.views.add(view("1", { name: "Large" }), ANNA);
      await store.views.add(view("2", { name: "Mine", isShared: false }), ANNA);

      expect(await store.views.add(view("3", { name: "LARGE" }), BEN)).toBe("name-taken");
      expect(await store.views.add(view("3", { name: "mine" }), BEN)).toBe("saved");
      const large = { name: "large", query: {}, isShared: true };
      expect(await store.views.change({ tenant: TENANT, viewId: "1" }, large, ANNA)).toBe("saved");
      expect(await store.views.change({ tenant: TENANT, viewId: "2" }, large, ANNA)).toBe("name-taken");
      expect(await store.views.add(view("4", { tenant: OTHER_TENANT, name: "Large" }), ANNA)).toBe("saved");
    });

    it("get one of several equal names that are saved at once", async () => {
      const saved = await Promise.all(
        ["1", "2", "3", "4"].map((viewId) => store.views.add(view(viewId, { name: "Same" }), ANNA)),
      );

      expect(saved.toSorted()).toEqual(["name-taken", "name-taken", "name-taken", "saved"]);
    });

    it("are limited, each kind by itself", async () => {
      for (let index = 0; index < MOST_VIEWS; index += 1) await store.views.add(view(String(index)), ANNA);

      expect(await store.views.add(view("one-more"), BEN)).toBe("too-many");
      expect(await store.views.add(view("one-more", { isShared: false }), BEN)).toBe("saved");
      const shared = { name: "x", query: {}, isShared: true };
      expect(await store.views.change({ tenant: TENANT, viewId: "one-more" }, shared, BEN)).toBe("too-many");
    });

    it("go with a removed person if they were only theirs, and else stay without them", async () => {
      const key = { tenant: TENANT, actor: ANNA.actor };
      await store.people.admit({ tenant: TENANT, actor: OWNER.actor }, T0);
      await store.people.admit(key, T0);
      await store.views.add(view("1"), ANNA);
      await store.views.add(view("2", { isShared: false }), ANNA);
      await store.views.add(view("3", { isShared: false }), BEN);

      await store.people.revoke(key, { by: OWNER.actor, atMs: T0 });

      expect(await store.views.list(TENANT, ANNA.actor)).toMatchObject([{ viewId: "1", actor: null }]);
      expect(await idsOf(BEN)).toEqual(["1", "3"]);
      const own = { tenant: TENANT, viewId: "1" };
      expect(await store.views.remove(own, BEN)).toBe("not-theirs");
      expect(await store.views.remove(own, OWNER)).toBe("removed");
    });

    it("are erased with a customer who is named in them, and with their tenant", async () => {
      await store.orders.receive(order("1"), entry("received"));
      await store.views.add(view("1", { name: "Orders of jane example" }), ANNA);
      await store.views.add(view("2", { name: "from Jane@shop.example", isShared: false }), BEN);
      await store.views.add(view("3", { name: "Level 1" }), ANNA);
      await store.views.add(view("4", { tenant: OTHER_TENANT, name: "Jane Example" }), ANNA);

      const email = "jane@shop.example";
      await store.retention.eraseOrders(
        { tenant: TENANT, orderIds: ["1"], customerId: undefined, email },
        entry("erased"),
      );

      expect([await idsOf(ANNA), await idsOf(BEN)]).toEqual([["3"], ["3"]]);
      await store.retention.eraseTenant(TENANT);
      expect([await idsOf(ANNA), await idsOf(ANNA, OTHER_TENANT)]).toEqual([[], ["4"]]);
    });
  });
}

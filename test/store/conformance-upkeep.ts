import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Decision } from "../../src/order/decision.ts";
import type { NewOrder, OrderChanges, Store } from "../../src/store/store.ts";
import { CONSOLE_ACTOR } from "../../src/store/people/person.ts";
import type { Access } from "../../src/store/people/access-log.ts";
import type { OpenStore } from "./conformance.ts";
import { claim, decision, entry, MINUTE_MS, order, OTHER_TENANT, T0, TENANT } from "./samples.ts";

export function describeUpkeep(open: OpenStore): void {
  let store: Store;

  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  describe("access log", () => {
    const seen = (changes: Partial<Access> = {}): Access => {
      return { atMs: T0, actor: "person:7", what: "order", subject: "1", ...changes };
    };
    const WITHIN_MS = 10 * MINUTE_MS;
    const record = (changes: Partial<Access> = {}, tenant = TENANT) =>
      store.accessLog.record(tenant, seen(changes), WITHIN_MS);

    it("stores repeats of the same person and subject within the given time as one entry", async () => {
      expect(await record()).toBe(true);
      expect(await record({ atMs: T0 + WITHIN_MS - 1 })).toBe(false);
      // Counted from the entry, not from the last look. Otherwise, a page left open would hide all later ones.
      expect(await record({ atMs: T0 + WITHIN_MS })).toBe(true);

      const { entries } = await store.accessLog.list(TENANT, { limit: 10 });
      expect(entries).toEqual([seen({ atMs: T0 + WITHIN_MS }), seen()]);
    });

    it("stores every act, however soon it is repeated", async () => {
      const approved = seen({ what: "approve" });
      expect(await store.accessLog.record(TENANT, approved, 0)).toBe(true);
      expect(await store.accessLog.record(TENANT, approved, 0)).toBe(true);
      await record({ what: "approve" });
      // As with a clock that was set back.
      const earlier = { ...approved, atMs: T0 - 1 };
      expect(await store.accessLog.record(TENANT, earlier, 0)).toBe(true);

      const { entries } = await store.accessLog.list(TENANT, { limit: 10 });
      expect(entries).toEqual([approved, approved, earlier]);
    });

    it("stores no second entry for a look that a clock far ahead recorded for tomorrow", async () => {
      const ahead = seen({ atMs: T0 + 24 * 60 * MINUTE_MS });
      expect(await record(ahead)).toBe(true);

      expect(await record()).toBe(true);
      expect(await record({ atMs: T0 + 1 })).toBe(false);

      const { entries } = await store.accessLog.list(TENANT, { limit: 10 });
      expect(entries).toEqual([ahead, seen()]);
    });

    it("names the holder of the console token the operator", async () => {
      expect(await record({ actor: CONSOLE_ACTOR })).toBe(true);
      expect(await record({ actor: CONSOLE_ACTOR })).toBe(false);
      expect(await record({ actor: "operator" })).toBe(false);

      const entries = [seen({ actor: "operator" })];
      expect(await store.accessLog.list(TENANT, { limit: 10 })).toMatchObject({ entries });
      expect(await store.accessLog.list(TENANT, { limit: 10, actor: CONSOLE_ACTOR })).toMatchObject({
        entries,
      });
    });

    it("lists what one person did, or one kind of act, page by page", async () => {
      for (const subject of ["a", "b", "c"]) {
        await record({ subject });
        await record({ subject, actor: "person:8" });
        await record({ subject, what: "note" });
      }
      const filter = { actor: "person:7", what: "order", limit: 2 } as const;

      const first = await store.accessLog.list(TENANT, filter);
      const second = await store.accessLog.list(TENANT, { ...filter, cursor: first.nextCursor ?? "" });

      const all = [...first.entries, ...second.entries];
      expect(all).toEqual(["c", "b", "a"].map((subject) => seen({ subject })));
      expect(second.nextCursor).toBeNull();
      expect((await store.accessLog.list(TENANT, { limit: 9, what: "note" })).entries).toHaveLength(3);
    });

    it("records who saved a policy, together with the policy", async () => {
      await store.policies.save(TENANT, { rules: [] }, 0, T0, "person:7");
      await store.policies.save(TENANT, { rules: [] }, 0, T0, "person:7");
      await store.policies.save(TENANT, { rules: [] }, 1, T0);

      const { entries } = await store.accessLog.list(TENANT, { limit: 10 });
      expect(entries).toEqual([seen({ what: "policy", subject: "1" })]);
    });

    it("keeps other people, subjects, kinds and tenants apart", async () => {
      await record();
      expect(await record({ actor: "operator" })).toBe(true);
      expect(await record({ subject: "2" })).toBe(true);
      expect(await record({ what: "data-request" })).toBe(true);
      expect(await record({}, OTHER_TENANT)).toBe(true);

      expect((await store.accessLog.list(TENANT, { limit: 10 })).entries).toHaveLength(4);
      expect((await store.accessLog.list(OTHER_TENANT, { limit: 10 })).entries).toEqual([seen()]);
    });

    it("stores one entry for many looks at the same time", async () => {
      const kept = await Promise.all(Array.from({ length: 8 }, () => record()));

      expect(kept.filter(Boolean)).toHaveLength(1);
      expect((await store.accessLog.list(TENANT, { limit: 10 })).entries).toHaveLength(1);
    });

    it("lists newest first without gaps or repeats, even with equal times", async () => {
      const subjects = ["a", "b", "c", "d", "e"];
      for (const subject of subjects) await record({ subject });

      const listed: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.accessLog.list(TENANT, { limit: 2, cursor });
        listed.push(...page.entries.map(({ subject }) => subject));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);

      expect(listed).toEqual(subjects.toReversed());
    });

    it("refuses a cursor of another tenant or another list", async () => {
      for (const subject of ["a", "b"]) {
        await record({ subject });
        await store.orders.receive(order(subject), entry("received"));
      }
      const { nextCursor } = await store.accessLog.list(TENANT, { limit: 1 });
      const orders = await store.orders.list(TENANT, { limit: 1 });

      const refusal = { code: "ORDER_INVALID" };
      await expect(
        store.accessLog.list(OTHER_TENANT, { limit: 1, cursor: nextCursor ?? "" }),
      ).rejects.toMatchObject(refusal);
      await expect(
        store.accessLog.list(TENANT, { limit: 1, cursor: orders.nextCursor ?? "" }),
      ).rejects.toMatchObject(refusal);
      await expect(store.orders.list(TENANT, { limit: 1, cursor: nextCursor ?? "" })).rejects.toMatchObject(
        refusal,
      );
    });

    it("is deleted with its tenant, and with no other", async () => {
      await record();
      await record({}, OTHER_TENANT);

      await store.retention.eraseTenant(TENANT);

      expect((await store.accessLog.list(TENANT, { limit: 10 })).entries).toEqual([]);
      expect((await store.accessLog.list(OTHER_TENANT, { limit: 10 })).entries).toHaveLength(1);
    });
  });

  describe("cursors", () => {
    it("are stored per tenant and name, and deleted with the tenant", async () => {
      expect(await store.cursors.load(TENANT, "reconciler")).toBeNull();

      await store.cursors.save(TENANT, "reconciler", T0);
      await store.cursors.save(TENANT, "reconciler", T0 + 5);
      await store.cursors.save(TENANT, "other", T0 + 6);
      await store.cursors.save(OTHER_TENANT, "reconciler", T0 + 7);

      expect(await store.cursors.load(TENANT, "reconciler")).toBe(T0 + 5);
      await store.retention.eraseTenant(TENANT);
      expect(await store.cursors.load(TENANT, "reconciler")).toBeNull();
      expect(await store.cursors.load(TENANT, "other")).toBeNull();
      expect(await store.cursors.load(OTHER_TENANT, "reconciler")).toBe(T0 + 7);
    });
  });

  describe("coverage", () => {
    const WINDOW = { sinceMs: T0 - 60 * MINUTE_MS, untilMs: T0, withinMs: 5 * MINUTE_MS };
    let orders = 0;

    interface Kept {
      readonly tenant?: string;
      readonly receivedAtMs?: number;
      /** Absent: not decided. */
      readonly decidedAfterMs?: number;
      readonly changes?: OrderChanges;
      readonly effects?: NewOrder["effects"];
    }

    async function keep(kept: Kept = {}): Promise<string> {
      const { tenant = TENANT, receivedAtMs = T0, decidedAfterMs, changes = {}, effects } = kept;
      const orderId = `o${(orders += 1)}`;
      await store.orders.receive({ ...order(orderId, { tenant, receivedAtMs }), effects }, entry("received"));
      await change(tenant, orderId, {
        ...(decidedAfterMs === undefined ? {} : { decidedAtMs: receivedAtMs + decidedAfterMs }),
        dueAtMs: null,
        ...changes,
      });
      return orderId;
    }

    async function change(tenant: string, orderId: string, changes: OrderChanges): Promise<void> {
      await store.orders.claim(claim("p1", { limit: 1_000 }));
      await store.orders.save({ tenant, orderId }, "p1", { changes, release: false });
    }

    const measure = (tenant: string | null = TENANT) => store.figures.coverage(tenant, WINDOW);

    it("counts orders that were decided in time, late and never", async () => {
      await keep({ decidedAfterMs: 1_000 });
      await keep({ decidedAfterMs: 5 * MINUTE_MS });
      await keep({ decidedAfterMs: 5 * MINUTE_MS + 1 });
      await keep();
      await keep({ changes: { state: "failed" } });

      expect(await measure()).toEqual({ eligible: 5, decidedInTime: 2 });
    });

    it("leaves out orders that don't need a judgment", async () => {
      for (const skipReason of ["CANCELLED", "ZERO_AMOUNT", "TEST_ORDER"] as const)
        await keep({ decidedAfterMs: 1, changes: { skipReason } });
      await keep({ decidedAfterMs: 1, effects: "record" });
      await keep({ decidedAfterMs: 1, effects: "none" });
      await store.orders.end(
        { tenant: TENANT, orderId: "ended" },
        "shopify",
        T0 - 1,
        entry("cancelled-on-platform"),
      );
      const cancelled = await keep();
      await change(TENANT, cancelled, { state: "settled" });
      // Judged by the stand-in, but judged.
      await keep({ decidedAfterMs: 1, changes: { skipReason: "NO_EMAIL" } });

      expect(await measure()).toEqual({ eligible: 1, decidedInTime: 1 });
    });

    it("uses the first decision, however often the order is decided again", async () => {
      const first: Decision = decision({ degraded: true, source: "local" });
      const orderId = await keep({ decidedAfterMs: 1_000, changes: { decision: first } });
      await change(TENANT, orderId, { decision: decision(), decidedAtMs: T0 + 60 * MINUTE_MS });

      expect(await measure()).toEqual({ eligible: 1, decidedInTime: 1 });
    });

    it("counts what was received in the window, for one tenant or all", async () => {
      await keep({ receivedAtMs: WINDOW.sinceMs, decidedAfterMs: 1 });
      await keep({ receivedAtMs: WINDOW.sinceMs + 1, decidedAfterMs: 1 });
      await keep({ receivedAtMs: WINDOW.untilMs, decidedAfterMs: 1 });
      await keep({ receivedAtMs: WINDOW.untilMs + 1, decidedAfterMs: 1 });
      await keep({ tenant: OTHER_TENANT });

      expect(await measure()).toEqual({ eligible: 2, decidedInTime: 2 });
      expect(await measure(OTHER_TENANT)).toEqual({ eligible: 1, decidedInTime: 0 });
      expect(await measure(null)).toEqual({ eligible: 3, decidedInTime: 2 });
    });
  });
}

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toLinkKeys } from "../../src/engine/velocity/keys.ts";
import type { SourceHistory } from "../../src/store/credits/attempt.ts";
import type { NewOrder, OrderChanges, Store, TimelineEntry } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { attempt, claim, decision, entry, mapped, MINUTE_MS, order, T0, TENANT } from "./samples.ts";

const DAY_MS = 24 * 60 * MINUTE_MS;
const IP = "91.10.20.30";
/** One of Cloudflare's. */
const RELAY = "104.28.1.2";
const LIMIT = 3;

/** What the burst brake learns from a shop's earlier orders. */
export function describeUsualRates(open: OpenStore): void {
  describe("a source that a shop usually gets orders from", () => {
    let store: Store;
    let count: number;

    beforeEach(async () => {
      store = await open();
      count = 0;
    });
    afterEach(() => store.close());

    const from = (ipAddress: string) => {
      const one = mapped();
      return one.outcome === "screenable" ? { ...one, request: { ...one.request, ipAddress } } : one;
    };

    function historyOf(): SourceHistory {
      const digest = (purpose: string, text: string) => store.keyring.digest(TENANT, purpose, text);
      const { network = "" } = toLinkKeys({ ipAddress: IP }, digest);
      return { by: "network", digest: network };
    }

    /** Orders from the source in one hour of a day, and what became of them. */
    async function place(
      orders: number,
      daysAgo: number,
      changes: OrderChanges = {},
      { ip = IP, ...more }: Partial<NewOrder> & { readonly ip?: string } = {},
      entries: readonly TimelineEntry[] = [],
    ): Promise<readonly string[]> {
      const receivedAtMs = T0 - daysAgo * DAY_MS;
      const ids = Array.from({ length: orders }, () => `order-${(count += 1)}`);
      for (const orderId of ids) {
        await store.orders.receive(
          order(orderId, { receivedAtMs, mapped: from(ip), ...more }),
          entry("received"),
        );
      }
      const claimed = await store.orders.claim(claim("p", { nowMs: T0, limit: orders }));
      for (const one of claimed) {
        const settled = { state: "settled", decision: decision({ action: "allow" }), dueAtMs: null } as const;
        await store.orders.save(one, "p", { changes: { ...settled, ...changes }, entries, release: true });
      }
      return ids;
    }

    /** How many orders of the source get through in one moment. */
    async function passing(history: SourceHistory | null = historyOf(), limit = LIMIT): Promise<number> {
      let passed = 0;
      for (let index = 0; index < 40; index += 1) {
        const burst = { limit, atMs: T0, sources: ["ip:a"], historyOf: () => history ?? undefined };
        const { outcome } = await store.ledger.begin(attempt(`burst-${index}`, { burst }));
        passed += outcome === "granted" ? 1 : 0;
      }
      return passed;
    }

    it("may send three times as much as in a busy hour, and no more", async () => {
      for (const daysAgo of [1, 8, 15]) await place(4, daysAgo);

      expect(await passing()).toBe(12);
    });

    it("may send what is usual in three of four weeks, not what one week had", async () => {
      await place(2, 1);
      await place(9, 8);
      await place(4, 15);
      await place(5, 22);

      expect(await passing()).toBe(12);
    });

    it("gets at most ten times the limit", async () => {
      for (const daysAgo of [1, 8, 15]) await place(5, daysAgo);

      expect(await passing(historyOf(), 1)).toBe(10);
    });

    it.each<[name: string, place: (place: Place) => Promise<unknown>]>([
      ["two weeks of it", async (put) => [await put(9, 1), await put(9, 8)]],
      ["three weeks within one", async (put) => [await put(9, 1), await put(9, 2), await put(9, 3)]],
      ["orders of today", async (put) => [await put(9, 0), await put(9, 8), await put(9, 15)]],
      ["orders of five weeks ago", async (put) => [await put(9, 1), await put(9, 8), await put(9, 30)]],
    ])("keeps the limit with %s", async (_name, put) => {
      await put(place);

      expect(await passing()).toBe(LIMIT);
    });

    it.each<[name: string, changes: OrderChanges, more?: Parameters<Place>[3]]>([
      ["were held", { state: "review", decision: decision() }],
      ["were canceled", { decision: decision({ action: "cancel" }) }],
      ["aren't settled", { state: "decided" }],
      ["were only imported", {}, { effects: "record" }],
      ["were made up in the sandbox", {}, { effects: "none" }],
      ["came from elsewhere", {}, { ip: "91.10.20.31" }],
    ])("isn't known by orders that %s", async (_name, changes, more) => {
      for (const daysAgo of [1, 8, 15]) await place(9, daysAgo, changes, more);

      expect(await passing()).toBe(LIMIT);
    });

    it.each<[name: string, spoil: (orderId: string) => Promise<unknown>]>([
      [
        "disputed",
        (orderId) => {
          const kind = { kind: "chargeback", status: "open", reason: "fraud", isFraud: true } as const;
          const dispute = { ...kind, disputeId: orderId, orderId, initiatedAtMs: T0 };
          return store.outcomes.recordDispute({ tenant: TENANT, orderId }, dispute, entry("dispute"));
        },
      ],
      ["refunded", (orderId) => store.outcomes.noteRefund({ tenant: TENANT, orderId }, entry("refunded"))],
    ])("isn't known by orders that were %s since", async (_name, spoil) => {
      for (const daysAgo of [1, 8, 15]) {
        for (const orderId of await place(9, daysAgo)) await spoil(orderId);
      }

      expect(await passing()).toBe(LIMIT);
    });

    it("isn't known by orders that were canceled in the shop since", async () => {
      for (const daysAgo of [1, 8, 15]) await place(9, daysAgo, {}, {}, [entry("cancelled-on-platform")]);

      expect(await passing()).toBe(LIMIT);
    });

    it("is every relay and CDN together, because their addresses change", async () => {
      for (const daysAgo of [1, 8, 15]) await place(4, daysAgo, {}, { ip: RELAY });

      expect(await passing({ by: "relayed" })).toBe(12);
    });

    it("isn't one that links no orders", async () => {
      for (const daysAgo of [1, 8, 15]) await place(9, daysAgo);

      expect(await passing(null)).toBe(LIMIT);
    });

    it("keeps the flood held on the next day, although it was looked up again", async () => {
      for (const daysAgo of [1, 8, 15]) await place(4, daysAgo);
      await passing();
      const atMs = T0 + DAY_MS;
      const burst = { limit: LIMIT, atMs, sources: ["ip:a"], historyOf };

      const outcomes = [];
      for (let index = 0; index < 20; index += 1) {
        outcomes.push((await store.ledger.begin(attempt(`next-${index}`, { burst, nowMs: atMs }))).outcome);
      }

      expect(outcomes.filter((outcome) => outcome === "granted")).toHaveLength(12);
    });
  });
}

type Place = (
  orders: number,
  daysAgo: number,
  changes?: OrderChanges,
  more?: Partial<NewOrder> & { readonly ip?: string },
) => Promise<readonly string[]>;

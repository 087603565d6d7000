import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NewBuyerEvidence } from "../../src/store/buyer-checks/buyer-evidence.ts";
import type { Recipient } from "../../src/store/buyer-checks/buyer-check.ts";
import type { Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import { question } from "./conformance-buyer-checks.ts";
import {
  claim,
  decision,
  entry,
  mapped,
  order,
  OTHER_TENANT,
  RETENTION_LIMITS,
  T0,
  TENANT,
} from "./samples.ts";

const CHECK_ID = "c".repeat(32);
const JPEG = { type: "image/jpeg", bytes: Buffer.of(0xff, 0xd8, 0xff, 0, 1, 2) } as const;
const OWN: Recipient = { kind: "email", address: "jane@shop.example" };
const EARLIER: Recipient = { kind: "email", address: "old@shop.example", ofOrder: "#0999" };

export function describeBuyerEvidence(open: OpenStore): void {
  describe("what buyers send", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    /** A held order whose buyer sent something. */
    async function send(
      orderId: string,
      changes: Partial<NewBuyerEvidence> = {},
      recipient: Recipient | null = OWN,
    ): Promise<void> {
      const key = { tenant: TENANT, orderId };
      await store.orders.receive(order(orderId, { mapped: mapped("jane@shop.example") }), entry("received"));
      await store.orders.claim(claim("p1"));
      const held = { state: "review", decision: decision(), decidedAtMs: T0, dueAtMs: null } as const;
      await store.orders.save(key, "p1", { changes: held, release: true });
      const check = { ...question({ orderId, tokenDigest: `digest-${orderId}` }), recipient };
      await store.buyerChecks.issue(
        { ...check, methods: { ...check.methods, evidence: true } },
        null,
        entry("found"),
      );
      const evidence = { ...key, checkId: CHECK_ID, atMs: T0, note: "It was me", file: JPEG, ...changes };
      const given = { answer: "for-person", method: "evidence", entry: entry("found") } as const;
      const taken = await store.buyerChecks.answer(
        { ...key, checkId: CHECK_ID },
        given,
        store.buyerEvidence.prepare(evidence),
      );
      expect(taken).toBe("taken");
    }
    const list = (orderId = "1") => store.buyerEvidence.list({ tenant: TENANT, orderId });
    const readFile = (orderId = "1", tenant = TENANT) =>
      store.buyerEvidence.readFile({ tenant, orderId, checkId: CHECK_ID });
    const erase = (wish: { email?: string; orderIds?: readonly string[] }) =>
      store.retention.eraseOrders(
        { tenant: TENANT, orderIds: [], customerId: undefined, email: undefined, ...wish },
        entry("erased", T0 + 1),
      );

    it("is kept with the order's question, and counted by tenant", async () => {
      await send("1");
      await send("2", { note: null });
      await send("3", { file: null });

      expect(await list()).toEqual([
        {
          tenant: TENANT,
          orderId: "1",
          checkId: CHECK_ID,
          atMs: T0,
          note: "It was me",
          file: { type: "image/jpeg", size: 6 },
        },
      ]);
      expect(await list("2")).toMatchObject([{ note: null }]);
      expect(await list("3")).toMatchObject([{ file: null }]);
      expect(await readFile()).toEqual(JPEG);
      expect(await readFile("3")).toBeNull();
      expect(await readFile("1", OTHER_TENANT)).toBeNull();
      expect(await store.buyerEvidence.countBytes(TENANT)).toBe(12);
      expect(await store.buyerEvidence.countBytes(OTHER_TENANT)).toBe(0);
    });

    it("is deleted with the order's content, by a customer's erasure and by age", async () => {
      await send("1");
      await send("2");
      await erase({ orderIds: ["1"] });
      expect([await list("1"), await readFile("1")]).toEqual([[], null]);
      expect(await list("2")).toHaveLength(1);

      const limits = { ...RETENTION_LIMITS, contentBeforeMs: T0 + 1, ordersBeforeMs: T0 + 1 };
      await store.retention.eraseAged("order-content", limits, null);
      expect(await list("2")).toEqual([]);
      expect(await store.buyerEvidence.countBytes(TENANT)).toBe(0);
    });

    it("is deleted with a tenant", async () => {
      await send("1");
      expect(await store.retention.eraseTenant(TENANT)).toBe(true);
      expect(await list()).toEqual([]);
    });

    it("belongs to whoever the link went to, also about somebody else's order", async () => {
      await send("1", {}, EARLIER);
      await send("2", {}, OWN);
      await send("3", {}, null);
      const find = async (orderIds: readonly string[], email?: string) =>
        (await store.buyerEvidence.findOf(TENANT, orderIds, email)).map(({ orderId }) => orderId).toSorted();

      expect(await find(["1", "2", "3"], "jane@shop.example")).toEqual(["2", "3"]);
      expect(await find(["1", "2", "3"])).toEqual(["2", "3"]);
      expect(await find([], "Old@shop.example")).toEqual(["1"]);
      await erase({ email: "old@shop.example" });
      expect(await list("1")).toEqual([]);
      expect((await store.orders.get({ tenant: TENANT, orderId: "1" }))?.mapped).not.toBeNull();
      expect(await list("2")).toHaveLength(1);
    });
  });
}

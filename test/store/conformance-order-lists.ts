import { assert, asyncProperty, string } from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isHoldfastError } from "../../src/base/errors.ts";
import {
  ORDER_SORTS,
  type OrderFilter,
  type OrderRecord,
  type OrderSort,
  type OrderTransition,
  type Store,
} from "../../src/store/store.ts";
import type { OrderList } from "../../src/store/orders/listed-orders.ts";
import type { OpenStore } from "./conformance.ts";
import {
  claim,
  decision,
  delivery,
  entry,
  mapped,
  order,
  OTHER_TENANT,
  result,
  T0,
  TENANT,
} from "./samples.ts";

export function describeOrderLists(open: OpenStore): void {
  describe("lists of orders", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const receive = (orderId: string, changes: Parameters<typeof order>[1] = {}) =>
      store.orders.receive(order(orderId, changes), entry("received", changes.receivedAtMs));

    /** A list page by page. Reading all of it at once has the same orders in the same order. */
    async function readAll(limit: number, filter: OrderList = {}): Promise<OrderRecord[]> {
      const all: OrderRecord[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.orders.list(TENANT, { ...filter, limit, cursor });
        expect(page.orders.length).toBeLessThanOrEqual(limit);
        all.push(...page.orders);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      const whole: OrderRecord[] = [];
      for await (const some of store.orders.readAll(TENANT, filter)) whole.push(...some);
      expect(whole).toEqual(all);
      return all;
    }

    it("lists the newest first, page by page, each order once", async () => {
      const times = [3, 1, 2, 2, 2, 5, 4];
      for (const [index, time] of times.entries()) await receive(`o${index}`, { receivedAtMs: T0 + time });
      const expected = ["o5", "o6", "o0", "o4", "o3", "o2", "o1"];

      for (const limit of [1, 2, 3, 7, 8]) {
        expect((await readAll(limit)).map((one) => one.orderId)).toEqual(expected);
      }
      expect((await store.orders.list(TENANT, { limit: 7 })).nextCursor).toBeNull();
    });

    it("lists the queue by urgency, then by deadline, the highest value and the id, page by page", async () => {
      const waiting = [
        ["c", "review", T0 + 2, 10],
        ["b", "review", T0 + 2, 99.5],
        ["a", "review", T0 + 1, null],
        ["f", "failed", null, null],
        ["e", "failed", null, 0],
        ["d", "failed", null, 0],
        ["x", "settled", null, 500],
      ] as const;
      for (const [orderId, , , amount] of waiting) await receive(orderId, { amount: amount ?? undefined });
      await receive("other", { tenant: OTHER_TENANT });
      await store.orders.claim(claim("p1"));
      for (const [orderId, state, holdDeadlineMs] of waiting) {
        const changes = { state, holdDeadlineMs, dueAtMs: null };
        await store.orders.save({ tenant: TENANT, orderId }, "p1", { changes, release: true });
      }

      for (const limit of [1, 2, 4, 7]) {
        const all = await readAll(limit, { view: "queue" });
        expect(all.map(({ orderId }) => orderId)).toEqual(["d", "e", "f", "a", "b", "c"]);
      }
      expect(await readAll(2, { view: "queue", state: "failed" })).toHaveLength(3);
    });

    it("finds orders by name with or without #, by id, and by email address, only the tenant's own", async () => {
      await receive("42", { name: "#1001" });
      await receive("1001", { name: "1002", mapped: mapped("joe@shop.example") });
      await receive("43", { name: "#10011", receivedAtMs: T0 + 1 });
      await receive("44", { name: "#1001", tenant: OTHER_TENANT });
      const find = async (search: string) =>
        (await readAll(1, { search })).map(({ orderId }) => orderId).toSorted();

      expect(await find("#1001")).toEqual(["42"]);
      expect(await find("1001")).toEqual(["1001", "42"]);
      expect(await find("#1002")).toEqual(["1001"]);
      expect(await find(" Jane@Shop.example".trim())).toEqual(["42", "43"]);
      expect(await find("joe@shop.example")).toEqual(["1001"]);
      expect(await find("nobody@shop.example")).toEqual([]);
      expect(await find("100")).toEqual(["1001", "42", "43"]);
    });

    it("sorts the queue by amount, score, or age, page by page", async () => {
      const waiting = [
        ["a", 50, 20, 3],
        ["b", 900, null, 2],
        ["c", null, 99.5, 1],
        ["d", 50, 20, 4],
        ["e", 0, 0, 5],
      ] as const;
      for (const [orderId, amount, , afterMs] of waiting)
        await receive(orderId, { amount: amount ?? undefined, receivedAtMs: T0 + afterMs });
      await store.orders.claim(claim("p1", { nowMs: T0 + 10 }));
      for (const [orderId, , riskScore] of waiting) {
        const changes = { state: "review", dueAtMs: null, decision: decision({ riskScore }) } as const;
        await store.orders.save({ tenant: TENANT, orderId }, "p1", { changes, release: true });
      }
      const sorted = async (sort: OrderSort, limit: number) =>
        (await readAll(limit, { view: "queue", sort })).map(({ orderId }) => orderId).join("");

      for (const limit of [1, 2, 5]) {
        expect(await sorted("amount", limit)).toBe("badec");
        expect(await sorted("score", limit)).toBe("cadeb");
        expect(await sorted("age", limit)).toBe("cbade");
      }
      const { nextCursor } = await store.orders.list(TENANT, { view: "queue", sort: "score", limit: 1 });
      const other = { view: "queue", sort: "amount", limit: 1, cursor: nextCursor ?? "" } as const;
      await expect(store.orders.list(TENANT, other)).rejects.toMatchObject({ code: "ORDER_INVALID" });
    });

    it("sorts all orders by any column, page by page", async () => {
      const all = [
        ["a", 50, 20, 3],
        ["b", 900, null, 2],
        ["c", null, 99.5, 1],
        ["d", 50, 20, 4],
        ["e", 0, 0, 5],
      ] as const;
      for (const [orderId, amount, , afterMs] of all)
        await receive(orderId, { amount: amount ?? undefined, receivedAtMs: T0 + afterMs });
      await receive("other", { tenant: OTHER_TENANT, amount: 9_999 });
      await store.orders.claim(claim("p1", { nowMs: T0 + 10 }));
      for (const [orderId, , riskScore] of all) {
        const changes = { state: "settled", dueAtMs: null, decision: decision({ riskScore }) } as const;
        await store.orders.save({ tenant: TENANT, orderId }, "p1", { changes, release: true });
      }
      const sorted = async (sort: OrderSort, limit: number, filter: OrderFilter = {}) =>
        (await readAll(limit, { ...filter, sort })).map(({ orderId }) => orderId).join("");

      for (const limit of [1, 2, 5]) {
        expect(await sorted("newest", limit)).toBe("edabc");
        expect(await sorted("age", limit)).toBe("cbade");
        expect(await sorted("amount", limit)).toBe("badec");
        expect(await sorted("score", limit)).toBe("cadeb");
        expect(await sorted("amount", limit, { sinceMs: T0 + 2, untilMs: T0 + 5 })).toBe("bad");
        expect(await sorted("age", limit, { action: "hold" })).toBe("cbade");
      }
    });

    it("refuses a page of a list by amount at other rates, which would skip orders or repeat them", async () => {
      await receive("a", { amount: 2, currency: "USD" });
      await receive("b", { amount: 1, currency: "EUR" });
      const listing = { sort: "amount", rates: new Map([["USD", 1]]), limit: 1 } as const;
      const { nextCursor } = await store.orders.list(TENANT, listing);
      const cursor = nextCursor ?? "";
      expect((await store.orders.list(TENANT, { ...listing, cursor })).orders).toMatchObject([
        { orderId: "b" },
      ]);
      for (const rates of [new Map(), new Map([...listing.rates, ["EUR", 3]])]) {
        const page = store.orders.list(TENANT, { ...listing, rates, cursor });
        await expect(page).rejects.toMatchObject({ code: "ORDER_INVALID" });
      }
    });

    it("sorts amounts by what they are worth, those without a known value last", async () => {
      const amounts = [
        ["a", 100, "USD"],
        ["b", 5_000, "JPY"],
        ["c", 95, "eur"],
        ["d", 1_000_000, "KRW"],
        ["e", 99, "USD"],
        ["f", undefined, "USD"],
      ] as const;
      for (const [orderId, amount, currency] of amounts) await receive(orderId, { amount, currency });
      await store.orders.claim(claim("p1"));
      for (const [orderId] of amounts) {
        const changes = { state: "review", dueAtMs: null } as const;
        await store.orders.save({ tenant: TENANT, orderId }, "p1", { changes, release: true });
      }
      const rates = new Map([
        ["USD", 1],
        ["EUR", 1.1],
        ["JPY", 0.0065],
      ]);

      for (const view of ["queue", undefined] as const) {
        for (const limit of [1, 4, 6]) {
          const all = await readAll(limit, { view, sort: "amount", rates });
          expect(all.map(({ orderId }) => orderId).join("")).toBe("caebdf");
        }
        const unknown = await readAll(6, { view, sort: "amount" });
        expect(unknown.map(({ orderId }) => orderId).join("")).toBe("dbaecf");
      }
    });

    it.each(ORDER_SORTS)("begins the queue with urgent orders on the first page, by %s", async (sort) => {
      // The urgent ones would come last in every order.
      const waiting = [
        ["a", { state: "review", decision: decision({ riskScore: 90 }), holdDeadlineMs: T0 + 1 }, 900, 1],
        ["b", { state: "review", decision: decision({ riskScore: 80 }), holdDeadlineMs: T0 + 2 }, 800, 2],
        ["c", { state: "waiting", decision: decision({ riskScore: 70 }), holdDeadlineMs: T0 + 3 }, 700, 3],
        [
          "d",
          { state: "review", decision: decision({ riskScore: 20, disputed: true }), holdDeadlineMs: T0 + 9 },
          20,
          4,
        ],
        ["e", { state: "failed", decision: decision({ riskScore: 10 }) }, 10, 5],
      ] as const;
      for (const [orderId, , amount, afterMs] of waiting)
        await receive(orderId, { amount, receivedAtMs: T0 + afterMs });
      await store.orders.claim(claim("p1", { nowMs: T0 + 10 }));
      const save = (orderId: string, changes: OrderTransition["changes"]) =>
        store.orders.save({ tenant: TENANT, orderId }, "p1", { changes, release: false });
      for (const [orderId, changes] of waiting) await save(orderId, { dueAtMs: null, ...changes });
      const list = async (limit: number) =>
        (await readAll(limit, { view: "queue", sort })).map(({ orderId }) => orderId).join("");

      const isNewest = sort === "newest";
      for (const limit of [1, 2, 3, 5]) expect(await list(limit)).toBe(isNewest ? "edcba" : "deabc");

      // Another decision replaces the one that a bank's question caused.
      await save("d", { decision: decision({ riskScore: 20 }) });
      expect(await list(2)).toBe(isNewest ? "edcba" : "eabcd");
    });

    it("finds orders by the beginning of their number, and of names of the buyer or recipient", async () => {
      const jane = mapped("jane@shop.example", "Jane Émile-Doe");
      await receive("1", { name: "#1001", mapped: jane });
      await receive("2", { name: "#1002", mapped: { ...jane, recipientName: "李 Smith, Acme" } });
      await receive("3", { name: "EN2003", mapped: mapped("joe@shop.example", "Joe Janet") });
      await receive("4", { name: "#1004", tenant: OTHER_TENANT });
      const find = async (search: string, view?: "queue") =>
        (await readAll(1, { search, view }))
          .map(({ orderId }) => orderId)
          .toSorted()
          .join("");

      expect(await find("100")).toBe("12");
      expect(await find("#100")).toBe("12");
      expect(await find("en2")).toBe("");
      expect(await find("EN2")).toBe("3");
      expect(await find("jane")).toBe("123");
      expect(await find("EMILE ja")).toBe("12");
      expect(await find("smi")).toBe("2");
      expect(await find("李")).toBe("2");
      expect(await find("mith")).toBe("");
      expect(await find("j")).toBe("");
      expect(await find("jane", "queue")).toBe("");
      await store.orders.claim(claim("p1"));
      const changes = { state: "review", dueAtMs: null } as const;
      await store.orders.save({ tenant: TENANT, orderId: "2" }, "p1", { changes, release: true });
      expect(await find("jane", "queue")).toBe("2");
      expect(await find("10", "queue")).toBe("2");
    });

    it("keeps its place while orders come in", async () => {
      for (let index = 0; index < 6; index += 1) await receive(`o${index}`, { receivedAtMs: T0 + index });

      const first = await store.orders.list(TENANT, { limit: 3 });
      await receive("newer", { receivedAtMs: T0 + 100 });
      await receive("older", { receivedAtMs: T0 - 1 });
      const second = await store.orders.list(TENANT, { limit: 10, cursor: first.nextCursor ?? "" });

      expect(first.orders.map((one) => one.orderId)).toEqual(["o5", "o4", "o3"]);
      expect(second.orders.map((one) => one.orderId)).toEqual(["o2", "o1", "o0", "older"]);
    });

    it("filters by level, action and state, together and across pages", async () => {
      const levels = ["low", "high", "critical"] as const;
      const actions = ["allow", "hold"] as const;
      const states = ["settled", "review"] as const;
      const combinations = levels.flatMap((riskLevel) =>
        actions.flatMap((action) => states.map((state) => ({ riskLevel, action, state }))),
      );
      for (const index of combinations.keys()) await receive(`o${index}`, { receivedAtMs: T0 - index });
      await store.orders.claim(claim("p1", { limit: 50 }));
      for (const [index, { riskLevel, action, state }] of combinations.entries()) {
        await store.orders.save({ tenant: TENANT, orderId: `o${index}` }, "p1", {
          changes: { state, decision: decision({ riskLevel, action }), result: result(), dueAtMs: null },
          release: true,
        });
      }

      const ids = async (filter: OrderFilter) =>
        (await readAll(2, filter)).map((one) => Number(one.orderId.slice(1)));
      const expected = (match: (one: (typeof combinations)[number]) => boolean) =>
        [...combinations.entries()].flatMap(([index, one]) => (match(one) ? [index] : []));

      expect(await ids({ level: "high" })).toEqual(expected((one) => one.riskLevel === "high"));
      expect(await ids({ level: ["high", "critical"] })).toEqual(
        expected((one) => one.riskLevel === "high" || one.riskLevel === "critical"),
      );
      expect(await ids({ sinceMs: T0 - 2 })).toEqual([0, 1, 2]);
      expect(await ids({ action: "hold" })).toEqual(expected((one) => one.action === "hold"));
      expect(await ids({ state: "review" })).toEqual(expected((one) => one.state === "review"));
      expect(await ids({ level: "critical", action: "allow", state: "settled" })).toEqual(
        expected((one) => one.riskLevel === "critical" && one.action === "allow" && one.state === "settled"),
      );
      expect(await ids({ level: "medium" })).toEqual([]);
    });

    it("refuses a cursor that it didn't return, naming the field", async () => {
      for (const orderId of ["1", "2", "3"]) {
        await receive(orderId);
        await receive(orderId, { tenant: OTHER_TENANT });
      }
      const { nextCursor } = await store.orders.list(TENANT, { limit: 1 });
      const theirs = (await store.orders.list(OTHER_TENANT, { limit: 1 })).nextCursor;
      const open = JSON.parse(Buffer.from(nextCursor ?? "", "base64url").toString()) as unknown[];
      const forge = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");
      const forged = [
        theirs ?? "",
        forge([T0 + 5, ...open.slice(1)]),
        forge([open[0], "2", open[2]]),
        forge([open[0], open[1], ""]),
        forge([open[0], open[1], null]),
        forge({}),
        forge(null),
        "",
        "not a cursor",
        "%00",
      ];

      for (const cursor of forged) {
        const refusal: unknown = await store.orders
          .list(TENANT, { limit: 1, cursor })
          .catch((error: unknown) => error);
        expect(
          isHoldfastError(refusal, "ORDER_INVALID") && refusal.fields.map((field) => field.path),
        ).toEqual(["cursor"]);
      }
      expect(/^[A-Za-z0-9_-]+$/.test(nextCursor ?? "")).toBe(true);
    });

    it("refuses any text as a cursor", async () => {
      await assert(
        asyncProperty(string(), async (cursor) => {
          const refusal: unknown = await store.orders
            .list(TENANT, { limit: 1, cursor })
            .catch((error: unknown) => error);
          expect(isHoldfastError(refusal, "ORDER_INVALID")).toBe(true);
        }),
        { numRuns: 50 },
      );
    });

    it("counts what still needs work", async () => {
      expect(await store.figures.backlog()).toEqual({ pending: 0, oldestReceivedAtMs: null });
      const states = ["screening", "decided", "enforcing", "waiting", "settled", "review", "failed"] as const;
      for (const [index, state] of states.entries()) await receive(state, { receivedAtMs: T0 - 50 + index });
      await store.orders.claim(claim("p1"));
      for (const state of states) {
        await store.orders.save({ tenant: TENANT, orderId: state }, "p1", {
          changes: { state, dueAtMs: state === "review" ? T0 + 5 : null },
          release: true,
        });
      }
      await receive("received", { receivedAtMs: T0 });

      expect(await store.figures.backlog()).toEqual({ pending: 5, oldestReceivedAtMs: T0 - 50 });

      await store.deliveries.save([delivery("a", { receivedAtMs: T0 - 99 })]);
      expect(await store.figures.backlog()).toEqual({ pending: 6, oldestReceivedAtMs: T0 - 99 });
    });

    it("finds the earliest time at which anything is due", async () => {
      expect(await store.orders.nextDueAtMs()).toBeNull();
      await receive("1", { receivedAtMs: T0 + 20 });
      expect(await store.orders.nextDueAtMs()).toBe(T0 + 20);
      await store.deliveries.save([delivery("a", { receivedAtMs: T0 + 10 })]);
      expect(await store.orders.nextDueAtMs()).toBe(T0 + 10);
      await store.deliveries.claim(claim("p1", { nowMs: T0 + 10, leaseMs: 5 }));
      expect(await store.orders.nextDueAtMs()).toBe(T0 + 15);
    });
  });
}

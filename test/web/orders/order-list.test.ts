import { describe, expect, it } from "vitest";
import {
  appendPage,
  findNeighbour,
  findSuccessor,
  mergeFresh,
  removeOrders,
  replaceOrder,
  startList,
  toSort,
  toSorting,
  type OrderList,
  type OrderSort,
} from "../../../web/data/orders/order-list.ts";
import type { OrderRow } from "../../../web/data/api/api-types.ts";
import { createRow } from "./order-row.ts";

const byDeadline = toSorting("deadline", true);
const byAge = toSorting("newest", false);
const idsOf = (rows: readonly OrderRow[]) => rows.map(({ orderId }) => orderId);
const hour = (count: number) => new Date(Date.UTC(2026, 0, 1, count)).toISOString();
/** An order that is due `count` hours into the year. */
const due = (count: number, orderId = `d${count}`) => createRow({ orderId, holdDeadline: hour(count) });
const listOf = (rows: readonly OrderRow[], nextCursor: string | null = null): OrderList =>
  startList({ orders: rows, nextCursor });

describe("the sorting of lists", () => {
  it("follows the address, and is by deadline if it asks for nothing known", () => {
    const rows = [
      createRow({ orderId: "dear", amount: 900, riskScore: 20, receivedAt: hour(2) }),
      createRow({ orderId: "risky", amount: null, riskScore: 99, receivedAt: hour(3) }),
      createRow({ orderId: "old", amount: 5, riskScore: null, receivedAt: hour(1) }),
    ];
    const sort = (by: OrderSort) => idsOf(rows.toSorted(toSorting(by, true)));
    expect(sort("amount")).toEqual(["dear", "old", "risky"]);
    expect(sort("score")).toEqual(["risky", "dear", "old"]);
    expect(sort("age")).toEqual(["old", "dear", "risky"]);
    const disputed = [
      createRow({ orderId: "none", evidenceDueBy: null }),
      createRow({ orderId: "late", evidenceDueBy: hour(9) }),
      createRow({ orderId: "soon", evidenceDueBy: hour(8) }),
    ];
    expect(idsOf(disputed.toSorted(toSorting("evidence", false)))).toEqual(["soon", "late", "none"]);
    expect([toSort("score", true), toSort("toString", true), toSort(undefined, true)]).toEqual([
      "score",
      "deadline",
      "deadline",
    ]);
    expect(toSort(undefined, false)).toBe("newest");
  });

  it("compares amounts by their value in the shop's currency, where the server gives it", () => {
    const rows = [
      createRow({ orderId: "yen", amount: 5_000, value: 32.5 }),
      createRow({ orderId: "unknown", amount: 9_999, value: null }),
      createRow({ orderId: "dollars", amount: 100, value: 100 }),
    ];
    expect(idsOf(rows.toSorted(toSorting("amount", true)))).toEqual(["dollars", "yen", "unknown"]);
  });

  it.each(["deadline", "amount", "score", "age"] as const)(
    "begins the queue with urgent orders, by %s",
    (by) => {
      const amounts = { amount: 1, riskScore: 1, receivedAt: hour(9) };
      const rows = [due(1, "soon"), due(2, "later")];
      const urgent = createRow({ orderId: "urgent", urgent: true, holdDeadline: null, ...amounts });
      expect(idsOf([...rows, urgent].toSorted(toSorting(by, true)))[0]).toBe("urgent");
    },
  );

  it("counts a new urgent order as new, although its deadline is the last", () => {
    const list = listOf([due(1), due(2)], "more");
    const urgent = createRow({ orderId: "new", urgent: true, holdDeadline: hour(9) });
    const fresh = { orders: [urgent, due(1)], nextCursor: "more" };
    expect(mergeFresh(list, fresh, byDeadline).newCount).toBe(1);
  });

  it("is by deadline, then by value, then the orders with neither", () => {
    const rows = [
      createRow({ orderId: "none" }),
      createRow({ orderId: "cheap", holdDeadline: hour(2), amount: 5 }),
      createRow({ orderId: "unpriced", holdDeadline: hour(2), amount: null }),
      createRow({ orderId: "dear", holdDeadline: hour(2), amount: 500 }),
      createRow({ orderId: "first", holdDeadline: hour(1), amount: 1 }),
      createRow({ orderId: "none-dear", amount: 900 }),
    ];
    expect(idsOf(rows.toSorted(byDeadline))).toEqual([
      "first",
      "dear",
      "cheap",
      "unpriced",
      "none-dear",
      "none",
    ]);
  });

  it("is by age elsewhere", () => {
    const rows = [createRow({ receivedAt: hour(1) }), createRow({ orderId: "new", receivedAt: hour(9) })];
    expect(rows.toSorted(byAge)[0]?.orderId).toBe("new");
  });
});

describe("mergeFresh", () => {
  it("moves nothing: new orders wait, known ones change in place", () => {
    const list = listOf([due(1), due(3)]);
    const changed = { ...due(3), state: "failed" as const };

    const merged = mergeFresh(list, { orders: [due(1), due(2), changed], nextCursor: null }, byDeadline);

    expect(idsOf(merged.rows)).toEqual(["d1", "d3"]);
    expect(merged.rows[0]).toBe(list.rows[0]);
    expect(merged.rows[1]?.state).toBe("failed");
    expect(merged.newCount).toBe(1);
    expect(idsOf(merged.pending?.orders ?? [])).toEqual(["d1", "d2", "d3"]);
  });

  it("marks the orders that are gone", () => {
    const merged = mergeFresh(listOf([due(1), due(2)]), { orders: [due(2)], nextCursor: null }, byDeadline);
    expect([...merged.gone]).toEqual(["d1"]);
    expect(idsOf(merged.rows)).toEqual(["d1", "d2"]);
  });

  it("doesn't treat orders as gone that new ones pushed off the first page", () => {
    const list = listOf([due(2), due(3), due(4)], "more");
    const merged = mergeFresh(list, { orders: [due(1), due(2), due(3)], nextCursor: "x" }, byDeadline);
    expect([...merged.gone]).toEqual([]);
    expect(merged.newCount).toBe(1);
  });

  it("calls nothing new that comes after the shown orders", () => {
    const list = listOf([due(1), due(2), due(3)], "more");
    const merged = mergeFresh(list, { orders: [due(2), due(3), due(4)], nextCursor: "x" }, byDeadline);
    expect([...merged.gone]).toEqual(["d1"]);
    expect(merged.newCount).toBe(0);
    expect(merged.pending).toBeNull();
  });

  it("fills an empty list at once, and leaves out what was decided here", () => {
    const page = { orders: [due(1), due(2)], nextCursor: null };
    expect(idsOf(mergeFresh(listOf([]), page, byDeadline, new Set(["d1"])).rows)).toEqual(["d2"]);
    expect(mergeFresh(listOf([due(2)]), page, byDeadline, new Set(["d1"])).newCount).toBe(0);
  });
});

describe("a list", () => {
  it("grows by pages without showing an order twice", () => {
    const list = appendPage(listOf([due(1), due(2)], "more"), {
      orders: [due(2), due(3)],
      nextCursor: null,
    });
    expect(idsOf(list.rows)).toEqual(["d1", "d2", "d3"]);
    expect(list.nextCursor).toBeNull();
  });

  it("loses and replaces orders", () => {
    const list = listOf([due(1), due(2)]);
    expect(idsOf(removeOrders(list, new Set(["d1"])).rows)).toEqual(["d2"]);
    expect(replaceOrder(list, { ...due(2), name: "#2" }).rows[1]?.name).toBe("#2");
  });

  it("finds the next order", () => {
    const rows = [due(1), due(2), due(3)];
    expect(findNeighbour(rows, null, 1)?.orderId).toBe("d1");
    expect(findNeighbour(rows, "d1", 1)?.orderId).toBe("d2");
    expect(findNeighbour(rows, "d3", 1)?.orderId).toBe("d3");
    expect(findNeighbour(rows, "d1", -1)?.orderId).toBe("d1");
    expect(findSuccessor(rows, "d2")?.orderId).toBe("d3");
    expect(findSuccessor(rows, "d3")?.orderId).toBe("d2");
    expect(findSuccessor([due(1)], "d1")).toBeUndefined();
    expect(findNeighbour([], "d1", 1)).toBeUndefined();
  });
});

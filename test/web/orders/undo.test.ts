import { describe, expect, it } from "vitest";
import { putBack, startList, type Sorting } from "../../../web/data/orders/order-list.ts";
import { toUndoSeconds, toUntilMs } from "../../../web/data/orders/undo.ts";
import { createRow } from "./order-row.ts";

describe("toUndoSeconds", () => {
  it.each([
    [1, 8],
    [4, 8],
    [5, 9],
    [50, 18],
    [100, 28],
    [10_000, 60],
  ])("gives %i orders %i seconds", (orders, seconds) => {
    expect(toUndoSeconds(orders)).toBe(seconds);
  });
});

describe("toUntilMs", () => {
  it("follows this machine's clock, whatever the server's says", () => {
    const pending = {
      act: "approve",
      by: "person:7",
      at: "2020-01-01T00:00:00.000Z",
      effectiveAt: "2020-01-01T00:00:08.000Z",
    } as const;

    expect(toUntilMs(pending, 5_000)).toBe(13_000);
  });
});

describe("putBack", () => {
  const byId: Sorting = (one, other) => Number(one.orderId) - Number(other.orderId);
  const row = (orderId: string) => createRow({ orderId });

  it("puts undone orders back in their place, and replaces the ones that are there", () => {
    const list = startList({ orders: [row("2"), row("4")], nextCursor: null });
    const again = createRow({ orderId: "2", name: "again" });

    const { rows } = putBack(list, [row("5"), row("3"), row("1"), again], byId);

    expect(rows.map(({ orderId }) => orderId)).toEqual(["1", "2", "3", "4", "5"]);
    expect(rows[1]?.name).toBe("again");
  });
});

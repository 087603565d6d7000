import { describe, expect, it } from "vitest";
import { toGroups } from "../../web/views/orders/order-row.tsx";
import { toggleOrder } from "../../web/views/orders/use-list-keys.ts";
import { createRow } from "./order-row.ts";

const ROWS = ["a", "b", "c", "d"].map((orderId) => createRow({ orderId }));

describe("toggleOrder", () => {
  it("selects and deselects one", () => {
    expect([...toggleOrder(ROWS, new Set(), "b", null)]).toEqual(["b"]);
    expect([...toggleOrder(ROWS, new Set(["a", "b"]), "b", null)]).toEqual(["a"]);
  });

  it("selects all from the last one to this one, in either direction", () => {
    expect([...toggleOrder(ROWS, new Set(["b"]), "d", "b")].toSorted()).toEqual(["b", "c", "d"]);
    expect([...toggleOrder(ROWS, new Set(["d"]), "b", "d")].toSorted()).toEqual(["b", "c", "d"]);
  });

  it("ignores the last order if it left the list", () => {
    expect([...toggleOrder(ROWS, new Set(), "c", "gone")]).toEqual(["c"]);
  });
});

describe("toGroups", () => {
  it("keeps every row, in order", () => {
    const rows = Array.from({ length: 120 }, (_, index) => createRow({ orderId: `${index}` }));
    const groups = toGroups(rows);
    expect(groups.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(groups.flat()).toEqual(rows);
    expect(toGroups([])).toEqual([]);
  });
});

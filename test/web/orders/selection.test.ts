import { describe, expect, it } from "vitest";
import { toGroups } from "../../../web/data/base/value.ts";
import { ROWS_TOGETHER } from "../../../web/views/orders/order-row.tsx";
import { createRow } from "./order-row.ts";

describe("toGroups", () => {
  it("keeps every row, in order", () => {
    const rows = Array.from({ length: 120 }, (_, index) => createRow({ orderId: `${index}` }));
    const groups = toGroups(rows, ROWS_TOGETHER);
    expect(groups.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(groups.flat()).toEqual(rows);
    expect(toGroups([], ROWS_TOGETHER)).toEqual([]);
  });
});

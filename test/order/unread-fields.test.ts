import { describe, expect, it, vi } from "vitest";
import { listUnread, withUnread } from "../../src/order/unread-fields.ts";

const faults = Array.from({ length: 1_000 }, (_, index) => ({ path: `items[${index}]`, message: "is odd" }));

describe("withUnread", () => {
  it("carries at most twenty problems, in copies too", () => {
    expect(listUnread({ ...withUnread({}, faults) })).toEqual(faults.slice(0, 20));
    expect(listUnread({})).toEqual([]);
  });

  it("carries them to another copy of the library", async () => {
    vi.resetModules();
    const other = await import("../../src/order/unread-fields.ts");

    expect(other.listUnread(withUnread({}, faults.slice(0, 1)))).toEqual(faults.slice(0, 1));
  });
});

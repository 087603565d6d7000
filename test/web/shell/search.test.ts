import { describe, expect, it } from "vitest";
import { savedFilters, handSearch, isOrderNumber, takeSearch } from "../../../web/data/shell/search.ts";

describe("isOrderNumber", () => {
  it.each([
    ["#1001", true],
    ["1001", true],
    ["EN-2003.1", true],
    ["6712345678901", true],
    ["Jane", false],
    ["Jane Doe 2", false],
    ["jane@shop.example", false],
    ["李", false],
    ["", false],
  ])("decides whether %s goes into the address: %s", (text, isIn) => {
    expect(isOrderNumber(text)).toBe(isIn);
  });
});

describe("handSearch", () => {
  it("passes a search to the next list only", () => {
    handSearch("Jane");
    expect([takeSearch(), takeSearch()]).toEqual(["Jane", ""]);
  });
});

describe("saved filters", () => {
  function createStorage() {
    const kept = new Map<string, string>();
    return {
      kept,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    };
  }

  it("are saved for each list, and forgotten when they are toggled again", () => {
    const storage = createStorage();
    const queue = savedFilters("queue", () => storage);
    queue.toggle({ level: "high", sort: "amount" });
    queue.toggle({ due: "soon" });

    expect(queue.list()).toEqual([{ level: "high", sort: "amount" }, { due: "soon" }]);
    expect(queue.has({ sort: "amount", level: "high" })).toBe(true);
    expect(savedFilters("orders", () => storage).list()).toEqual([]);
    queue.toggle({ sort: "amount", level: "high" });
    expect(queue.list()).toEqual([{ due: "soon" }]);
  });

  it("are empty if storage is blocked or holds something else", () => {
    const blocked = savedFilters("queue", () => {
      throw new Error("blocked");
    });
    blocked.toggle({ due: "soon" });
    expect(blocked.list()).toEqual([]);
    const storage = createStorage();
    storage.kept.set("holdfast-filters queue ", '[{"level":1},null,"x",{"level":"low"}]');
    expect(savedFilters("queue", () => storage).list()).toEqual([{ level: "low" }]);
  });
});

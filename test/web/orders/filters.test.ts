import { describe, expect, it } from "vitest";
import { toSavedQuery } from "../../../web/data/orders/filters.ts";
import { findView, listViews, nameView, type SavedView } from "../../../web/data/orders/saved-views.ts";

function view(name: string, changes: Partial<SavedView> = {}): SavedView {
  return {
    viewId: name,
    list: "orders",
    name,
    shared: true,
    query: { level: "high", sort: "amount" },
    by: "person:7",
    savedAt: "2026-11-20T12:00:00.000Z",
    canChange: true,
    ...changes,
  };
}

describe("toSavedQuery", () => {
  it("keeps filters and sort, and never a search or what else is in the address", () => {
    expect(toSavedQuery({ q: "jane", buyer: "1", level: "high", due: "", sort: "age" })).toEqual({
      level: "high",
      sort: "age",
    });
  });
});

describe("saved views", () => {
  it("belong to one list, and are sorted by name as people do", () => {
    const all = [view("b"), view("Émile"), view("A"), view("C", { list: "queue" })];
    expect(listViews(all, "orders").map(({ name }) => name)).toEqual(["A", "b", "Émile"]);
  });

  it("are found by what they show, in any order", () => {
    expect(findView([view("a")], { sort: "amount", level: "high" })?.name).toBe("a");
    expect(findView([view("a")], { level: "high" })).toBeUndefined();
  });

  it("name the colleague who shared them, as long as they are there", () => {
    expect(nameView(view("a", { by: "person:console" }))).toBe("a · Console token");
    expect(nameView(view("a", { by: null }))).toBe("a");
  });
});

import { describe, expect, it } from "vitest";
import { toEntries } from "../../../web/components/form.tsx";
import { isStorable, moveEntry, toNewName } from "../../../web/data/policy/policy-draft.ts";
import { findProblem, hasProblem } from "../../../web/data/api/field-problems.ts";
import {
  type Finding,
  type Setup,
  isFirstRun,
  sortFindings,
  toStages,
} from "../../../web/data/settings/settings.ts";
import { parsePolicy } from "../../../src/policy/policy.ts";

describe("findProblem", () => {
  const problems = [
    { path: "rules[0].when.sku[2]", message: "expected 1 to 500 characters" },
    { path: "rules[10].name", message: "expected a name" },
  ];

  it("finds an invalid entry of the list", () => {
    expect(findProblem(problems, "rules[0].when.sku")).toBe("Expected 1 to 500 characters.");
    expect(findProblem(problems, "rules[1].name")).toBeUndefined();
  });

  it("doesn't mistake rule 10 for rule 1", () => {
    expect(hasProblem(problems, "rules[1].")).toBe(false);
    expect(hasProblem(problems, "rules[10].")).toBe(true);
  });
});

describe("isStorable", () => {
  const draft = (when: object) =>
    parsePolicy({ rules: [{ name: "Rule 1", when, then: { action: "hold" } }] });

  it("keeps rules that may name somebody out of the browser's storage", () => {
    expect(isStorable(draft({ minAmount: 5, country: ["NO"], emailDomain: ["shop.example"] }))).toBe(true);
    expect(isStorable(draft({ minAmount: 5, email: ["jane@shop.example"] }))).toBe(false);
    expect(isStorable(draft({ address: ["Main Street 1"] }))).toBe(false);
  });
});

describe("moveEntry", () => {
  it.each([
    [0, 1, ["b", "a", "c"]],
    [2, -1, ["a", "c", "b"]],
  ])("moves entry %d by %d", (from, by, moved) => {
    expect(moveEntry(["a", "b", "c"], from, by)).toStrictEqual(moved);
  });

  it.each([
    [0, -1],
    [2, 1],
    [7, 1],
  ])("leaves the list alone when %d can't move by %d", (from, by) => {
    const list = ["a", "b", "c"];

    expect(moveEntry(list, from, by)).toBe(list);
  });
});

describe("toNewName", () => {
  it("returns a name that no rule has", () => {
    const rule = { name: "Rule 2", when: { minAmount: 1 }, then: { action: "hold" as const } };

    expect(toNewName(parsePolicy({ rules: [rule] }).rules)).toBe("Rule 3");
  });
});

describe("toEntries", () => {
  it("splits at commas and lines, and drops blanks, gaps and repetitions", () => {
    expect(toEntries(" a, b\nc d ,,a\n")).toStrictEqual(["a", "b", "c d"]);
  });
});

describe("isFirstRun", () => {
  const setup = (isDecided: boolean): Setup => ({
    done: false,
    steps: [{ id: "first-order", done: isDecided, detail: "" }],
    findings: [],
    scopes: null,
    personalData: "unknown",
  });

  it("is true until something was decided", () => {
    expect([isFirstRun(setup(false)), isFirstRun(setup(true)), isFirstRun(null)]).toStrictEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("sortFindings", () => {
  it("puts the worst first", () => {
    const found = (["skipped", "ok", "problem", "warning"] as const).map((status): Finding => ({
      id: status,
      status,
      found: "",
      advice: null,
      requests: [],
    }));

    expect(sortFindings(found).map(({ id }) => id)).toStrictEqual(["problem", "warning", "ok", "skipped"]);
  });
});

describe("toStages", () => {
  const order = {
    receivedAt: "2026-11-20T10:00:00.000Z",
    decidedAt: "2026-11-20T10:00:01.000Z",
    settledAt: null,
    state: "enforcing",
    timeline: [{ at: "2026-11-20T10:00:02.000Z", kind: "held", detail: "", actor: "holdfast" }],
  } as const;

  it("waits for everything at first", () => {
    expect(toStages(null).map(({ at }) => at)).toStrictEqual([null, null, null]);
  });

  it("says when each stage was reached", () => {
    expect(toStages(order).map(({ at }) => at)).toStrictEqual([order.receivedAt, order.decidedAt, null]);
  });

  it("ends with a held order, which isn't settled before a person decides", () => {
    expect(toStages({ ...order, state: "review" }).at(-1)).toStrictEqual({
      id: "settled",
      label: "Held for review",
      at: "2026-11-20T10:00:02.000Z",
    });
  });
});

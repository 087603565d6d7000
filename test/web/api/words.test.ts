import { describe, expect, it } from "vitest";
import { TEXTS as PROBLEM_WORDS } from "../../../web/texts/en/problems.ts";
import { explainEntry, explainReason, nameKind } from "../../../web/data/orders/event-words.ts";
import { groupFactors } from "../../../web/data/orders/factors.ts";
import {
  formatValue,
  nameField,
  explainProblems,
  nameActor,
  nameState,
  nameSkip,
  splitCode,
} from "../../../web/data/api/words.ts";
import { toSentence } from "../../../web/data/api/api.ts";
import { ERROR_CODES } from "../../../src/base/errors.ts";

describe("nameState", () => {
  it.each([
    ["Done", {}],
    ["Recorded only", { enforced: false }],
    ["Done", { enforced: false, action: "allow" }],
    ["Held for review", { enforced: false, state: "review" }],
    ["Received", { enforced: null, state: "received", action: null }],
    ["Checking again", { pendingRecheck: { changedAt: "2026-11-26T01:00:00Z", held: false } }],
    ["Held, checking again", { pendingRecheck: { changedAt: "2026-11-26T01:00:00Z", held: true } }],
    [
      "Held for review",
      { state: "review", pendingRecheck: { changedAt: "2026-11-26T01:00:00Z", held: true } },
    ],
  ] as const)("returns %s for %j", (words, over) => {
    const done = { state: "settled", action: "cancel", enforced: true, pendingRecheck: null } as const;
    expect(nameState({ ...done, ...over })).toBe(words);
  });
});

describe("problems", () => {
  it.each<[Parameters<typeof explainProblems>[0], string]>([
    [[{ code: "VERIFICATION_NO_CREDITS" }], "no credits left; buy more (VERIFICATION_NO_CREDITS)"],
    [
      [
        { step: "cancel", code: "already-fulfilled" },
        { step: "hold", code: "<img/src=x>" },
      ],
      "cancel: the order already shipped (already-fulfilled); hold: <img/src=x>",
    ],
    [
      [{ code: "PLATFORM_THROTTLED" }, { code: "PLATFORM_THROTTLED" }, { code: "constructor" }],
      "the platform is limiting requests (PLATFORM_THROTTLED); constructor",
    ],
    [[], ""],
  ])("%j are described in words", (problems, words) => {
    expect(explainProblems(problems)).toBe(words);
  });

  it.each([
    "HISTORY_NOT_GRANTED",
    "HISTORY_INCOMPLETE",
    "PAYMENT_NOT_GRANTED",
    "DETAIL_INCOMPLETE",
    "DETAIL_UNUSABLE",
    "ORDER_NOT_FOUND",
  ])("have words for what an order is checked without: %s", (code) => {
    const event = { kind: "less-detail", limitations: [code] } as const;
    expect(explainEntry({ kind: event.kind, detail: code, event })).toMatch(/^[A-Za-z].* \([A-Z_]+\)$/);
  });

  it("have words for every error that can stop an order", () => {
    const stopping = ERROR_CODES.filter((code) =>
      /^(?:VERIFICATION|PLATFORM)_|_SPENT$|^INTERNAL$/.test(code),
    );
    expect(Object.keys(PROBLEM_WORDS)).toEqual(expect.arrayContaining(stopping));
  });

  it("of the API become sentences", () => {
    expect(toSentence("no such order")).toBe("No such order.");
    expect(toSentence("Wait!")).toBe("Wait!");
    expect(toSentence("")).toBe("");
  });
});

type Told = Parameters<typeof explainEntry>[0];

describe("the timeline", () => {
  it.each([
    ["received", "Order received"],
    ["hold-done", "Hold: done"],
    ["tag-impossible", "Tags: not possible"],
    ["something-else", "Something else"],
    ["constructor", "Constructor"],
  ])("describes %s as %s", (kind, words) => {
    expect(nameKind(kind)).toBe(words);
  });

  it.each<[NonNullable<Told["event"]>, string, string]>([
    [{ kind: "received", topic: "orders/create" }, "orders/create", ""],
    [{ kind: "received" }, "created in the console", "created in the console"],
    [
      { kind: "waiting", problems: [{ code: "PLATFORM_THROTTLED" }] },
      "PLATFORM_THROTTLED",
      "the platform is limiting requests (PLATFORM_THROTTLED)",
    ],
    [
      { kind: "settled", problems: [{ step: "tag", code: "tags-refused" }] },
      "tag:tags-refused",
      "tag: the platform rejected the tags (tags-refused)",
    ],
    [{ kind: "hold-impossible" }, "already-fulfilled", "the order already shipped (already-fulfilled)"],
    [{ kind: "settled", problems: [] }, "the platform follows", "the platform follows"],
    [
      {
        kind: "decided",
        action: "hold",
        source: "service",
        reasons: ["level:high", "rule:Gifts, (large): all"],
      },
      "hold (service): level:high, rule:Gifts, (large): all",
      "Hold (verification service) · Risk level high · Rule “Gifts, (large): all”",
    ],
    [
      { kind: "less-detail", limitations: ["PLATFORM_THROTTLED", "X"] },
      "…",
      "the platform is limiting requests (PLATFORM_THROTTLED); X",
    ],
    [
      { kind: "changed", paths: ["shippingAddress.country", "customerEmail"], check: "to-be-checked" },
      "…",
      "Shipping address: country · Customer email · to be checked again",
    ],
    [{ kind: "undone", act: "decline" }, "decline", "The order was declined"],
    [{ kind: "hold-overridden", by: "person" }, "…", "By a person"],
    [{ kind: "hold-overridden", by: "app", app: "Flow" }, "…", "By Flow, not by a person"],
    [{ kind: "hold-overridden", by: "app" }, "…", "By another app, not by a person"],
    [{ kind: "hold-overridden", by: "unknown" }, "…", "The platform doesn't say who did it"],
    [{ kind: "approve" }, "taken up", "taken up"],
    [{ kind: "note" }, "approve", ""],
  ])("of %j (%s) tells %j", (event, detail, words) => {
    expect(explainEntry({ kind: event.kind, detail, event })).toBe(words);
  });

  it("says when a decision takes effect", () => {
    const event = { kind: "approve", effectiveAt: "2026-11-20T10:00:10.000Z" } as const;
    expect(explainEntry({ kind: "approve", detail: "…", event })).toMatch(
      /^Takes effect at .+ unless undone$/,
    );
  });

  it.each([
    ["level:high", "Risk level high"],
    ["rule:Gift cards", "Rule “Gift cards”"],
    ["degraded", "Decided without the verification service"],
    ["person:approved", "A person approved it"],
    ["shadow", "Watch only: no changes on the platform"],
    ["opted-out", "The customer opted out of automatic decisions, so a person decides"],
    ["channel:pos", "Orders from the channel “pos” aren't checked"],
    ["unheard-of:x", "unheard-of:x"],
  ])("describes the reason %s as %s", (reason, words) => {
    expect(explainReason(reason)).toBe(words);
  });

  it("names actors", () => {
    expect(nameActor("holdfast")).toBe("Holdfast");
    expect(nameActor("person:console")).toBe("Console token");
    expect(nameActor("person:42")).toBe("Unnamed user");
    expect(nameActor("person:p_ab")).toBe("Unnamed user");
  });

  it("separates a description from its code", () => {
    expect(splitCode("A throw-away domain. [EMAIL_RESERVED_DOMAIN]")).toEqual({
      text: "A throw-away domain.",
      code: "EMAIL_RESERVED_DOMAIN",
    });
    expect(splitCode("Nothing [here]")).toEqual({ text: "Nothing [here]", code: null });
  });

  it("explains why orders aren't sent", () => {
    expect(nameSkip("NO_EMAIL")).toBe("no email address");
    expect(nameSkip("constructor")).toBe("constructor");
    expect(explainReason("skipped:NO_EMAIL")).toBe("Not sent to the verification service: no email address");
  });
});

describe("groupFactors", () => {
  const factor = (category: string, severity: string) => ({
    factor: severity,
    category,
    severity,
    description: "",
  });

  it("puts the most severe first, in each category and among them", () => {
    const groups = groupFactors([
      factor("customer", "low"),
      factor("address", "medium"),
      factor("customer", "critical"),
      factor("address", "odd"),
    ]);
    expect(
      groups.map(({ category, factors }) => [category, factors.map(({ severity }) => severity)]),
    ).toEqual([
      ["Customer", ["critical", "low"]],
      ["Addresses", ["medium", "odd"]],
    ]);
  });
});

describe("fields", () => {
  it.each([
    ["orderAmount", "Order amount"],
    ["shippingAddress.postalCode", "Shipping address: postal code"],
    ["items[0].name", "Items 1: name"],
    ["ipAddress", "IP address"],
    ["orderId", "Order ID"],
  ])("%s is called %s", (path, words) => {
    expect(nameField(path)).toBe(words);
  });

  it("have values as text", () => {
    expect([null, "", true, 12.5, "x", ["a"]].map(formatValue)).toEqual([
      "–",
      "–",
      "yes",
      "12.5",
      "x",
      '["a"]',
    ]);
  });
});

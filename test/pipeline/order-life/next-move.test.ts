import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Decision } from "../../../src/order/decision.ts";
import type { ObservedOrder } from "../../../src/platform/platform.ts";
import type { Move } from "../../../src/pipeline/order-life/moves.ts";
import { nextMove, TURNS } from "../../../src/pipeline/order-life/next-move.ts";
import type { Found, Pass } from "../../../src/pipeline/order-life/situation.ts";
import type { StepRecord } from "../../../src/store/store.ts";
import { readRows } from "../../support/markdown.ts";
import {
  BEFORE,
  CANCEL,
  CHANGED,
  decided,
  GUESS,
  HELD,
  INQUIRY,
  OVERDUE,
  POSTPONED,
  RELEASED,
  REVIEW,
  situation,
  step,
  WARNED,
  type Changes,
} from "../../support/situations.ts";
import { T0 } from "../../store/samples.ts";
import { BUYER_CASES, type Case } from "./buyer-cases.ts";

const UNCLEAR = step("hold", { notes: { unclear: "yes" } });
const RELEASED_BY_APP: ObservedOrder = { ...RELEASED, released: { by: "app" } };
/** A hold after its deadline, of which people were warned. */
const overdue = (
  onDeadline: "keep" | "release" | "cancel",
  decision: Partial<Decision> = {},
  found: Found = {},
): Changes => ({
  order: { ...decided("review", decision), ...OVERDUE },
  steps: [WARNED],
  policy: { hold: { onDeadline } },
  found: { observed: HELD, noNews: true, ...found },
});

/** A pass of steps that found the platform canceling the order. */
const CANCELING: Pass = { wasBegun: true, isHeld: false, coolOff: false, loose: null, waits: new Map() };
/** The order was changed and the bank asks about it, while a cancel that had begun ended like this. */
const toEnded = (state: StepRecord["state"]): Changes => ({
  order: { ...decided("enforcing", CANCEL), revision: CHANGED, rereadAtMs: T0 },
  policyVersion: 2,
  disputes: [INQUIRY],
  steps: [BEFORE, step("assess"), step("tag"), step("cancel", { state })],
  found: { pass: CANCELING },
});

const KEPT: Partial<Move> = { kind: "keep-hold", stay: { holdable: false, overdue: "policy" } };
const DISPUTED: Partial<Move> = { kind: "keep-hold", stay: { holdable: false, overdue: "disputed" } };

/** Situations in the order of their turns. */
const CASES: readonly Case[] = [
  [
    "a review that can be undone",
    { order: { review: { ...REVIEW, effectiveAtMs: T0 + 5_000 } } },
    { kind: "wait", untilMs: T0 + 5_000 },
  ],
  ["a review", { order: { ...decided("review"), review: REVIEW } }, { kind: "apply-review" }],
  ["a recheck", { order: { review: { ...REVIEW, act: "recheck" } } }, { kind: "check-for-person" }],
  ["no platform", { hasPlatform: false }, { kind: "fail", problem: "CONFIG_INVALID" }],
  [
    "a new order, held while it's checked",
    { policy: { whileChecking: "hold" } },
    { kind: "hold-to-check", placed: undefined },
  ],
  [
    "a new order, if the hold failed",
    { policy: { whileChecking: "hold" }, found: { triedToHold: true } },
    { kind: "decide" },
  ],
  [
    "a new order that is held",
    { policy: { whileChecking: "hold" }, steps: [step("hold")] },
    { kind: "decide" },
  ],
  [
    "an order for the record, held while it's checked",
    { policy: { whileChecking: "hold" }, order: { effects: "record" } },
    { kind: "decide" },
  ],
  [
    "a sandbox order, held while it's checked",
    { policy: { whileChecking: "hold" }, order: { effects: "none" } },
    { kind: "decide" },
  ],
  [
    "an approved order that changed, held while it's checked",
    {
      policy: { whileChecking: "hold" },
      order: { ...decided("settled", { action: "allow" }), revision: CHANGED },
    },
    { kind: "hold-to-check" },
  ],
  [
    "an order in shadow mode, held while it's checked",
    { policy: { whileChecking: "hold", mode: "shadow" } },
    { kind: "decide" },
  ],
  [
    "a changed order whose hold a person released, held while it's checked",
    { policy: { whileChecking: "hold" }, order: { ...decided("settled"), revision: CHANGED } },
    { kind: "decide-changed" },
  ],
  ["a change before the decision", { order: { revision: CHANGED } }, { kind: "take-up-change" }],
  ["missing detail", { order: { enriched: false } }, { kind: "read-detail" }],
  [
    "missing detail of a change",
    { order: { ...decided("settled"), revision: { ...CHANGED, enriched: false } } },
    { kind: "read-changed-detail" },
  ],
  ["news", { order: { ...decided("settled"), rereadAtMs: T0 } }, { kind: "refresh-context", seenMs: T0 }],
  ["news later", { order: { ...decided("settled"), rereadAtMs: T0 + 1 } }, { kind: "wait", untilMs: null }],
  [
    "news that change nothing, at rest",
    { order: { ...decided("settled"), rereadAtMs: T0 }, found: { news: { changes: {} } } },
    { kind: "keep-news", rest: { untilMs: null } },
  ],
  [
    "news that change nothing, before the decision",
    { order: { rereadAtMs: T0 }, found: { news: { changes: {} } } },
    { kind: "keep-news", rest: null },
  ],
  [
    "news that change nothing, of a guess whose hold a person released",
    { order: { ...decided("settled", GUESS), rereadAtMs: T0 }, found: { news: { changes: {} } } },
    { kind: "keep-news", rest: { untilMs: null } },
  ],
  [
    "a change that isn't to be checked",
    { order: { ...decided("review"), revision: { ...CHANGED, rescreen: false } } },
    { kind: "look-at-hold" },
  ],
  [
    "a change of a canceled order",
    { order: { ...decided("settled", CANCEL), revision: CHANGED }, steps: [step("cancel")] },
    { kind: "drop-change" },
  ],
  ["a change", { order: { ...decided("review"), revision: CHANGED } }, { kind: "decide-changed" }],
  [
    "a change while the platform cancels the order",
    {
      order: { ...decided("waiting", CANCEL), revision: CHANGED },
      steps: [step("cancel", { state: "waiting", begun: true }), step("assess"), step("tag")],
    },
    { kind: "apply-step", step: "cancel" },
  ],
  [
    "a change that waits for the service, at rest",
    { order: { ...decided("review"), revision: CHANGED }, found: { postponed: POSTPONED } },
    { kind: "postpone-change", isAtRest: true },
  ],
  [
    "a change that waits for the service, with steps left",
    { order: { ...decided("decided"), revision: CHANGED }, found: { postponed: POSTPONED } },
    { kind: "postpone-change", isAtRest: false },
  ],
  [
    "the steps left meanwhile",
    {
      order: { ...decided("decided"), revision: CHANGED },
      disputes: [INQUIRY],
      found: { postponed: { ...POSTPONED, isSaved: true } },
    },
    { kind: "apply-step", step: "hold" },
  ],
  ["erased content", { order: { mapped: null } }, { kind: "fail", problem: "ERASED_BEFORE_DECISION" }],
  [
    "unreadable content",
    { order: { mapped: null, problem: "DATA_UNREADABLE" } },
    { kind: "fail", problem: "DATA_UNREADABLE" },
  ],
  ["a new order", {}, { kind: "decide" }],
  ["a held order", { order: decided("review") }, { kind: "look-at-hold" }],
  [
    "a held order in shadow mode",
    { order: decided("review"), policy: { mode: "shadow" } },
    { kind: "wait", tries: 1 },
  ],
  [
    "a held order in shadow mode, after its deadline",
    {
      order: { ...decided("review"), ...OVERDUE },
      policy: { mode: "shadow", hold: { onDeadline: "release" } },
    },
    { kind: "wait", tries: 1 },
  ],
  [
    "an order that a person holds in shadow mode",
    { order: decided("review", { source: "person" }), policy: { mode: "shadow" } },
    { kind: "look-at-hold" },
  ],
  [
    "a lost order",
    { order: decided("review"), found: { observed: null } },
    { kind: "end-hold", finding: { kind: "lost" } },
  ],
  [
    "a held order that shipped",
    { order: decided("review"), found: { observed: { ...RELEASED, fulfilled: true } } },
    { kind: "end-hold", finding: { kind: "ended", ended: "shipped" } },
  ],
  [
    "a hold that a person released",
    { order: decided("review"), found: { observed: { ...RELEASED, released: { by: "person" } } } },
    { kind: "end-hold", finding: { kind: "overridden", release: { by: "person" } } },
  ],
  [
    "a hold that a person released, although the service may answer late",
    { order: decided("review", GUESS), found: { observed: RELEASED } },
    { kind: "end-hold", finding: { kind: "overridden", release: { by: "person" } } },
  ],
  [
    "a hold that Holdfast released before it died",
    {
      order: decided("review"),
      steps: [step("hold", { notes: { releasing: "yes" } })],
      found: { observed: RELEASED },
    },
    { kind: "end-hold", finding: { kind: "released-by-us" } },
  ],
  [
    "a hold that Holdfast released at its deadline",
    { order: decided("review"), found: { observed: HELD, isReleased: true } },
    { kind: "end-hold", finding: { kind: "released-by-us" } },
  ],
  [
    "a hold that somebody released",
    { order: decided("review"), found: { observed: { ...RELEASED, released: { by: "unknown" } } } },
    { kind: "learn-who-released" },
  ],
  [
    "a hold that somebody released, looked at once more",
    {
      order: decided("review"),
      steps: [UNCLEAR],
      found: { observed: { ...RELEASED, released: { by: "unknown" } } },
    },
    { kind: "end-hold", finding: { kind: "overridden", release: { by: "unknown" } } },
  ],
  [
    "a hold that an app released, looked at once more",
    { order: decided("review"), steps: [UNCLEAR], found: { observed: RELEASED_BY_APP } },
    { kind: "follow-app-release", release: { by: "app" } },
  ],
  ["a hidden order", { order: decided("review"), found: { observed: "hidden" } }, { kind: "stay-hidden" }],
  ["a held guess", { order: decided("review", GUESS), found: { observed: HELD } }, { kind: "ask-late" }],
  ["a settled guess", { order: decided("settled", { ...GUESS, action: "tag" }) }, { kind: "ask-late" }],
  [
    "a guess, just after another order's trial call",
    {
      order: decided("settled", { ...GUESS, action: "tag" }),
      found: { unanswered: { askAgainAtMs: T0 + 500 } },
    },
    { kind: "wait" },
  ],
  [
    "a hold that an app released",
    { order: decided("review"), found: { observed: RELEASED_BY_APP } },
    { kind: "follow-app-release", release: { by: "app" } },
  ],
  [
    "a hold after its deadline",
    { order: { ...decided("review"), ...OVERDUE }, steps: [WARNED], found: { observed: HELD } },
    { kind: "check-for-news" },
  ],
  ["a deadline that cancels", overdue("cancel"), { kind: "cancel-at-deadline" }],
  [
    "a deadline that cancels, of an order that the platform hides",
    overdue("cancel", {}, { observed: { ...HELD, hidden: true } }),
    { kind: "keep-hold", stay: { holdable: false, overdue: "hidden" } },
  ],
  ["a deadline that cancels, of a guess", overdue("cancel", GUESS, { unanswered: {} }), KEPT],
  [
    "a deadline that cancels, of an order that the latest answer allows",
    overdue("cancel", { action: "allow", riskLevel: "low" }),
    KEPT,
  ],
  ["a deadline that releases", overdue("release"), { kind: "release-at-deadline" }],
  [
    "a deadline that releases, of an order that a person declined",
    overdue("release", { ...CANCEL, source: "person" }),
    KEPT,
  ],
  ...(["open", "lost"] as const).map((status): Case => [
    `a deadline that releases, while a chargeback is ${status}`,
    { ...overdue("release"), disputes: [{ ...INQUIRY, kind: "chargeback", status }] },
    DISPUTED,
  ]),
  [
    "a deadline that releases, while a bank asks about the payment",
    { ...overdue("release"), disputes: [INQUIRY] },
    DISPUTED,
  ],
  [
    "a deadline that releases, after the bank's inquiry",
    { ...overdue("release"), disputes: [{ ...INQUIRY, status: "won" }] },
    { kind: "release-at-deadline" },
  ],
  [
    "a hold that stays",
    { order: decided("review"), found: { observed: HELD } },
    { kind: "keep-hold", stay: { kind: "held", expiring: false, holdable: false } as never },
  ],
  [
    "no late answer",
    { order: decided("settled", { ...GUESS, action: "tag" }), found: { unanswered: {} } },
    { kind: "wait", tries: 1 },
  ],
  ["an order at rest", { order: decided("settled") }, { kind: "wait", untilMs: null }],
  ["an inquiry", { order: decided("decided", CANCEL), disputes: [INQUIRY] }, { kind: "hold-for-inquiry" }],
  [
    "an inquiry about an order that a person decided",
    { order: decided("decided", { ...CANCEL, source: "person" }), disputes: [INQUIRY] },
    { kind: "apply-step" },
  ],
  [
    "an inquiry about an order whose cancel the platform refused for now",
    { order: decided("waiting", CANCEL), disputes: [INQUIRY], steps: [step("cancel", { state: "waiting" })] },
    { kind: "hold-for-inquiry" },
  ],
  [
    "an inquiry about an order that the platform cancels",
    {
      order: decided("waiting", CANCEL),
      disputes: [INQUIRY],
      steps: [step("assess"), step("tag"), step("cancel", { state: "waiting", begun: true })],
    },
    { kind: "apply-step", step: "cancel" },
  ],
  [
    "a cancel after a hold",
    { order: decided("decided", CANCEL), steps: [BEFORE] },
    { kind: "ask-who-released", hold: BEFORE },
  ],
  [
    "a cancel after a hold that a person released",
    { order: decided("decided", CANCEL), steps: [BEFORE], found: { releasedBefore: { by: "person" } } },
    { kind: "hold-instead", cause: "hold-released" },
  ],
  [
    "a cancel that is retried, after a hold that a person released",
    {
      order: decided("waiting", CANCEL),
      steps: [BEFORE, step("cancel", { state: "waiting" })],
      found: { releasedBefore: { by: "person" } },
    },
    { kind: "hold-instead", cause: "hold-released" },
  ],
  [
    "a cancel after a hold that Holdfast released",
    {
      order: decided("decided", CANCEL),
      steps: [BEFORE, step("release", { atMs: BEFORE.atMs + 1 })],
    },
    { kind: "apply-step", step: "assess" },
  ],
  [
    "a hold for an answer, after a hold that a person released",
    { order: decided("decided"), steps: [BEFORE], found: { releasedBefore: { by: "person" } } },
    { kind: "apply-step", step: "hold" },
  ],
  [
    "a cancel after a hold that an app released",
    { order: decided("decided", CANCEL), steps: [BEFORE], found: { releasedBefore: { by: "app" } } },
    { kind: "apply-step", step: "assess" },
  ],
  [
    "a hold without an answer, after a hold that a person released",
    {
      order: decided("decided", {
        ...GUESS,
        heldToCheck: true,
        supersedes: { held: true, tags: [], whileChecking: true },
      }),
      steps: [BEFORE],
      found: { releasedBefore: { by: "person" } },
    },
    { kind: "end-hold", finding: { kind: "overridden", release: { by: "person" } } },
  ],
  [
    "a cancel under a new policy",
    { order: decided("decided", CANCEL), policyVersion: 2 },
    { kind: "judge-cancel-again" },
  ],
  [
    "a cancel that the new policy doesn't mean",
    { order: decided("decided", CANCEL), policyVersion: 2, found: { stillCancels: false } },
    { kind: "hold-instead", cause: "policy-changed" },
  ],
  [
    "a cancel that the new policy means too",
    { order: decided("decided", CANCEL), policyVersion: 2, found: { stillCancels: true } },
    { kind: "apply-step", step: "assess" },
  ],
  [
    "a cancel that waits on hold",
    { order: decided("waiting", CANCEL), steps: [step("hold")], policy: { cancel: { coolOffMinutes: 60 } } },
    { kind: "look-at-waiting-hold" },
  ],
  ["a cancel that failed meanwhile", toEnded("impossible"), { kind: "apply-step", step: "hold" }],
  ["a cancel that worked meanwhile", toEnded("done"), { kind: "come-to-rest", wasBegun: true }],
  [
    "news that came due while the order was decided",
    { order: { ...decided("decided"), rereadAtMs: T0 }, found: { isDecided: true } },
    { kind: "apply-step", step: "hold" },
  ],
  [
    "news that came due while the hold was looked at",
    { order: { ...decided("review"), rereadAtMs: T0 }, found: { observed: HELD } },
    { kind: "keep-hold" },
  ],
  ...BUYER_CASES,
  ["a hold to apply", { order: decided("decided") }, { kind: "apply-step", step: "hold" }],
  [
    "a step that failed for now",
    {
      order: decided("enforcing", { action: "allow", tags: [] }),
      steps: [step("assess", { state: "waiting" })],
      found: {
        pass: {
          wasBegun: false,
          isHeld: false,
          coolOff: false,
          loose: null,
          waits: new Map([["assess", { outcome: "wait", reason: "later", retryAtMs: T0 + 1 }]]),
        },
      },
    },
    { kind: "wait-for-steps" },
  ],
  [
    "no steps left",
    { order: decided("enforcing"), steps: [step("hold"), step("assess"), step("tag")] },
    { kind: "come-to-rest", wasBegun: false, partial: undefined },
  ],
];

describe("the next move", () => {
  it.each(CASES)("for %s", (_when, changes, move) => {
    expect(nextMove(situation(changes))).toMatchObject(move);
  });

  it("has a case for each turn", () => {
    const firsts = CASES.map(([, changes]) => {
      const given = situation(changes);
      return TURNS.find(({ find }) => find(given) !== null);
    });

    expect(TURNS.filter((turn) => !firsts.includes(turn)).map(({ when }) => when)).toEqual([]);
  });

  it.each(CASES)("lets a person's review come before everything else: %s", (_when, changes) => {
    const order = { ...changes.order, review: REVIEW };

    expect(nextMove(situation({ ...changes, order }))).toEqual({ kind: "apply-review", review: REVIEW });
  });

  it.each(CASES)("waits as long as a person's review can be undone: %s", (_when, changes) => {
    const effectiveAtMs = T0 + 5_000;
    const order = { ...changes.order, review: { ...REVIEW, effectiveAtMs } };

    expect(nextMove(situation({ ...changes, order }))).toEqual({ kind: "wait", untilMs: effectiveAtMs });
  });

  it.each(CASES.slice(4))("pays for nothing on a platform that isn't configured: %s", (_when, changes) => {
    expect(nextMove(situation({ ...changes, hasPlatform: false })).kind).toBe("fail");
  });
});

describe("docs/order-life.md", () => {
  it("has the turns of the code, in their order", () => {
    const rows = readRows(readFileSync("docs/order-life.md", "utf8"));

    expect(rows).toEqual(
      TURNS.map(({ when, does, move }, at) => [String(at + 1), when, does, `\`${move}\``]),
    );
  });
});

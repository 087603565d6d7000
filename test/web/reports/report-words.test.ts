import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setShopLocale } from "../../../web/data/base/format.ts";
import {
  formatTook,
  toRunOutSentence,
  type Credits,
  type OverviewDay,
} from "../../../web/data/reports/overview.ts";
import type { Worth } from "../../../web/data/api/api-types.ts";
import {
  toLostCancels,
  toNewCancels,
  toReplayBrief,
  toReplaySentence,
  toReviewsADay,
  toReviewsSentence,
  type Replay,
} from "../../../web/data/policy/replay.ts";
import { toBadShare, toReportSentence, type Report } from "../../../web/data/reports/report.ts";

const NONE: Worth = { orders: 0, amount: {} };
const LEVEL = { ...NONE, chargedBack: 0, cancelled: 0 };
const LEVELS = { low: LEVEL, medium: LEVEL, high: LEVEL, critical: LEVEL };
const NOTHING = { orders: 0, value: 0, apart: {} };
const VALUE: Report["value"] = {
  currency: "USD",
  rates: [],
  decided: 0,
  fraudStopped: NOTHING,
  fraudMissed: NOTHING,
  goodStopped: NOTHING,
  unknownStopped: NOTHING,
  falsePositives: { good: 0, known: 0, share: null, needed: 30 },
  chargebacks: { orders: 0, of: 0, share: null, watchAt: 0.0075, limit: 0.015 },
  reviewTime: { orders: 0, medianMs: null, p90Ms: null },
  weeks: [],
};
const COUNTS = { fraud: 0, caught: 0, good: 0, stopped: 0, refunded: 0 };
const REPORT: Report = {
  since: "2026-11-06T00:00:00.000Z",
  until: "2026-11-20T00:00:00.000Z",
  days: 14,
  mode: "shadow",
  orders: 900,
  decided: 890,
  held: { orders: 31, amount: { USD: 4210 } },
  cancelled: { orders: 6, amount: { USD: 1960, EUR: 20.5 } },
  tagged: NONE,
  agreed: { orders: 22, of: 37, pending: 0 },
  credits: { spent: 412, saved: 3, cost: null },
  value: VALUE,
  outcomes: {
    undisputedDays: 60,
    decided: 890,
    disputed: 0,
    byLevel: { low: COUNTS, medium: COUNTS, high: COUNTS, critical: COUNTS, none: COUNTS },
  },
  byLevel: LEVELS,
  agents: null,
  declined: {},
  buyers: { asked: 0, answered: 0, right: 0, released: 0, chargedBack: 0 },
  rows: [],
};

describe("toReportSentence", () => {
  beforeEach(() => setShopLocale({ timeZone: null, currency: "USD" }));
  afterEach(() => setShopLocale({ timeZone: null, currency: null }));

  it("gives in money what a shadow policy would have done", () => {
    expect(toReportSentence(REPORT)).toBe(
      "In 14 days this policy would have held 31 orders ($4,210.00) and canceled 6 orders ($1,960.00 + EUR\u00A020.50). Shopify or your team agreed on 22 of 37. 412 credits used.",
    );
  });

  it("says what an active policy has done, and what isn't known yet", () => {
    const agreed = { orders: 1, of: 5, pending: 1 };

    expect(toReportSentence({ ...REPORT, mode: "active", days: 1, agreed })).toBe(
      "In the last day Holdfast decided to hold 31 orders ($4,210.00) and to cancel 6 orders ($1,960.00 + EUR\u00A020.50). Shopify or your team agreed on 1 of 5 (1 pending). 412 credits used.",
    );
  });

  it("doesn't mention agreement when there is nothing to agree on, or nothing known", () => {
    const words = (agreed: Report["agreed"]) =>
      toReportSentence({ ...REPORT, held: NONE, cancelled: NONE, agreed });

    expect(words({ orders: 0, of: 0, pending: 0 })).not.toContain("platform");
    expect(words({ orders: 0, of: 2, pending: 2 })).toContain("The platform's own risk isn't available yet.");
  });

  it("says what fraud got through, and how many orders of a level turned out bad", () => {
    const fraudMissed = { orders: 2, value: 80, apart: {} };
    const value = { ...VALUE, fraudMissed };
    expect(toReportSentence({ ...REPORT, value })).toContain(" Fraud missed: 2 orders ($80.00). ");
    const apart = { ...value, fraudMissed: { ...fraudMissed, apart: { EUR: 5 } } };
    expect(toReportSentence({ ...REPORT, value: apart })).toContain("2 orders ($80.00 + EUR\u00A05.00)");
    expect(toBadShare({ orders: 41, amount: {}, chargedBack: 3, cancelled: 30 })).toBe("33 of 41");
    expect(toBadShare(LEVEL)).toBe("–");
  });

  it("says that there is nothing to report", () => {
    expect(toReportSentence({ ...REPORT, decided: 0 })).toBe("No order was decided in the last 14 days.");
  });
});

const TALLY = {
  allow: { orders: 5, amount: {} },
  tag: NONE,
  hold: { orders: 3, amount: { USD: 30 } },
  cancel: NONE,
};
const REPLAY: Replay = {
  since: REPORT.since,
  until: REPORT.until,
  orders: 9,
  replayed: 8,
  unknown: 1,
  unknownReason: null,
  idleRules: [],
  before: TALLY,
  after: { ...TALLY, hold: NONE, cancel: { orders: 3, amount: { USD: 30 } } },
  changes: [
    { from: "hold", to: "cancel", orders: 2, amount: { USD: 10.1, EUR: 5 } },
    { from: "tag", to: "cancel", orders: 1, amount: { USD: 20.2 } },
    { from: "cancel", to: "hold", orders: 1, amount: { USD: 1 } },
  ],
  examples: [],
  outcomes: {},
  credits: 0,
};

describe("toReplayBrief", () => {
  it("says in one line how many orders change, and how many more are held or canceled", () => {
    const { before } = REPLAY;
    const after = { ...before, hold: { ...before.hold, orders: before.hold.orders + 2 } };
    expect(toReplayBrief({ ...REPLAY, after })).toMatch(/^\d+ of \d+ change: hold \+2, cancel ±0$/);
    const fewer = { ...before, cancel: { ...before.cancel, orders: before.cancel.orders - 1 } };
    expect(toReplayBrief({ ...REPLAY, after: fewer })).toMatch(/hold ±0, cancel −1$/);
    expect(toReplayBrief({ ...REPLAY, changes: [] })).toBe(toReplaySentence({ ...REPLAY, changes: [] }));
  });
});

describe("toReplaySentence", () => {
  it("says how many orders change, and how", () => {
    expect(toReplaySentence(REPLAY)).toBe(
      "This policy would have changed 4 of 8 orders: 3 more canceled, 3 fewer held.",
    );
  });

  it.each([
    ["This policy wouldn't have changed any of 8 orders.", { changes: [] }],
    ["No decided orders in this period, so there's nothing to compare.", { orders: 0 }],
    ["None of the orders in this period can be replayed.", { replayed: 0 }],
  ])("says: %s", (sentence, changes) => {
    expect(toReplaySentence({ ...REPLAY, ...changes })).toBe(sentence);
  });
});

describe("toNewCancels", () => {
  it("adds up by currency what only the tried policy cancels", () => {
    expect(toNewCancels(REPLAY)).toStrictEqual({ orders: 3, amount: { USD: 30.3, EUR: 5 } });
  });
});

describe("formatTook", () => {
  it.each([
    [null, "–"],
    [340, "340 ms"],
    [1_840, "1.8 s"],
    [42_400, "42 s"],
    [64_000, "1 min 4 s"],
    [3_600_000, "1 h"],
    [11_400_000, "3 h 10 min"],
  ])("formats %d as %s", (ms, words) => {
    expect(formatTook(ms)).toBe(words);
  });
});

const CREDITS: Credits = {
  spentToday: 1,
  spentMonth: 400,
  savedMonth: 0,
  savedByReason: {},
  dailyCap: null,
  monthlyCap: 1_000,
  circuit: "closed",
  runsOutOn: null,
};

describe("toRunOutSentence", () => {
  it.each<[string, Partial<Credits>]>([
    ["No monthly limit.", { monthlyCap: null }],
    ["You've reached the monthly limit. Orders are now decided without the service.", { spentMonth: 1_000 }],
    [
      "You've reached today's limit. Until midnight UTC, orders are decided without the service.",
      { spentToday: 3, dailyCap: 3, monthlyCap: null },
    ],
    ["The daily limit is 0, so orders are decided without the service.", { spentToday: 0, dailyCap: 0 }],
    ["600 left this month. At this rate, they last until the end of the month.", {}],
    ["600 left this month. At this rate, they run out today.", { runsOutOn: "2026-11-20" }],
    ["600 left this month. At this rate, they run out on Nov 25, 2026.", { runsOutOn: "2026-11-25" }],
  ])("says: %s", (sentence, changes) => {
    expect(toRunOutSentence({ ...CREDITS, ...changes }, "2026-11-20")).toBe(sentence);
  });
});

describe("reviews a day", () => {
  const day = (orders: number) => ({ allow: orders, tag: 0, hold: 0, cancel: 0 }) as OverviewDay;
  const worth = (orders: number): Worth => ({ orders, amount: {} });
  const tally = (hold: number) => ({ allow: NONE, tag: NONE, cancel: NONE, hold: worth(hold) });

  it("are the held share of the daily orders since the shop's first", () => {
    const replay = { replayed: 200, before: tally(10), after: tally(30) };
    const days = [day(0), day(0), day(40), day(60)];

    expect(toReviewsADay(replay, days)).toEqual({ before: 2.5, after: 7.5 });
    expect(toReviewsADay(replay, [day(0)])).toBeNull();
    expect(toReviewsADay({ ...replay, replayed: 0 }, days)).toBeNull();
  });

  it.each([
    [2.4, 7.6, "To review: about 8 a day (now 2)."],
    [0.2, 0.4, "To review: less than 1 a day (as now)."],
    [3, 0, "To review: about 0 a day (now 3)."],
  ])("of %d and %d become a sentence", (before, after, sentence) => {
    expect(toReviewsSentence({ before, after })).toBe(sentence);
  });
});

describe("toLostCancels", () => {
  it("adds up what was canceled and no longer would be", () => {
    const changes = [
      { from: "cancel", to: "hold", orders: 2, amount: { USD: 10.1 } },
      { from: "cancel", to: "allow", orders: 1, amount: { EUR: 5 } },
      { from: "hold", to: "cancel", orders: 9, amount: {} },
    ] as const;
    expect(toLostCancels({ changes })).toEqual({ orders: 3, amount: { USD: 10.1, EUR: 5 } });
  });
});

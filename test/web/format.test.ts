import { describe, expect, it } from "vitest";
import {
  formatAgo,
  formatDeadline,
  formatMoney,
  formatPlural,
  formatRatio,
  formatSpan,
  formatSum,
  formatUtc,
  sumMoney,
  toUrgency,
} from "../../web/data/format.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (ms: number) => new Date(NOW + ms).toISOString();

describe("money", () => {
  it("is written with its currency, and with a dash when there is none", () => {
    expect(formatMoney(1_280.5, "USD")).toBe("$1,280.50");
    expect(formatMoney(90, "EUR")).toBe("€90.00");
    expect(formatMoney(5_000, "JPY")).toBe("¥5,000");
    expect(formatMoney(null, "USD")).toBe("–");
    expect(formatMoney(12.5, null)).toBe("12.5");
  });

  it("survives what is no currency", () => {
    expect(formatMoney(3, "<b>")).toBe("3 <b>");
  });

  it("is added up by currency without drifting, the largest sum first", () => {
    const orders = [
      ...Array.from({ length: 10 }, () => ({ amount: 0.1, currency: "EUR" })),
      { amount: 42, currency: "USD" },
      { amount: null, currency: null },
    ];
    expect(sumMoney(orders)).toEqual({ EUR: 1, USD: 42 });
    expect(formatSum(sumMoney(orders))).toBe("$42.00 + €1.00");
    expect(formatSum({})).toBe("–");
  });
});

describe("time", () => {
  it.each([
    [45_000, "45 s"],
    [12 * MINUTE, "12 min"],
    [59 * MINUTE + 59_000, "59 min"],
    [5 * HOUR, "5 h"],
    [47 * HOUR, "47 h"],
    [72 * HOUR, "3 d"],
  ])("a span of %i ms is %s", (ms, text) => {
    expect(formatSpan(ms)).toBe(text);
    expect(formatSpan(-ms)).toBe(text);
  });

  it("past is shown as ago; a slow clock doesn't put it in the future", () => {
    expect(formatAgo(at(-12 * MINUTE), NOW)).toBe("12 min ago");
    expect(formatAgo(at(-5_000), NOW)).toBe("just now");
    expect(formatAgo(at(90_000), NOW)).toBe("just now");
  });

  it.each([
    [3 * HOUR, "in 3 h", "soon"],
    [30 * HOUR, "in 30 h", "later"],
    [20_000, "in < 1 min", "soon"],
    [0, "due now", "overdue"],
    [-30_000, "due now", "overdue"],
    [-50 * HOUR, "overdue 2 d", "overdue"],
  ])("a deadline %i ms ahead is told as %s and is %s", (ms, text, urgency) => {
    expect(formatDeadline(at(ms), NOW)).toBe(text);
    expect(toUrgency(at(ms), NOW)).toBe(urgency);
  });
});

describe("counts", () => {
  it("are written with their noun", () => {
    expect(formatPlural(1, "order")).toBe("1 order");
    expect(formatPlural(1_200, "order")).toBe("1,200 orders");
    expect(formatPlural(2, "entry", "entries")).toBe("2 entries");
    expect(formatRatio(0.125)).toBe("12.5%");
    expect(formatRatio(null)).toBe("–");
  });
});

describe("formatUtc", () => {
  it("says a moment the same for every reader", () => {
    expect(formatUtc("2026-03-01T12:05:59.999Z")).toBe("2026-03-01 12:05 UTC");
  });
});

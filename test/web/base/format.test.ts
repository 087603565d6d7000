import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  formatAgo,
  formatDeadline,
  formatMoney,
  formatRatio,
  formatSpan,
  formatSum,
  formatTime,
  formatUtc,
  formatWorth,
  setShopLocale,
  sumMoney,
  toUrgency,
} from "../../../web/data/base/format.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (ms: number) => new Date(NOW + ms).toISOString();

const UNKNOWN = { timeZone: null, currency: null };

describe("money", () => {
  beforeEach(() => setShopLocale({ timeZone: null, currency: "USD" }));
  afterEach(() => setShopLocale(UNKNOWN));

  it("is written with its code, with a sign if it is the shop's, and with a dash when there is none", () => {
    expect(formatMoney(1_280.5, "USD")).toBe("$1,280.50");
    expect(formatMoney(1_280.5, "CAD")).toBe("CAD\u00A01,280.50");
    expect(formatMoney(5_000, "JPY")).toBe("JPY\u00A05,000");
    setShopLocale({ timeZone: null, currency: "CAD" });
    expect(formatMoney(1_280.5, "CAD")).toBe("$1,280.50");
    expect(formatMoney(1_280.5, "USD")).toBe("USD\u00A01,280.50");
    setShopLocale(UNKNOWN);
    expect(formatMoney(1_280.5, "USD")).toBe("USD\u00A01,280.50");
    expect(formatMoney(null, "USD")).toBe("–");
    expect(formatMoney(12.5, null)).toBe("12.5");
  });

  it("survives an invalid currency", () => {
    expect(formatMoney(3, "<b>")).toBe("3 <b>");
  });

  it("is added up by currency without drifting, the shop's currency first", () => {
    const orders = [
      ...Array.from({ length: 10 }, () => ({ amount: 0.1, currency: "EUR" })),
      { amount: 42, currency: "CAD" },
      { amount: 0.5, currency: "USD" },
      { amount: null, currency: null },
    ];
    expect(sumMoney(orders)).toEqual({ EUR: 1, CAD: 42, USD: 0.5 });
    expect(formatSum(sumMoney(orders))).toBe("$0.50 + CAD\u00A042.00 + EUR\u00A01.00");
    expect(formatSum({ HUF: 1_999.5, IDR: 15_000 })).toBe("IDR\u00A015,000 + HUF\u00A01,999.50");
    expect(formatSum({})).toBe("–");
    const dinars = sumMoney([1.234, 0.001].map((amount) => ({ amount, currency: "KWD" })));
    expect(formatSum(dinars)).toBe("KWD\u00A01.235");
  });
});

describe("time", () => {
  afterEach(() => setShopLocale(UNKNOWN));

  it("is the shop's, or UTC, and says which", () => {
    expect(formatTime("2026-03-01T23:05:00Z").replaceAll(/\s/g, " ")).toBe("Mar 1, 2026, 11:05 PM UTC");
    setShopLocale({ timeZone: "Asia/Tokyo", currency: null });
    expect(formatTime("2026-03-01T23:05:00Z").replaceAll(/\s/g, " ")).toBe("Mar 2, 2026, 8:05 AM");
  });

  it.each([
    [45_000, "45 s"],
    [12 * MINUTE, "12 min"],
    [59 * MINUTE + 59_000, "59 min"],
    [5 * HOUR, "5 h"],
    [47 * HOUR, "47 h"],
    [72 * HOUR, "3 d"],
  ])("formats a span of %i ms as %s", (ms, text) => {
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
    [72 * HOUR - 1, "in 2 d 23 h", "later"],
    [72 * HOUR, "in 3 d", "later"],
    [-50 * HOUR, "overdue 2 d", "overdue"],
  ])("shows a deadline %i ms ahead as %s and is %s", (ms, text, urgency) => {
    expect(formatDeadline(at(ms), NOW)).toBe(text);
    expect(toUrgency(at(ms), NOW)).toBe(urgency);
  });
});

describe("counts", () => {
  it("are written with their noun", () => {
    expect(formatWorth({ orders: 1, amount: {} })).toBe("1 order");
    expect(formatWorth({ orders: 1_200, amount: {} })).toBe("1,200 orders");
    expect(formatRatio(0.125)).toBe("12.5%");
    expect(formatRatio(null)).toBe("–");
  });
});

describe("formatUtc", () => {
  it("shows a moment the same to every reader", () => {
    expect(formatUtc("2026-03-01T12:05:59.999Z")).toBe("2026-03-01 12:05 UTC");
  });
});

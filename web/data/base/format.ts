import { LANGUAGE, LOCALE } from "./language.ts";
import { t } from "./texts.ts";
import { DEVICE_ZONE, readsDeviceZone } from "./time-zone.ts";

/** Money by currency, in major units. */
export type Money = Readonly<Record<string, number>>;

const NOTHING = "–";
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const counts = new Intl.NumberFormat(LOCALE);
const ratios = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });
const dates = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", dateStyle: "medium" });
const shortDates = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", month: "short", day: "numeric" });
/** Without "and": a list of facts, not of alternatives. */
const lists = new Intl.ListFormat(LOCALE, { type: "unit", style: "short" });
const regions = new Intl.DisplayNames(LOCALE, { type: "region", fallback: "code" });
const byCurrency = new Map<string, Intl.NumberFormat | null>();

/** The shop's time zone and currency; null if they aren't known. */
export type ShopLocale = { readonly timeZone: string | null; readonly currency: string | null };

let shop: ShopLocale = { timeZone: null, currency: null };
let times = toTimeFormats(null);

/**
 * Format times and money as the shop does, from now on, or times in the zone that the person chose. Times that aren't in the
 * shop's zone say which one they are in: UTC, if the shop's isn't known.
 */
export function setShopLocale({ timeZone, currency }: ShopLocale): void {
  shop = { timeZone, currency };
  times = toTimeFormats(timeZone);
  byCurrency.clear();
}

/** The zone in which the server counts days: the shop's, or UTC if it isn't known. */
export function toZoneName(): string {
  return shop.timeZone?.replaceAll("_", " ") ?? "UTC";
}

/** The currency that the shop sells in; null when it isn't known. */
export function toShopCurrency(): string | null {
  return shop.currency;
}

function toTimeFormats(known: string | null) {
  const timeZone = readsDeviceZone() ? DEVICE_ZONE : (known ?? "UTC");
  const date = { year: "numeric", month: "short", day: "numeric", timeZone } as const;
  const time = { hour: "numeric", minute: "2-digit", timeZone } as const;
  // No `dateStyle`: it can't be combined with a time zone's name.
  const name = timeZone !== known ? ({ timeZoneName: "short" } as const) : {};
  return {
    moments: new Intl.DateTimeFormat(LOCALE, { ...date, ...time, ...name }),
    days: new Intl.DateTimeFormat(LOCALE, date),
    clocks: new Intl.DateTimeFormat(LOCALE, { ...time, second: "2-digit", ...name }),
  };
}

function toMoneyFormat(currency: string, isWhole: boolean): Intl.NumberFormat | null {
  const key = `${currency} ${isWhole}`;
  const known = byCurrency.get(key);
  if (known !== undefined) return known;
  let made: Intl.NumberFormat | null = null;
  try {
    // Only the shop's own currency is shown without its code, because a dozen currencies share the same sign.
    const currencyDisplay = currency.toUpperCase() === shop.currency ? "narrowSymbol" : "code";
    const style = { style: "currency", currency, currencyDisplay } as const;
    made = new Intl.NumberFormat(LOCALE, style);
    // People leave out the fillér and the sen, but a price that has them isn't rounded.
    if (!isWhole && made.resolvedOptions().maximumFractionDigits === 0)
      made = new Intl.NumberFormat(LOCALE, { ...style, minimumFractionDigits: 2, maximumFractionDigits: 2 });
  } catch {
    // A platform's currency code may be invalid.
  }
  byCurrency.set(key, made);
  return made;
}

/** `$1,280.50` in the shop's currency, `CAD 1,280.50` in others; a dash when there is no amount. */
export function formatMoney(amount: number | null | undefined, currency: string | null | undefined): string {
  if (amount === null || amount === undefined) return NOTHING;
  if (currency === null || currency === undefined) return counts.format(amount);
  return (
    toMoneyFormat(currency, Number.isInteger(amount))?.format(amount) ??
    `${counts.format(amount)} ${currency}`
  );
}

/** `$1,280.50 + EUR 90.00`: the shop's currency first, then the others by amount. */
export function formatSum(money: Money): string {
  const isOther = (currency: string) => Number(currency !== shop.currency);
  const parts = Object.entries(money).toSorted(
    ([one, amount], [other, others]) => isOther(one) - isOther(other) || others - amount,
  );
  if (parts.length === 0) return NOTHING;
  return parts.map(([currency, amount]) => formatMoney(amount, currency)).join(" + ");
}

/** `31 orders ($4,210.00)`, without the money when there is none. */
export function formatWorth({ orders, amount }: { readonly orders: number; readonly amount: Money }): string {
  return Object.keys(amount).length === 0
    ? t("format.orders", { count: orders })
    : t("format.worth", { count: orders, sum: formatSum(amount) });
}

/**
 * Add up amounts by currency, in whole thousandths, the smallest unit of a dinar, so that nothing drifts. Orders without an
 * amount add nothing.
 */
export function sumMoney(
  orders: Iterable<{ readonly amount: number | null; readonly currency: string | null }>,
): Money {
  const sums = new Map<string, number>();
  for (const { amount, currency } of orders) {
    if (amount === null || currency === null) continue;
    sums.set(currency, (sums.get(currency) ?? 0) + Math.round(amount * 1_000));
  }
  return Object.fromEntries([...sums].map(([currency, sum]) => [currency, sum / 1_000]));
}

/** The country of a two-letter code; anything else unchanged. */
export function nameCountry(code: string): string {
  return /^[a-z]{2}$/i.test(code) ? (regions.of(code.toUpperCase()) ?? code) : code;
}

/** All countries with their codes, by name. */
export function listCountries(): readonly (readonly [code: string, name: string])[] {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return codes
    .map((code) => [code, nameCountry(code)] as const)
    .filter(([code, name]) => name !== code && !NO_COUNTRY.has(code))
    .toSorted(([, one], [, other]) => one.localeCompare(other, LOCALE));
}

/** Codes that browsers name although they aren't countries: groups, former countries and unknown ones. */
const NO_COUNTRY = new Set(
  "AN BU CS DD EU EZ FX NT QO SU TP UN XA XB YD YU ZR ZZ UK DY HV NH RH VD".split(" "),
);

/** `12,480`. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** `a, b, c`. */
export function formatList(parts: readonly string[]): string {
  return lists.format(parts);
}

/** `12 of 14`. */
export function formatPart(part: number, whole: number): string {
  return t("format.of", { part, whole });
}

/** Sentences in a row. Some languages write no space between them. */
export function joinSentences(sentences: readonly (string | false | null | undefined)[]): string {
  return sentences.filter(Boolean).join(/^(?:ja|zh)/.test(LANGUAGE) ? "" : " ");
}

/** A label within a sentence: in lower case, unless it begins with an abbreviation or the language writes nouns in capitals. */
export function toMiddle(label: string): string {
  return LANGUAGE === "de" || /^\p{Lu}{2}/u.test(label)
    ? label
    : label.charAt(0).toLowerCase() + label.slice(1);
}

/** A ratio of 0 to 1 as `12.5%`. */
export function formatRatio(ratio: number | null): string {
  return ratio === null ? NOTHING : ratios.format(ratio);
}

/** `Nov 20, 2025, 3:04 PM`, in the shop's time zone, or in another with its name. */
export function formatTime(iso: string | null): string {
  return iso === null ? NOTHING : times.moments.format(new Date(iso));
}

/** `3:04:27 PM`, in the shop's time zone, or in another with its name. */
export function formatClock(iso: string): string {
  return times.clocks.format(new Date(iso));
}

/** `2025-11-20 15:04 UTC`, for titles: the same for every reader. */
export function formatUtc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** `Nov 20, 2025`, in the shop's time zone or the one that the person chose. */
export function formatDay(iso: string | null): string {
  return iso === null ? NOTHING : times.days.format(new Date(iso));
}

/** `Nov 20, 2025` for the date `2025-11-20`: the same day in every time zone. */
export function formatDate(date: string): string {
  return dates.format(new Date(`${date}T00:00:00Z`));
}

/** `Nov 20` for the date `2025-11-20`. */
export function formatShortDay(date: string): string {
  return shortDates.format(new Date(`${date}T00:00:00Z`));
}

/** A span in its largest useful unit: `45 s`, `12 min`, `5 h`, `3 d`. */
export function formatSpan(ms: number): string {
  const span = Math.abs(ms);
  if (span < MINUTE_MS) return t("format.seconds", { count: Math.floor(span / SECOND_MS) });
  if (span < HOUR_MS) return t("format.minutes", { count: Math.floor(span / MINUTE_MS) });
  if (span < 2 * DAY_MS) return t("format.hours", { count: Math.floor(span / HOUR_MS) });
  return t("format.days", { count: Math.floor(span / DAY_MS) });
}

/** How long ago: `just now`, `12 min ago`. */
export function formatAgo(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso);
  if (ms < MINUTE_MS) return t("format.just-now");
  return t("format.ago", { span: formatSpan(ms) });
}

export type Urgency = "overdue" | "soon" | "later";

const SOON_MS = 12 * HOUR_MS;

export function toUrgency(iso: string, nowMs: number): Urgency {
  const leftMs = Date.parse(iso) - nowMs;
  if (leftMs <= 0) return "overdue";
  return leftMs < SOON_MS ? "soon" : "later";
}

/** `in 3 h`, `in 2 d 23 h`, `overdue 2 d`. Hours follow the days that are left: `in 2 d` could hide almost a day. */
export function formatDeadline(iso: string, nowMs: number): string {
  const leftMs = Date.parse(iso) - nowMs;
  if (leftMs <= 0)
    return leftMs > -MINUTE_MS ? t("format.due-now") : t("format.overdue", { span: formatSpan(leftMs) });
  if (leftMs < MINUTE_MS) return t("format.in-1-min");
  const hours = leftMs < 2 * DAY_MS ? 0 : Math.floor((leftMs % DAY_MS) / HOUR_MS);
  const days = Math.floor(leftMs / DAY_MS);
  const span = hours === 0 ? formatSpan(leftMs) : t("format.days-hours", { days, hours });
  return t("format.in", { span });
}

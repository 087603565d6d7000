import type { createCalendar } from "../../../base/day-spans.ts";
import type { TimeWindow } from "../../../store/slices.ts";

type Calendar = Pick<ReturnType<typeof createCalendar>, "dayAt" | "beginOf">;

const DAY_MS = 86_400_000;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const YEAR = "(?<year>\\d{4})";
const DAY = "(?<day>\\d{1,2})";
const WORD = "(?<word>[a-z]{3,9})\\.?";

/** `2026-11-05`, `2026-11`, `5.11.2026`, `Nov 5`, `5 November 2026`. With slashes, Americans and others mean different days. */
const FORMS = [
  `^${YEAR}-(?<month>\\d{2})(?:-${DAY})?$`,
  `^${DAY}\\.\\s?(?<month>\\d{1,2})\\.\\s?${YEAR}$`,
  `^${WORD} ${DAY}(?:,? ${YEAR})?$`,
  `^${DAY}\\.? ${WORD}(?: ${YEAR})?$`,
].map((form) => new RegExp(form, "i"));

/** The day or month that a text names, by a shop's calendar; null for anything else. Without a year, the last such day. */
export function parseDays(text: string, calendar: Calendar, nowMs: number): TimeWindow | null {
  const named = readDate(text);
  if (named === null) return null;
  const { month, day } = named;
  const today = calendar.dayAt(nowMs);
  const thisYear = new Date(today * DAY_MS).getUTCFullYear();
  const span = toSpan(named.year ?? thisYear, month, day);
  const isAhead = named.year === null && span !== null && span[0] > today;
  const [first, end] = (isAhead ? toSpan(thisYear - 1, month, day) : span) ?? [];
  if (first === undefined || end === undefined) return null;
  return { sinceMs: calendar.beginOf(first), untilMs: calendar.beginOf(end) };
}

interface NamedDate {
  readonly year: number | null;
  /** From 0. */
  readonly month: number;
  /** Null: the whole month. */
  readonly day: number | null;
}

function readDate(text: string): NamedDate | null {
  const groups = FORMS.map((form) => form.exec(text.trim())?.groups).find((found) => found !== undefined);
  if (groups === undefined) return null;
  const { year, month, word, day } = groups;
  const index = word === undefined ? Number(month) - 1 : toMonth(word);
  if (index < 0 || index > 11) return null;
  return { year: toNumber(year), month: index, day: toNumber(day) };
}

function toNumber(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

/** The first day and the day after the last. */
function toSpan(year: number, month: number, day: number | null): readonly [number, number] | null {
  const first = toDay(year, month, day ?? 1);
  if (first === null) return null;
  return [first, day === null ? Date.UTC(year, month + 1) / DAY_MS : first + 1];
}

function toMonth(word: string): number {
  const name = word.toLowerCase();
  const index = MONTHS.indexOf(name.slice(0, 3));
  const full = new Date(Date.UTC(2000, Math.max(index, 0))).toLocaleString("en", {
    month: "long",
    timeZone: "UTC",
  });
  return full.toLowerCase().startsWith(name) || name === "sept" ? index : -1;
}

/** Days since the epoch; null for a day that doesn't exist. */
function toDay(year: number, monthIndex: number, day: number): number | null {
  const date = new Date(Date.UTC(year, monthIndex, day));
  return date.getUTCMonth() === monthIndex && date.getUTCDate() === day ? date.getTime() / DAY_MS : null;
}

import { formatCount, formatDate, formatTime } from "../base/format.ts";
import { LANGUAGE } from "../base/language.ts";
import { findFilled, t } from "../base/texts.ts";

/** Something that the server says in English, with a code for other languages. */
export interface Said {
  readonly text: string;
  readonly code?: string | undefined;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
}

/** What the server says, in the page's language. A text that has none stays in English, and says so. */
export function translate(
  room: "expected" | "findings" | "refusals",
  { text, code, params = {} }: Said,
): string {
  if (LANGUAGE === "en" || text === "") return showTimes(text, params);
  const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toShown(value)]));
  return (code === undefined ? undefined : findFilled(room, code, values)) ?? t("api.in-english", { text });
}

const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** The server's English has times in UTC: nobody else knows the reader's time zone. */
function showTimes(text: string, params: NonNullable<Said["params"]>): string {
  return Object.values(params)
    .filter((value) => typeof value === "string" && TIME.test(value))
    .reduce((shown: string, time) => shown.replaceAll(String(time), formatTime(String(time))), text);
}

function toShown(value: string | number): string {
  if (typeof value === "number") return formatCount(value);
  if (TIME.test(value)) return formatTime(value);
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDate(value) : value;
}

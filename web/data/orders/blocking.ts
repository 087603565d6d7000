import type { BodyFor } from "../api/api-types.ts";
import { DAY_MS } from "../base/format.ts";
import { t } from "../base/texts.ts";

export type Block = NonNullable<NonNullable<BodyFor<"POST /orders/:orderId/decline">>["block"]>;
export type LinkKind = Block["kinds"][number];

/** For how many days an entry of a list applies; empty for no end. */
export const LIST_DAYS = [
  ["30", t("order.30-days")],
  ["90", t("order.90-days")],
  ["365", t("order.1-year")],
  ["", t("order.no-end")],
] as const;

/** The last day, in UTC, of an entry that applies for so many days; null for no end. */
export function toLastDay(days: string): string | null {
  return days === "" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString().slice(0, 10);
}

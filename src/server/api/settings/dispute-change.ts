import { z } from "zod";
import { expected } from "../../../base/field-codes.ts";
import type { DisputeSettings } from "../../../settings/tenant-settings.ts";
import { KEPT_ORDERS_DAYS } from "../../../store/retention/keeping-times.ts";

const { least, most } = KEPT_ORDERS_DAYS;

export const disputesJson = z
  .object({
    keepDays: z
      .int()
      .nullable()
      .describe("for how many days orders are kept for the disputes of later ones; null: none are"),
    keptFrom: z.iso.datetime().nullable().describe("orders received from here on are kept"),
    limitShare: z.number().describe("share of a month's orders from which the card network acts"),
    limitCount: z.int().describe("disputes of a month from which it acts"),
  })
  .describe("what is kept for disputes, and the limits that the report shows");

export const disputesChange = z.strictObject({
  keepDays: z
    .int(expected("whole-number"))
    .min(least, expected("min-number", { min: least }))
    .max(most, expected("max-number", { max: most }))
    .nullish()
    .describe("null deletes all that was kept"),
  limitShare: z
    .number()
    .gt(0, expected("number-above-zero"))
    .max(1, expected("max-number", { max: 1 }))
    .optional(),
  limitCount: z
    .int(expected("whole-number"))
    .min(1, expected("min-number", { min: 1 }))
    .max(1e6, expected("max-number", { max: 1e6 }))
    .optional(),
});
export type DisputesChange = z.infer<typeof disputesChange>;

/** The settings after a change. Only orders received after the opt-in are kept, so a new one starts over. */
export function toDisputes(
  current: DisputeSettings,
  {
    keepDays = current.keepDays,
    limitShare = current.limitShare,
    limitCount = current.limitCount,
  }: DisputesChange = {},
  nowMs: number,
): DisputeSettings {
  const keptFromMs = keepDays === null ? null : (current.keptFromMs ?? nowMs);
  return { keepDays, keptFromMs, limitShare, limitCount };
}

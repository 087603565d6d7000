import { z } from "zod";
import type { AlertName } from "../base/alerts.ts";
import { NOTICE_CHANNELS } from "../settings/notice-settings.ts";
import { NOTICE_EVENTS, type NoticeEvent } from "../base/notices.ts";

const SHOP = /^[\w.:-]{1,255}$/;

/** What a notice may say: ids and codes, whatever the caller logs. */
export const noticeForm = z
  .object({
    event: z.enum(NOTICE_EVENTS),
    /** Undefined: every shop that uses the installation's service key. */
    tenant: z.string().regex(SHOP).optional(),
    /** As the platform or the storefront writes it. A notice without it is better than none. */
    orderId: z
      .string()
      .regex(/^[^\p{Cc}\p{Cs}]{1,255}$/u)
      .optional()
      .catch(undefined),
    /** An alert's name, or the code of a reason: `level:high`. */
    reason: z.string().regex(/^[\w:-]{1,100}$/),
    /** Only this person. */
    to: z
      .string()
      .regex(/^person:[^\p{Cc}\p{Cs}]{1,200}$/u)
      .optional(),
    /** Only there. */
    channel: z.enum(NOTICE_CHANNELS).optional(),
  })
  .readonly();
/** Something that people asked to be notified of. */
export type Notice = z.infer<typeof noticeForm>;

/** The alerts that people can be notified of. */
export const EVENT_OF_ALERT = {
  dispute_inquiry: "inquiry",
  dispute_chargeback: "inquiry",
  hold_expiring: "deadline",
  protection_lapsing: "deadline",
  dispute_evidence_due: "deadline",
  authorization_expiring: "deadline",
  order_hidden_soon: "deadline",
  hold_overdue: "attention",
  hold_not_placed: "attention",
  held_order_fulfilled: "attention",
  enforcement_failed: "attention",
  order_failed: "attention",
  order_hidden: "attention",
  verification_key_refused: "service",
  verification_no_credits: "service",
  verification_unavailable: "service",
  verification_misconfigured: "service",
} as const satisfies Partial<Record<AlertName, NoticeEvent>>;
export type NoticedAlert = keyof typeof EVENT_OF_ALERT;

/** Read a notice out of the fields of a log line; undefined for a line that nobody is notified of. */
export function toNotice(fields: Readonly<Record<string, unknown>>): Notice | undefined {
  const { notice, alert, tenant, orderId, reason, to } = fields;
  if (notice !== undefined) return noticeForm.safeParse({ event: notice, tenant, orderId, reason, to }).data;
  if (typeof alert !== "string" || !Object.hasOwn(EVENT_OF_ALERT, alert)) return undefined;
  const event = EVENT_OF_ALERT[alert as NoticedAlert];
  // Only the service is everybody's.
  if (tenant === undefined && event !== "service") return undefined;
  return noticeForm.safeParse({ event, tenant, orderId, reason: alert }).data;
}

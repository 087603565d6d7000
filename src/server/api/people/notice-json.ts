import { z } from "zod";
import { expected } from "../../../base/field-codes.ts";
import { isEmailAddress } from "../../../alerts/alert-config.ts";
import type { Delivery } from "../../../alerts/outbox.ts";
import { toIso } from "../../../base/iso-time.ts";
import { NOTICE_EVENTS } from "../../../base/notices.ts";
import {
  NOTICE_CHANNELS,
  parseNoticeSettings,
  type NoticeChannel,
} from "../../../settings/notice-settings.ts";
import type { KeptNoticeSettings } from "../../../store/people/notices.ts";
import { LANGUAGE_TAGS } from "../../../texts/languages.ts";

const channelJson = z.enum(NOTICE_CHANNELS);
const eventsJson = z
  .partialRecord(z.enum(NOTICE_EVENTS), z.array(channelJson).max(NOTICE_CHANNELS.length))
  .describe("where each event goes; without an entry: nowhere");

const problemJson = z
  .object({ problem: z.string().describe("a code, such as `status:410`"), at: z.iso.datetime() })
  .nullable()
  .describe("why the last message there couldn't be sent; null if it was");

export const noticesJson = z.object({
  events: eventsJson,
  email: z.string().nullable(),
  isEmailConfirmed: z
    .boolean()
    .describe("whether you entered the code from the mail to `email`; until then, no notice goes there"),
  webhook: z.string().nullable().describe("the host and the end of the webhook's address"),
  canMail: z.boolean().describe("whether this installation has a mail server"),
  language: z.enum(LANGUAGE_TAGS).nullable().describe("of the messages; null if you chose none: English"),
  problems: z.object({ email: problemJson, webhook: problemJson }),
});

export const noticesChange = z.strictObject({
  events: eventsJson.optional(),
  email: z.string().refine(isEmailAddress, expected("email")).nullish(),
  webhookUrl: z
    .string()
    .max(2_000, expected("max-characters", { max: 2_000 }))
    .nullish(),
  emailCode: z
    .string()
    .max(20, expected("code-wrong"))
    .optional()
    .describe("from the mail that a test sends to a new address"),
  language: z.enum(LANGUAGE_TAGS).optional().describe("of the messages"),
  isEmbedded: z.boolean().optional().describe("whether you use the console within the platform, for links"),
});
export type NoticesChange = z.infer<typeof noticesChange>;

export const testJson = z.object({
  outcome: z
    .enum(["sent", "refused", "address-refused", "timed-out", "not-public", "unreachable"])
    .describe("`refused`: by the receiver. `address-refused`: the mail server refuses the address"),
  status: z.int().nullable().describe("the receiver's HTTP status"),
});

export function toNoticesJson(
  kept: KeptNoticeSettings | null,
  canMail: boolean,
): z.infer<typeof noticesJson> {
  const { events, email, emailCode, webhookUrl, language } = parseNoticeSettings(kept);
  const toProblem = (channel: NoticeChannel) => {
    const found = kept?.problems[channel];
    return found === undefined ? null : { problem: found.problem, at: toIso(found.atMs) };
  };
  return {
    events: Object.fromEntries(Object.entries(events).map(([event, channels]) => [event, [...channels]])),
    email,
    isEmailConfirmed: email !== null && emailCode === null,
    webhook: webhookUrl === null ? null : toHint(webhookUrl.reveal()),
    canMail,
    language,
    problems: { email: toProblem("email"), webhook: toProblem("webhook") },
  };
}

/** Enough to tell addresses apart, and too little to post to one. */
function toHint(url: string): string {
  const { host, pathname, search } = new URL(url);
  const rest = pathname + search;
  return rest.length < 16 ? `${host}/…` : `${host}/…${rest.slice(-4)}`;
}

const TIMEOUTS = new Set(["TimeoutError", "AbortError", "ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"]);

export function toTestJson(delivery: Delivery): z.infer<typeof testJson> {
  if (delivery.outcome === "sent")
    return { outcome: delivery.refused > 0 ? "address-refused" : "sent", status: null };
  const { problem } = delivery;
  const status = /^status:(\d{3})$/.exec(problem)?.[1];
  if (status !== undefined) return { outcome: "refused", status: Number(status) };
  if (problem === "EENVELOPE") return { outcome: "address-refused", status: null };
  if (problem === "EPRIVATE") return { outcome: "not-public", status: null };
  return { outcome: TIMEOUTS.has(problem) ? "timed-out" : "unreachable", status: null };
}

import { z } from "zod";
import { NOTICE_EVENTS, type NoticeEvent } from "../base/notices.ts";
import type { KeptNoticeSettings } from "../store/people/notices.ts";
import { LANGUAGE_TAGS } from "../texts/languages.ts";
import { secret, UNSET as NO_SETTINGS, type AlertContacts } from "./tenant-settings.ts";

/** `page`: a notification of the browser, while the console is open there. */
export const NOTICE_CHANNELS = ["email", "webhook", "page"] as const;
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

const channels = z.array(z.enum(NOTICE_CHANNELS)).readonly();
const eventChannels = z.partialRecord(z.enum(NOTICE_EVENTS), channels).readonly();

const contentSchema = z
  .object({
    /** Where each event goes. Without an entry: nowhere. */
    events: eventChannels,
    email: z.string().nullable(),
    /** What the person has to enter from a mail to the address before it gets notices; null once they did. */
    emailCode: z.string().nullable(),
    /** The whole address is secret. */
    webhookUrl: secret.nullable(),
    /** Whether the person uses the console within the platform, for links. */
    isEmbedded: z.boolean(),
    /** Of the messages. Null: they didn't choose one. */
    language: z.enum(LANGUAGE_TAGS).nullable(),
  })
  .readonly();

/** What a person wants to know of, and where. */
export type NoticeSettings = z.output<typeof contentSchema>;

const UNSET: NoticeSettings = {
  events: {},
  email: null,
  emailCode: null,
  webhookUrl: null,
  isEmbedded: false,
  language: null,
};

/** The settings as they are stored, with the secret in plain text: only for the store, which encrypts them. */
export function toNoticeContent(settings: NoticeSettings): z.input<typeof contentSchema> {
  return z.encode(contentSchema, settings);
}

/** Settings that were never saved, or can't be read, notify of nothing. */
export function parseNoticeSettings(kept: KeptNoticeSettings | null): NoticeSettings {
  return contentSchema.safeParse(kept?.content).data ?? UNSET;
}

/** Where an event goes, as far as the person said where that is, and showed that the email address is theirs. */
export function toChannelsOf(settings: NoticeSettings, event: NoticeEvent): readonly NoticeChannel[] {
  return (settings.events[event] ?? []).filter(
    (channel) =>
      channel === "page" ||
      (toOwnContacts(settings, channel) !== null && (channel !== "email" || settings.emailCode === null)),
  );
}

/** The person's own address on a channel; null if they gave none. */
export function toOwnContacts(
  { email, webhookUrl, language }: NoticeSettings,
  channel: Exclude<NoticeChannel, "page">,
): AlertContacts | null {
  const alerts = { ...NO_SETTINGS.alerts, language: language ?? NO_SETTINGS.alerts.language };
  if (channel === "email") return email === null ? null : { ...alerts, email: [email] };
  return webhookUrl === null ? null : { ...alerts, webhookUrl };
}

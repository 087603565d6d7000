import type { Dispatcher } from "undici";
import { randomUUID } from "node:crypto";
import { writeAlertLine } from "../base/alerts.ts";
import { wrapLogger, type Logger } from "../base/logger.ts";
import { withinDeadline } from "../base/waiting.ts";
import type { CurrentSettings } from "../settings/current-settings.ts";
import type { AlertContacts } from "../settings/tenant-settings.ts";
import type { Store } from "../store/store.ts";
import type { Language } from "../texts/languages.ts";
import type { AlertEmailConfig, AlertsConfig } from "./alert-config.ts";
import { toAlertEvent } from "./alert-event.ts";
import { toAlertMessage, type AlertMessage } from "./alert-message.ts";
import { type AlertChannel, createOutbox, type Delivery, type Outbox } from "./outbox.ts";
import { createIncidents } from "./incidents.ts";
import type { NoticePeople } from "./notice-delivery.ts";
import { toNotice } from "./notice-event.ts";
import { toCodeMessage, toTestMessage } from "./notice-message.ts";
import { createNotices } from "./notices.ts";
import { toChannels } from "./outbox-pool.ts";
import { createSending, type Send } from "./sending.ts";
import { createTenantOutboxes } from "./tenant-outboxes.ts";
import { createEmailChannel } from "./email-channel.ts";
import { createWebhookChannel } from "./webhook-channel.ts";

/** Parts that exist only after the notifier was created. */
interface NotifierSurroundings {
  /** Where processes record which alerts they sent. Without it, each process sends its own. */
  readonly store: Pick<Store, "incidents">;
  /** The people that each tenant wants to notify. Default: only the addresses in the environment. */
  readonly settings?: Pick<CurrentSettings, "of"> | undefined;
  /** The people who chose what to be notified of. Default: nobody. */
  readonly people?: NoticePeople | undefined;
}

/** Notifies people of alerts, once per incident. */
export type Notifier = ReturnType<typeof createNotifier>;

interface NotifierOptions {
  readonly channels: readonly AlertChannel[];
  /** The mail server for tenants' own addresses. Default: tenants get no mail. */
  readonly mail?: Pick<AlertEmailConfig, "smtpUrl" | "from"> | undefined;
  /** Logs what couldn't be sent. */
  readonly logger: Logger;
  readonly version: string;
  readonly now: () => number;
  /** See `OutboxOptions`. */
  readonly retryDelaysMs?: readonly number[] | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const REMIND_EVERY_MS = 5_000;
/** How long closing waits for the store, before and after the last messages leave. */
const SETTLE_MS = 2_000;
const CLOSE_MS = 5_000;

/** Create a {@link Notifier} that sends through `channels`, and closes them when it is closed. */
export function createNotifier(options: NotifierOptions) {
  const { channels, now } = options;
  let surroundings: NotifierSurroundings | undefined;
  let closed = false;

  const outboxes = channels.map((channel) => createOutbox({ ...options, channel }));
  const tenants = createTenantOutboxes({
    ...options,
    contactsOf: () => toContactsOf(surroundings),
  });
  const sender = { version: options.version, instance: randomUUID().slice(0, 8) };
  const send: Send = (news, id) =>
    sendToAll(outboxes, tenants, news.facts.tenant, (language) => toAlertMessage(news, id, sender, language));
  const sending = createSending({
    store: () => surroundings?.store,
    send,
    logAgain(line) {
      writeAlertLine(options.logger, line, "logged again: the process that had to pass it on is gone");
      hear(line);
    },
    takeNotice: (notice, message) => notices.takeOver(notice, message),
    now,
  });
  const incidents = createIncidents({ send, sending, now });
  const notices = createNotices({
    ...options,
    people: () => surroundings?.people,
    sending,
  });
  const timer = setInterval(remind, REMIND_EVERY_MS);
  timer.unref();

  function remind(): void {
    incidents.remind();
    notices.sendDue();
  }

  function hear(fields: Readonly<Record<string, unknown>>): void {
    if (closed) return;
    const notice = read(toNotice, fields);
    const isNoted = notice && notices.hear(notice);
    const event = read(toAlertEvent, fields);
    if (event !== undefined) incidents.hear(event, isNoted);
  }

  return {
    /** Receives a log line. Never throws, never waits. */
    hear,
    attach: (given: NotifierSurroundings): void => void (surroundings = given),
    /** Send the reminders that are due. Runs by itself every few seconds. */
    remind,
    /** Resolves when every alert received so far is recorded or handed to a channel. */
    settle: () => Promise.all([incidents.settle(), notices.settle()]),
    /** Accept no more alerts, and give waiting messages five seconds to leave. Needs the store that was attached. */
    close: async (): Promise<void> => {
      closed = true;
      clearInterval(timer);
      const startedAtMs = performance.now();
      await withinDeadline(Promise.all([incidents.settle(), notices.settle()]), SETTLE_MS);
      incidents.reportRest();
      const leftMs = Math.max(0, CLOSE_MS - (performance.now() - startedAtMs));
      const closing = [tenants, notices, ...outboxes];
      await Promise.all(closing.map((one) => one.close(leftMs)));
      await withinDeadline(incidents.settleSent(), SETTLE_MS);
    },
  };
}

/** The addresses in tenants' settings; undefined while they can't be read. */
function toContactsOf(surroundings: NotifierSurroundings | undefined) {
  const settings = surroundings?.settings;
  return settings && (async (tenant: string) => (await settings.of(tenant)).alerts);
}

function read<T>(toFound: (fields: Fields) => T | undefined, fields: Fields): T | undefined {
  try {
    return toFound(fields);
  } catch {
    // A field that can't be read must not fail the work that logs it; the line is already written.
    return undefined;
  }
}

/** See `Send` in `sending.ts`. */
async function sendToAll(
  outboxes: readonly Outbox[],
  tenants: Pick<ReturnType<typeof createTenantOutboxes>, "push">,
  tenant: string | undefined,
  write: (language: Language) => AlertMessage,
): Promise<boolean> {
  // The operator set these up in the environment, which has no language.
  const message = write("en");
  const ends = outboxes.map((outbox) => new Promise<boolean>((ended) => outbox.push(message, ended)));
  // An alert with a tenant concerns only that tenant, and so do its order ids.
  if (tenant !== undefined) ends.push(tenants.push(tenant, write));
  return (await Promise.all(ends)).every((isOver) => isOver);
}

/** A logger that writes as before, and also passes the fields of each line to `hear`, whatever the log level. */
export function withAlerts(logger: Logger, hear: Notifier["hear"]): Logger {
  return wrapLogger(logger, (write) => (fields, message) => {
    write(fields, message);
    hear(fields);
  });
}

/** The app's log, which also sends its alerts to people. */
export type AppAlerts = ReturnType<typeof createAppAlerts>;

/** Create {@link AppAlerts}. Without a configuration, only tenants are alerted, at the addresses in their settings. */
export function createAppAlerts({
  config,
  dispatcher,
  ...options
}: Pick<NotifierOptions, "logger" | "version" | "now"> & {
  readonly config: AlertsConfig | undefined;
  /** Sends to the configured webhook. @default its own connections */
  readonly dispatcher?: Dispatcher | undefined;
}) {
  const channels: AlertChannel[] = [];
  if (config?.webhook !== undefined) channels.push(createWebhookChannel({ ...config.webhook, dispatcher }));
  if (config?.email !== undefined) channels.push(createEmailChannel(config.email));
  const mail = config?.email;
  const { hear, attach, close } = createNotifier({ ...options, channels, mail });
  const { now } = options;
  return {
    logger: withAlerts(options.logger, hear),
    attach,
    /** Send a test message to one address, once; with a `code`, only that. Null without a way to send it. */
    tryOut: async (
      tenant: string,
      contacts: AlertContacts,
      signal: AbortSignal,
      code: string | null,
    ): Promise<Delivery | null> => {
      const { language } = contacts;
      const [channel] = toChannels({ mail }, contacts);
      if (channel === undefined) return null;
      try {
        const [id, atMs] = [randomUUID(), now()];
        const message =
          code === null ? toTestMessage(tenant, id, atMs, language) : toCodeMessage(code, id, atMs, language);
        return await channel.send(message, signal);
      } finally {
        await channel.close();
      }
    },
    close,
  };
}

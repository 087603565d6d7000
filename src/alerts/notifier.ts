import { randomUUID } from "node:crypto";
import type { Logger } from "../base/logger.ts";
import { withinDeadline } from "../base/waiting.ts";
import type { CurrentSettings } from "../settings/current-settings.ts";
import type { IncidentStore } from "../store/store.ts";
import type { AlertEmailConfig, AlertsConfig } from "./alert-config.ts";
import { toAlertEvent } from "./alert-event.ts";
import { toAlertMessage, type AlertMessage } from "./alert-message.ts";
import {
  type AlertChannel,
  type AlertChannelName,
  createOutbox,
  type NotificationOutcome,
  type Outbox,
} from "./outbox.ts";
import { createIncidents } from "./incidents.ts";
import { createTenantOutboxes } from "./tenant-outboxes.ts";
import { createEmailChannel } from "./email-channel.ts";
import { createWebhookChannel } from "./webhook-channel.ts";

/** Counts the messages of one channel by outcome. Every outcome is present from the start. */
interface NotificationCounter {
  notifications(channel: AlertChannelName): (outcome: NotificationOutcome) => void;
}

/** What exists only after the notifier was created. */
interface NotifierSurroundings {
  /** Where processes record which alerts they sent. Without it, each process sends its own. */
  readonly store: IncidentStore;
  readonly metrics: NotificationCounter;
  /** The people that each tenant wants to notify. Default: only the addresses in the environment. */
  readonly settings?: Pick<CurrentSettings, "of"> | undefined;
}

/** Notifies people of alerts, once per incident. */
export interface Notifier {
  /** Receives a log line. Never throws, never waits. */
  readonly hear: LineListener;
  attach(surroundings: NotifierSurroundings): void;
  /** Send the reminders that are due. Runs by itself every few seconds. */
  remind(): void;
  /** Resolves when every alert received so far is counted or handed to a channel. */
  settle(): Promise<void>;
  /** Accept no more alerts, and give waiting messages five seconds to leave. Needs the store that was attached. */
  close(): Promise<void>;
}

/** Parts of {@link createNotifier}. */
interface NotifierOptions {
  readonly channels: readonly AlertChannel[];
  /** The mail server for tenants' own addresses. Default: tenants get no mail. */
  readonly mail?: Pick<AlertEmailConfig, "smtpUrl" | "from"> | undefined;
  /** Logs what couldn't be sent. */
  readonly logger: Logger;
  readonly version: string;
  readonly now: () => number;
  /** Time in which an incident is reported once, in milliseconds. Default one hour. */
  readonly windowMs?: number | undefined;
  /** As in `OutboxOptions`. */
  readonly retryDelaysMs?: readonly number[] | undefined;
}

const WINDOW_MS = 3_600_000;
const REMIND_EVERY_MS = 5_000;
/** How much of the five seconds the store may take. */
const SETTLE_MS = 2_000;
const CLOSE_MS = 5_000;

/** Create a {@link Notifier} that sends through `channels`, and closes them when it is closed. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { channels, now, windowMs = WINDOW_MS } = options;
  const counters = new Map<AlertChannelName, (outcome: NotificationOutcome) => void>();
  const count = (name: AlertChannelName, outcome: NotificationOutcome) => counters.get(name)?.(outcome);
  let surroundings: NotifierSurroundings | undefined;
  let closed = false;

  const outboxes = channels.map((channel) =>
    createOutbox({ ...options, channel, count: (outcome) => count(channel.name, outcome) }),
  );
  const tenants = createTenantOutboxes({
    ...options,
    mail: options.mail,
    count,
    contactsOf() {
      const settings = surroundings?.settings;
      return settings && (async (tenant) => (await settings.of(tenant)).alerts);
    },
  });
  const sender = { version: options.version, instance: randomUUID().slice(0, 8) };
  const incidents = createIncidents({
    store: () => surroundings?.store,
    send: (news, id) => sendToAll({ outboxes, tenants }, news.facts.tenant, toAlertMessage(news, id, sender)),
    now,
    windowMs,
  });
  const timer = setInterval(() => incidents.remind(), REMIND_EVERY_MS);
  timer.unref();

  return {
    hear(fields) {
      if (closed) return;
      try {
        const event = toAlertEvent(fields);
        if (event !== undefined) incidents.hear(event);
      } catch {
        // A field that can't be read must not fail the work that logs it; the line is already written.
      }
    },
    attach(given) {
      surroundings = given;
      const names = new Set<AlertChannelName>(channels.map(({ name }) => name));
      if (given.settings !== undefined) names.add("webhook");
      if (given.settings !== undefined && options.mail !== undefined) names.add("email");
      for (const name of names) counters.set(name, given.metrics.notifications(name));
    },
    remind: () => incidents.remind(),
    settle: () => incidents.settle(),
    async close() {
      closed = true;
      clearInterval(timer);
      const startedAtMs = performance.now();
      await withinDeadline(incidents.settle(), SETTLE_MS);
      incidents.tellRest();
      const leftMs = Math.max(0, CLOSE_MS - (performance.now() - startedAtMs));
      await Promise.all([tenants.close(leftMs), ...outboxes.map((outbox) => outbox.close(leftMs))]);
      await withinDeadline(incidents.settleSent(), SETTLE_MS);
    },
  };
}

/** As {@link Send}. */
async function sendToAll(
  {
    outboxes,
    tenants,
  }: {
    readonly outboxes: readonly Outbox[];
    readonly tenants: Pick<ReturnType<typeof createTenantOutboxes>, "push">;
  },
  tenant: string | undefined,
  message: AlertMessage,
): Promise<boolean> {
  const ends = outboxes.map((outbox) => new Promise<boolean>((ended) => outbox.push(message, ended)));
  // An alert with a tenant concerns only that tenant, and so do its order ids.
  if (tenant !== undefined) ends.push(tenants.push(tenant, message));
  return (await Promise.all(ends)).every((isOver) => isOver);
}

/** Receives the fields of every log line. */
type LineListener = (fields: Readonly<Record<string, unknown>>) => void;

/** A logger that writes as before, and also passes the fields of each line to `hear`, whatever the log level. */
export function withAlerts(logger: Logger, hear: LineListener): Logger {
  const toWriter =
    (level: keyof Logger): Logger["error"] =>
    (fields, message) => {
      logger[level](fields, message);
      hear(fields);
    };
  return {
    debug: toWriter("debug"),
    info: toWriter("info"),
    warn: toWriter("warn"),
    error: toWriter("error"),
  };
}

/** The app's log, which also sends its alerts to people. */
export interface AppAlerts {
  /** Alerts logged here are also sent. */
  readonly logger: Logger;
  attach(surroundings: NotifierSurroundings): void;
  close(): Promise<void>;
}

/** Parts of {@link createAppAlerts}. */
interface AppAlertsOptions {
  /** Undefined: alerts go only to the log and to tenants. */
  readonly config: AlertsConfig | undefined;
  readonly logger: Logger;
  readonly version: string;
  readonly now: () => number;
}

/** Create {@link AppAlerts}. Without a configuration, only tenants are alerted, at the addresses in their settings. */
export function createAppAlerts({ config, logger, version, now }: AppAlertsOptions): AppAlerts {
  const channels: AlertChannel[] = [];
  if (config?.webhook !== undefined) channels.push(createWebhookChannel(config.webhook));
  if (config?.email !== undefined) channels.push(createEmailChannel(config.email));
  const notifier = createNotifier({ channels, mail: config?.email, logger, version, now });
  return {
    logger: withAlerts(logger, notifier.hear),
    attach: (surroundings) => notifier.attach(surroundings),
    close: () => notifier.close(),
  };
}

import type { Logger } from "../base/logger.ts";
import { isLoopback, publicLookup } from "../base/public-address.ts";
import { createBackground, withinDeadline } from "../base/waiting.ts";
import type { AlertContacts } from "../settings/tenant-settings.ts";
import type { AlertEmailConfig } from "./alert-config.ts";
import type { AlertMessage } from "./alert-message.ts";
import { type AlertChannel, createOutbox, type Delivery, type Outbox } from "./outbox.ts";
import { createEmailChannel } from "./email-channel.ts";
import { createWebhookChannel } from "./webhook-channel.ts";

export interface OutboxPoolOptions {
  /** The app's mail server; undefined to send no mail. */
  readonly mail?: Pick<AlertEmailConfig, "smtpUrl" | "from"> | undefined;
  readonly logger: Logger;
  /** As in `OutboxOptions`. */
  readonly retryDelaysMs?: readonly number[] | undefined;
}

/** Whose addresses they are. */
export interface Addressee {
  /** Differs from everybody else's. */
  readonly key: string;
  /** Says in the log whose message couldn't be sent: ids only. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Called after each attempt. Default: nobody asks. */
  readonly onDelivery?: (delivery: Delivery) => void;
}

/** A message, and whether it may still leave. */
interface Pushed {
  readonly message: AlertMessage;
  /** Reads the addressee's addresses, before each attempt: others get nothing. Default: the addresses don't change. */
  readonly readContacts?: () => Promise<AlertContacts | null>;
}

/** Most addressees whose connections are kept open without messages; the one notified longest ago makes room. */
const ADDRESSEES_KEPT = 100;
/** How long messages to replaced addresses may still take. */
const REPLACED_GRACE_MS = 30_000;

interface Kept {
  /** The addresses that the outboxes send to. */
  readonly contacts: AlertContacts;
  readonly outboxes: readonly Outbox[];
}

/** Sends to addresses that people chose. Each addressee has its own outboxes, so a slow receiver delays no others. */
export function createOutboxPool(options: OutboxPoolOptions) {
  const underWay = createBackground();
  let graceMs = REPLACED_GRACE_MS;
  /** The one notified longest ago is first. */
  const kept = new Map<string, Kept>();

  function drop(key: string): void {
    for (const outbox of kept.get(key)?.outboxes ?? []) track(outbox.close(graceMs));
    kept.delete(key);
  }

  function keep(key: string, addressee: Kept): void {
    kept.delete(key);
    kept.set(key, addressee);
    // Messages that are still on their way would be sent again, so their outboxes stay.
    for (const [one, { outboxes }] of kept) {
      if (kept.size <= ADDRESSEES_KEPT) return;
      if (one !== key && outboxes.every((outbox) => outbox.isIdle())) drop(one);
    }
  }

  function track(work: Promise<unknown>): void {
    const onError = (error: unknown) =>
      options.logger.warn({ err: error }, "an alert couldn't be sent to its addressee");
    void underWay.add(work.catch(onError));
  }

  function outboxesOf(addressee: Addressee, contacts: AlertContacts): readonly Outbox[] {
    const known = kept.get(addressee.key);
    // Often the same object as long as nothing changes, so comparing the reference is usually enough.
    const isSame =
      known?.contacts === contacts || (known && toContactsText(known.contacts)) === toContactsText(contacts);
    if (known !== undefined && isSame) {
      keep(addressee.key, known);
      return known.outboxes;
    }
    drop(addressee.key);
    const outboxes = toChannels(options, contacts).map((channel) => openOutbox(options, addressee, channel));
    keep(addressee.key, { contacts, outboxes });
    return outboxes;
  }

  return {
    /** Until it's over, closing waits for this work. */
    track,
    /** Puts a message into an addressee's outboxes. Returns how it ends in each: see `Outbox`. */
    push(
      addressee: Addressee,
      contacts: AlertContacts,
      { message, readContacts }: Pushed,
    ): readonly Promise<boolean>[] {
      if (contacts.email.length === 0 && contacts.webhookUrl === null) return [];
      const isWanted = readContacts && (async () => isSameAs(contacts, await readContacts()));
      return outboxesOf(addressee, contacts).map(
        (outbox) => new Promise<boolean>((ended) => outbox.push(message, ended, isWanted)),
      );
    },
    /** Give waiting messages this long to leave, and drop the rest. */
    async close(forMs: number) {
      graceMs = forMs;
      await withinDeadline(underWay.settle(), forMs);
      for (const key of kept.keys()) drop(key);
      await underWay.settle();
    },
  };
}

function isSameAs(contacts: AlertContacts, found: AlertContacts | null): boolean {
  return found !== null && toContactsText(found) === toContactsText(contacts);
}

function toContactsText({ email, webhookUrl, webhookSecret }: AlertContacts): string {
  return JSON.stringify([email, webhookUrl?.reveal(), webhookSecret?.reveal()]);
}

/** The channels to these contacts. */
export function toChannels(
  { mail }: Pick<OutboxPoolOptions, "mail">,
  { email, webhookUrl, webhookSecret }: AlertContacts,
): readonly AlertChannel[] {
  const channels: AlertChannel[] = [];
  if (mail !== undefined && email.length > 0) channels.push(createEmailChannel({ ...mail, to: email }));
  if (webhookUrl !== null) {
    // Only the operator's own tenant may use an address on this machine.
    const lookup = isLoopback(new URL(webhookUrl.reveal()).hostname) ? undefined : publicLookup;
    channels.push(createWebhookChannel({ url: webhookUrl, secret: webhookSecret ?? undefined, lookup }));
  }
  return channels;
}

function openOutbox(
  { logger, retryDelaysMs }: OutboxPoolOptions,
  { fields: whose, onDelivery }: Addressee,
  channel: AlertChannel,
): Outbox {
  const named: Logger = {
    ...logger,
    error: (fields, message) => logger.error({ ...fields, ...whose }, message),
  };
  const watched: AlertChannel = {
    ...channel,
    async send(message, signal) {
      const delivery = await channel.send(message, signal);
      onDelivery?.(delivery);
      return delivery;
    },
  };
  return createOutbox({ channel: watched, logger: named, retryDelaysMs });
}

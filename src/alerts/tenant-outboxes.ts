import { LRUCache } from "lru-cache";
import type { Logger } from "../base/logger.ts";
import { isLoopback, publicLookup } from "../base/public-address.ts";
import type { TenantId } from "../platform/platform.ts";
import { createBackground, withinDeadline } from "../base/waiting.ts";
import type { AlertContacts } from "../settings/tenant-settings.ts";
import type { AlertEmailConfig } from "./alert-config.ts";
import type { AlertMessage } from "./alert-message.ts";
import { type AlertChannel, createOutbox, type Outbox } from "./outbox.ts";
import { createEmailChannel } from "./email-channel.ts";
import { createWebhookChannel } from "./webhook-channel.ts";

export interface TenantOutboxesOptions {
  /** The people to notify. Undefined while the store isn't open yet. */
  readonly contactsOf: () => ((tenant: TenantId) => Promise<AlertContacts>) | undefined;
  /** The app's mail server; undefined to send no mail. */
  readonly mail: Pick<AlertEmailConfig, "smtpUrl" | "from"> | undefined;
  readonly logger: Logger;
  /** As in `OutboxOptions`. */
  readonly retryDelaysMs?: readonly number[] | undefined;
}

/** Most tenants whose connections are kept open; the one notified longest ago makes room. */
const TENANTS_KEPT = 100;
/** How long messages to replaced addresses may still take. */
const REPLACED_GRACE_MS = 30_000;

interface Kept {
  /** The addresses that the outboxes send to. */
  readonly contacts: AlertContacts;
  readonly outboxes: readonly Outbox[];
}

/** Sends tenants' alerts to their own addresses. Each has its own outbox, so a slow receiver delays no others. */
export function createTenantOutboxes(options: TenantOutboxesOptions) {
  const underWay = createBackground();
  let graceMs = REPLACED_GRACE_MS;
  const kept = new LRUCache<TenantId, Kept>({
    max: TENANTS_KEPT,
    dispose: ({ outboxes }) => outboxes.forEach((outbox) => track(outbox.close(graceMs))),
  });

  function track(work: Promise<unknown>): void {
    const onError = (error: unknown) =>
      options.logger.warn({ err: error }, "an alert couldn't be sent to a tenant");
    void underWay.add(work.catch(onError));
  }

  function outboxesOf(tenant: TenantId, contacts: AlertContacts): readonly Outbox[] {
    const known = kept.get(tenant);
    // The settings are the same object as long as they don't change, so comparing the reference is usually enough.
    const isSame =
      known?.contacts === contacts || (known && toContactsText(known.contacts)) === toContactsText(contacts);
    if (known !== undefined && isSame) return known.outboxes;
    const outboxes = toChannels(options, contacts).map((channel) => openOutbox(options, tenant, channel));
    kept.set(tenant, { contacts, outboxes });
    return outboxes;
  }

  /** Puts the message into the tenant's outboxes. Resolves to how it ends in each. */
  async function send(tenant: TenantId, message: AlertMessage): Promise<readonly Promise<boolean>[]> {
    const contacts = await options.contactsOf()?.(tenant);
    if (contacts === undefined || (contacts.email.length === 0 && contacts.webhookUrl === null)) return [];
    return outboxesOf(tenant, contacts).map((outbox) => new Promise((ended) => outbox.push(message, ended)));
  }

  return {
    /**
     * Never rejects. A tenant without addresses isn't alerted. Resolves to whether the message is done, as for an outbox; false
     * if the tenant's addresses couldn't be read.
     */
    push(tenant: TenantId, message: AlertMessage): Promise<boolean> {
      const sent = send(tenant, message);
      track(sent);
      return sent
        .then(async (ends) => (await Promise.all(ends)).every((isOver) => isOver))
        .catch(() => false);
    },
    /** Give waiting messages this long to leave, and drop the rest. */
    async close(forMs: number) {
      graceMs = forMs;
      await withinDeadline(underWay.settle(), forMs);
      kept.clear();
      await underWay.settle();
    },
  };
}

function toContactsText({ email, webhookUrl, webhookSecret }: AlertContacts): string {
  return JSON.stringify([email, webhookUrl?.reveal(), webhookSecret?.reveal()]);
}

function toChannels({ mail }: TenantOutboxesOptions, { email, webhookUrl, webhookSecret }: AlertContacts) {
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
  { logger, retryDelaysMs }: TenantOutboxesOptions,
  tenant: TenantId,
  channel: AlertChannel,
): Outbox {
  const named: Logger = {
    ...logger,
    error: (fields, message) => logger.error({ ...fields, tenant }, message),
  };
  return createOutbox({ channel, logger: named, retryDelaysMs });
}

import type { TenantId } from "../platform/platform.ts";
import type { AlertContacts } from "../settings/tenant-settings.ts";
import type { Language } from "../texts/languages.ts";
import type { AlertMessage } from "./alert-message.ts";
import { createOutboxPool, type OutboxPoolOptions } from "./outbox-pool.ts";

export interface TenantOutboxesOptions extends OutboxPoolOptions {
  /** The people to notify. Undefined while the store isn't open yet. */
  readonly contactsOf: () => ((tenant: TenantId) => Promise<AlertContacts>) | undefined;
}

/** The message in the language of its readers. */
type WriteMessage = (language: Language) => AlertMessage;

/** Sends tenants' alerts to their own addresses. */
export function createTenantOutboxes(options: TenantOutboxesOptions) {
  const pool = createOutboxPool(options);

  /** Puts the message into the tenant's outboxes. Resolves to how it ends in each. */
  async function send(tenant: TenantId, write: WriteMessage): Promise<readonly Promise<boolean>[]> {
    const contacts = await options.contactsOf()?.(tenant);
    if (contacts === undefined) return [];
    return pool.push({ key: tenant, fields: { tenant } }, contacts, {
      message: write(contacts.language),
    });
  }

  return {
    /**
     * Never rejects. A tenant without addresses isn't alerted. Resolves to whether the message is done, as for an outbox; false
     * if the tenant's addresses couldn't be read.
     */
    push(tenant: TenantId, write: WriteMessage): Promise<boolean> {
      const sent = send(tenant, write);
      pool.track(sent);
      return sent
        .then(async (ends) => (await Promise.all(ends)).every((isOver) => isOver))
        .catch(() => false);
    },
    /** Give waiting messages this long to leave, and drop the rest. */
    close: (forMs: number) => pool.close(forMs),
  };
}

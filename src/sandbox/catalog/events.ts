import { createBackground } from "../../base/waiting.ts";
import type { Records, SandboxRecord } from "./records.ts";

/** Sends an event to the webhooks of an organization that subscribe to it. */
export type EventSender = ReturnType<typeof createEventSender>["send"];

/** One attempt to deliver an event. There is never a second. */
export interface Delivery {
  readonly webhookId: string;
  readonly event: string;
  readonly url: string;
  /** Null: no answer within 30 seconds, or no connection. */
  readonly status: number | null;
}

/** Time limit for a receiver's answer (the interface, Events). */
const TIMEOUT_MS = 30_000;
const KEPT_DELIVERIES = 1_000;

/** Send a body to a webhook's address, once. Resolves to the status; null: no answer within 30 seconds, or no connection. */
export function sendOnce(url: string, method: string, body: object): Promise<number | null> {
  return fetch(url, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => null,
  );
}

export function createEventSender(records: Records, payloadKey: string) {
  const deliveries: Delivery[] = [];
  const underWay = createBackground();

  async function deliver(webhook: SandboxRecord, event: string, payload: object): Promise<void> {
    const url = String(webhook["url"]);
    const body = { webhookId: webhook.id, event, [payloadKey]: payload };
    const status = await sendOnce(url, String(webhook["method"]).toUpperCase(), body);
    deliveries.push({ webhookId: webhook.id, event, url, status });
    if (deliveries.length > KEPT_DELIVERIES) deliveries.shift();
  }

  return {
    send: (organization: string, event: string, payload: object): void => {
      for (const webhook of records.of(organization, "webhook").list()) {
        const events = webhook["eventType"] as readonly string[];
        if (webhook["enabled"] !== true || !events.includes(event)) continue;
        void underWay.add(deliver(webhook, event, payload));
      }
    },
    deliveries,
    settled: () => underWay.settle(),
  };
}

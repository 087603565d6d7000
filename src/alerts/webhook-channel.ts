import { createHmac } from "node:crypto";
import type { LookupFunction } from "node:net";
import { Agent, request, type Dispatcher } from "undici";
import type { AlertWebhookConfig } from "./alert-config.ts";
import type { AlertMessage } from "./alert-message.ts";
import { toProblem, type AlertChannel, type Delivery } from "./outbox.ts";
import { signWebhook } from "./webhook-signature.ts";

/** Parts of {@link createWebhookChannel}. */
export interface WebhookChannelOptions extends AlertWebhookConfig {
  /** Limit of one try, in milliseconds. Default 10000. */
  readonly timeoutMs?: number | undefined;
  /** Finds the addresses of the host's name. Default: the system's. Not used with `dispatcher`. */
  readonly lookup?: LookupFunction | undefined;
  /** Default: an own one. A given one stays the caller's to close. */
  readonly dispatcher?: Dispatcher | undefined;
}

const TIMEOUT_MS = 10_000;
/** Nobody reads what the receiver says beside the status; more than that ends the connection. */
const MAX_ANSWER_BYTES = 65_536;
/** Asked again: timed out, too early, too fast. Any other 4xx stays a refusal, and a redirect leads elsewhere. */
const RETRYABLE_STATUSES = new Set([408, 425, 429]);

/**
 * Post alerts as JSON, as Slack's incoming webhooks take it (`text`) and with the fields beside. Redirects are not
 * followed.
 */
export function createWebhookChannel(options: WebhookChannelOptions): AlertChannel {
  const { url, secret, lookup, timeoutMs = TIMEOUT_MS } = options;
  const connect = lookup === undefined ? { timeout: timeoutMs } : { timeout: timeoutMs, lookup };
  const dispatcher = options.dispatcher ?? new Agent({ connect });

  return {
    name: "webhook",
    async send(message, signal) {
      const body = toBody(message);
      const headers = {
        "content-type": "application/json; charset=utf-8",
        ...(secret === undefined ? {} : toSignatures(secret.reveal(), message.id, body)),
      };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        const answer = await request(url.reveal(), {
          method: "POST",
          headers,
          body,
          dispatcher,
          signal: limit,
        });
        // The status has been said; what becomes of the rest changes nothing.
        await answer.body.dump({ limit: MAX_ANSWER_BYTES, signal: limit }).catch(() => undefined);
        return toDelivery(answer.statusCode);
      } catch (error) {
        // The error itself goes nowhere: it may quote the address.
        return { outcome: "failed", retryable: true, problem: toProblem(error) };
      }
    },
    async close() {
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
}

function toBody({ id, text, fields }: AlertMessage): string {
  return JSON.stringify({ text, id, ...fields });
}

function toSignatures(secret: string, id: string, body: string): Readonly<Record<string, string>> {
  return {
    ...signWebhook(secret, id, Date.now(), body),
    // Deprecated: goes with 0.2.0. Over the body alone, with the secret's text as the key.
    "x-holdfast-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  };
}

function toDelivery(status: number): Delivery {
  if (status >= 200 && status < 300) return { outcome: "sent", refused: 0 };
  const retryable = status >= 500 || RETRYABLE_STATUSES.has(status);
  return { outcome: "failed", retryable, problem: `status:${status}` };
}

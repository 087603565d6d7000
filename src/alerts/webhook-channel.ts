import { createHmac } from "node:crypto";
import type { LookupFunction } from "node:net";
import { Agent, request, type Dispatcher } from "undici";
import { parseRetryAfter } from "../service/rate-limit.ts";
import type { AlertWebhookConfig } from "./alert-config.ts";
import { toProblem, type AlertChannel, type Delivery } from "./outbox.ts";
import { signWebhook } from "./webhook-signature.ts";

export interface WebhookChannelOptions extends AlertWebhookConfig {
  /** Time limit of one attempt, in milliseconds. Default 10000. */
  readonly timeoutMs?: number | undefined;
  /** Resolves the host's name to addresses. Default: the system's resolver. Not used with `dispatcher`. */
  readonly lookup?: LookupFunction | undefined;
  /** Default: its own. If you pass one, you close it. */
  readonly dispatcher?: Dispatcher | undefined;
}

const TIMEOUT_MS = 10_000;
/** Only the status and `Retry-After` of the response are used. A longer body ends the connection. */
const MAX_ANSWER_BYTES = 65_536;
/** Statuses that are retried: timed out, too early, too many requests. Other 4xx and redirects are final. */
const RETRYABLE_STATUSES = new Set([408, 425, 429]);

/** Post alerts as JSON, with `text` for Slack's incoming webhooks and all fields. Redirects aren't followed. */
export function createWebhookChannel(options: WebhookChannelOptions): AlertChannel {
  const { url, secret, lookup, timeoutMs = TIMEOUT_MS } = options;
  const connect = lookup === undefined ? { timeout: timeoutMs } : { timeout: timeoutMs, lookup };
  const dispatcher = options.dispatcher ?? new Agent({ connect });

  return {
    name: "webhook",
    async send(message, signal) {
      const { text, id, fields } = message;
      const body = JSON.stringify({ text, id, ...fields });
      const headers = {
        "content-type": "application/json; charset=utf-8",
        ...(secret === undefined ? {} : toSignatures(secret.reveal(), id, body)),
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
        // The status has arrived, so failures while reading the rest don't matter.
        await answer.body.dump({ limit: MAX_ANSWER_BYTES, signal: limit }).catch(() => undefined);
        return toDelivery(answer);
      } catch (error) {
        // The error itself is dropped, since it may quote the address.
        return { outcome: "failed", retryable: true, problem: toProblem(error) };
      }
    },
    async close() {
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
}

function toSignatures(secret: string, id: string, body: string): Readonly<Record<string, string>> {
  return {
    ...signWebhook(secret, id, Date.now(), body),
    // Deprecated, removed in 0.2.0. Signs only the body, with the secret's text as the key.
    "x-holdfast-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  };
}

function toDelivery({ statusCode: status, headers }: Dispatcher.ResponseData): Delivery {
  if (status >= 200 && status < 300) return { outcome: "sent", refused: 0 };
  const retryable = status >= 500 || RETRYABLE_STATUSES.has(status);
  const nowMs = Date.now();
  const readyAtMs = parseRetryAfter(headers, nowMs);
  const retryAfterMs = readyAtMs === undefined ? undefined : readyAtMs - nowMs;
  return { outcome: "failed", retryable, problem: `status:${status}`, retryAfterMs };
}

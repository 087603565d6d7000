import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import { refusalOf } from "../../base/refusals.ts";
import { isHoldfastError, toStoreUnavailable } from "../../base/errors.ts";
import { withinDeadline } from "../../base/waiting.ts";
import type { WebhookOutcome } from "../../pipeline/metrics.ts";
import type { Platform } from "../../platform/platform.ts";
import { SANDBOX_PLATFORM } from "../../sandbox/sandbox-platform.ts";
import { createBodyMemory, readBody, type BodyLimits } from "../http/request-body.ts";
import type { DurabilityWatch } from "./health.ts";
import { createSignatureWatch } from "./signature-watch.ts";
import { sendMethodNotAllowed, sendProblem, toRetryAfter, type ProblemAnswer } from "../http/responses.ts";
import type { SecurityHeaders } from "../http/security-headers.ts";
import type { ServerParts } from "../parts/server-parts.ts";

/** Largest delivery that is read, in bytes (5 MB). */
export const MAX_DELIVERY_BYTES = 5 * 1024 * 1024;
/**
 * Deliveries held in memory at once: about 15 000 of the usual 8 KB, and beside them 6 of the largest. An order's line
 * takes one to two kilobytes, so those of more than about 150 lines share the room of the large ones.
 */
const MEMORY = {
  ordinaryBytes: 256 * 1024,
  ordinaryTotalBytes: 128 * 1024 * 1024,
  largeTotalBytes: 32 * 1024 * 1024,
  /** How long a body may take if memory is short. An order takes milliseconds, even from the other side of the world. */
  patienceMs: 1_000,
} as const;
/** Platforms give up after 5 s (Shopify's webhook deadline), so a slower body is useless. */
const BODY_TIMEOUT_MS = 10_000;
/**
 * If the database hangs, a write takes up to 35 s. Answer before the platform gives up, counted from the end of the body.
 * If the delivery is stored after all, its repeat is a duplicate.
 */
const SAVE_TIMEOUT_MS = 4_500;
const RETRY_AFTER_SECONDS = 5;

interface WebhookParts extends Pick<
  ServerParts,
  | "platforms"
  | "intake"
  | "metrics"
  | "store"
  | "logger"
  | "now"
  | "draining"
  | "bodyTimeoutMs"
  | "saveTimeoutMs"
> {
  /** Called with the outcome of each delivery. */
  readonly durability: DurabilityWatch;
  /** For errors only: browsers don't read receipts, which have to be fast. */
  readonly secure: SecurityHeaders;
}

/**
 * `POST /webhooks/:platform`: read the raw body, check its signature, make it durable, answer. Every order takes this path, so
 * it is one table look-up in front of all other routes and doesn't use the framework.
 */
export function createWebhookRoutes(parts: WebhookParts): RequestHandler {
  const limits: BodyLimits = {
    maxBytes: MAX_DELIVERY_BYTES,
    timeoutMs: parts.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
    memory: createBodyMemory({ ...MEMORY, now: parts.now }),
  };
  // Sandbox orders have no sender.
  const senders = parts.platforms.filter(({ name }) => name !== SANDBOX_PLATFORM);
  const inlets = new Map(
    senders.map((platform) => [`/webhooks/${platform.name}`, createInlet(platform, parts, limits)]),
  );
  return (req, res, next) => {
    const inlet = inlets.get(toPath(req.url));
    return inlet === undefined ? next() : inlet(req, res);
  };
}

function toPath(url: string): string {
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

type Inlet = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

function createInlet(platform: Platform, parts: WebhookParts, limits: BodyLimits): Inlet {
  const count = parts.metrics.webhooks(platform.name);
  const signatures = createSignatureWatch(parts, platform.name);

  function refuse(res: ServerResponse, refusal: Refusal): void {
    count(refusal.outcome);
    parts.secure(res);
    sendProblem(res, refusal.answer, refusal.headers);
  }

  /** Make a delivery durable, unless it is to be refused. */
  async function storeDelivery(req: IncomingMessage, body: Buffer): Promise<Receipt | Refusal> {
    const authentication = platform.authenticate({ headers: req.headers, body });
    if (authentication.outcome !== "unauthenticated") signatures.accepted();
    else if (authentication.isSigned === true) signatures.refused();
    if (authentication.outcome !== "accepted") {
      const { outcome, reason } = authentication;
      parts.logger.debug({ platform: platform.name, outcome, reason }, "a delivery was refused");
      return REFUSALS[outcome];
    }
    const { tenant, deliveryId, topic } = authentication;
    const receivedAtMs = parts.now();
    const delivery = { tenant, deliveryId, platform: platform.name, topic, receivedAtMs, body };
    const outcome = await parts.intake.accept(delivery);
    parts.durability.kept();
    return outcome;
  }

  async function answer(res: ServerResponse, keeping: Promise<Receipt | Refusal>): Promise<void> {
    const kept = await withinDeadline(keeping, parts.saveTimeoutMs ?? SAVE_TIMEOUT_MS);
    if (kept === undefined) throw toStoreUnavailable("the store doesn't answer");
    if (typeof kept !== "string") return refuse(res, kept);
    count(kept);
    sendReceipt(res, kept);
  }

  function refuseForOutage(error: unknown): Refusal {
    if (!isHoldfastError(error, "STORE_UNAVAILABLE", "SHUTTING_DOWN")) {
      count("unavailable");
      throw error;
    }
    if (error.code === "STORE_UNAVAILABLE") parts.durability.lost();
    parts.logger.warn({ err: error, platform: platform.name }, "a delivery couldn't be stored");
    const retryAfter = toRetryAfter(error.retryAtMs, parts.now(), RETRY_AFTER_SECONDS);
    return toUnavailable({ ...NOT_KEPT, code: error.code }, retryAfter);
  }

  return async (req, res) => {
    if (req.method !== "POST") {
      parts.secure(res);
      return sendMethodNotAllowed(res, ["POST"]);
    }
    if (parts.draining()) return refuse(res, REFUSALS.stopping);
    const read = await readBody(req, limits);
    if (read.outcome === "aborted") return;
    if (read.outcome !== "complete") return refuse(res, REFUSALS[read.outcome]);
    try {
      // Until the delivery is stored, its body takes memory, even if the answer doesn't wait for it.
      await answer(res, storeDelivery(req, read.body).finally(read.release));
    } catch (error) {
      // Set the headers before rethrowing other errors, because their handler sets none.
      parts.secure(res);
      refuse(res, refuseForOutage(error));
    }
  };
}

const RECEIPTS = {
  accepted: '{"status":"accepted"}',
  duplicate: '{"status":"duplicate"}',
} as const;

type Receipt = keyof typeof RECEIPTS;

function sendReceipt(res: ServerResponse, outcome: Receipt): void {
  const text = RECEIPTS[outcome];
  res.writeHead(200, { "Content-Type": "application/json", "Content-Length": text.length });
  res.end(text);
}

interface Refusal {
  readonly outcome: WebhookOutcome;
  readonly answer: ProblemAnswer;
  readonly headers?: OutgoingHttpHeaders;
}

function toUnavailable(answer: ProblemAnswer, retryAfter = String(RETRY_AFTER_SECONDS)): Refusal {
  return { outcome: "unavailable", answer, headers: { "Retry-After": retryAfter } };
}

const NOT_KEPT = refusalOf(503, "delivery-not-stored");

const REFUSALS = {
  unauthenticated: { outcome: "unauthenticated", answer: refusalOf(401, "delivery-unsigned") },
  unusable: { outcome: "unusable", answer: refusalOf(400, "delivery-unusable") },
  "too-large": {
    outcome: "too_large",
    answer: refusalOf(413, "delivery-too-large", { max: MAX_DELIVERY_BYTES }),
  },
  encoded: { outcome: "unusable", answer: refusalOf(415, "delivery-compressed") },
  "timed-out": { outcome: "unusable", answer: refusalOf(408, "delivery-late") },
  overloaded: toUnavailable(NOT_KEPT),
  stopping: toUnavailable({ ...refusalOf(503, "delivery-stopping"), code: "SHUTTING_DOWN" }),
} as const;

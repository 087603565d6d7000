import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseJson } from "../../base/json.ts";
import { SILENT_LOGGER, type Logger } from "../../base/logger.ts";
import { checkOptions, type OptionRules } from "../../base/options.ts";
import { pauseUnref } from "../../base/waiting.ts";
import type { CatalogClient } from "../catalog-client.ts";
import { createMemoryInbox, type EventInbox } from "./event-inbox.ts";
import { createFollower, type CatalogEvent } from "./follow-event.ts";
import { parseEvent, type ReceivedEvent } from "./parse-event.ts";

/** Options of {@link catalogWebhook}. */
export interface CatalogWebhookOptions {
  readonly client: Pick<CatalogClient, "hint" | "findJobs">;
  /**
   * Called once per event, for up to eight events at once. One that throws or rejects is called again, after longer and
   * longer pauses of up to five minutes, until it succeeds.
   */
  readonly onEvent: (event: CatalogEvent) => unknown;
  /** Where events are stored before they are answered. Default: in memory. */
  readonly inbox?: EventInbox | undefined;
  /** Only events of these webhooks are accepted. Default: of all webhooks. */
  readonly webhookIds?: readonly string[] | undefined;
  /** Logs each event that is dropped, and why. Default: silent. */
  readonly logger?: Logger | undefined;
  /** Waits until the time has passed or the signal fires. Default: a timer. Tests pass in their own clock. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** A receiver of the catalog's events, for three kinds of hosts. */
export type CatalogWebhook = ReturnType<typeof catalogWebhook>;

/** The part of Fastify's reply that a receiver uses. */
export interface FastifyLikeReply {
  code(status: number): { send(body?: unknown): unknown };
}

const OPTIONS: OptionRules<CatalogWebhookOptions> = {
  client: {
    expected: "the result of createCatalogClient",
    is: ["hint", "findJobs"],
    isRequired: true,
  },
  onEvent: { is: "function", isRequired: true },
  inbox: {
    expected: "the result of openFileInbox, awaited",
    is: ["keep", "done", "forget", "pending"],
  },
  webhookIds: { expected: "a list of ids", is: Array.isArray },
  logger: "logger",
  wait: "function",
};

/** Largest body that is read, in bytes; an event is a few hundred. */
const MAX_BODY_BYTES = 65_536;
/** A stopped job can't stop again, so its id is enough to recognize a duplicate. */
function toKey({ webhookId, event, jobId }: ReceivedEvent): string {
  return createHash("sha256")
    .update(JSON.stringify([webhookId, event, jobId]))
    .digest("base64url");
}

/** The parsed body, whether or not the host parsed it. */
function toParsed(body: unknown): unknown {
  if (typeof body === "string") return parseJson(body);
  return body instanceof Uint8Array ? parseJson(Buffer.from(body).toString("utf8")) : body;
}

/**
 * Receive the catalog's webhook events. Each is answered with 200 as soon as it's stored, duplicates too. A body that
 * isn't an event of the interface gets 400, and an event that can't be stored gets 503. Events aren't signed, so each
 * is only a hint: the job is read, everyone who waits for it with `waitForJob` is woken, and `onEvent` gets the job as
 * the service returns it. A service that doesn't confirm an event yet, or fails, is asked again for a quarter of an
 * hour; then the event is dropped, and the log says so. Only `product_market_analysis.*` can't be confirmed: its `job`
 * is null.
 */
export function catalogWebhook(given: CatalogWebhookOptions) {
  const options = checkOptions("catalogWebhook", given, OPTIONS);
  const { inbox = createMemoryInbox(), webhookIds, logger = SILENT_LOGGER } = options;
  const follower = createFollower({ ...options, inbox, logger, wait: options.wait ?? pauseUnref });

  function refuse(status: 400 | 503, why: string): number {
    logger.warn({ status }, `a catalog event was dropped: ${why}`);
    return status;
  }

  async function take(body: unknown): Promise<number> {
    const event = parseEvent(body);
    if (event === undefined) return refuse(400, "it isn't an event of the interface");
    if (webhookIds !== undefined && !webhookIds.includes(event.webhookId)) {
      return refuse(400, "it isn't from one of `webhookIds`");
    }
    await loaded;
    const key = toKey(event);
    try {
      // A duplicate may be the real one after a forged one.
      if (await inbox.keep(key, event)) follower.follow(key, event);
      else follower.wake(key);
      return 200;
    } catch (error) {
      logger.warn({ err: error }, "a catalog event was dropped: it couldn't be stored");
      return 503;
    }
  }

  /** First the events that an earlier process stored but didn't handle. */
  const loaded = inbox.pending().then(
    (left) => {
      for (const { key, event } of left) follower.follow(key, event);
    },
    (error: unknown) => logger.warn({ err: error }, "the inbox of catalog events can't be read"),
  );

  return {
    /** For Express, and for `node:http`. The body may be read or parsed already (`express.raw`, `express.text`, `express.json`). */
    async express(request: IncomingMessage & { body?: unknown }, response: ServerResponse) {
      const body = request.body ?? (await readText(request)) ?? "";
      response.statusCode = await take(toParsed(body));
      response.end();
    },
    /** For Fastify, which reads the body. */
    async fastify(request: { readonly body?: unknown }, reply: FastifyLikeReply) {
      await reply.code(await take(toParsed(request.body))).send();
    },
    /** For hosts with a Web `Request`. */
    async fetch(request: Request): Promise<Response> {
      const text = request.body === null ? "" : await readText(request.body);
      return new Response(null, { status: await take(parseJson(text ?? "")) });
    },
    /** Resolves once every accepted event has been handled or dropped, or the receiver is closed. */
    async settled() {
      await loaded;
      await follower.settled();
    },
    /** Stop reading and retrying. Events that weren't handled stay in the inbox, for the next start. */
    async close() {
      await loaded;
      await follower.close();
    },
  };
}

/** A body's text; undefined if it's too long, or the sender disconnected. */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString("utf8");
}

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { isHoldfastError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { SILENT_LOGGER, type Logger } from "../base/logger.ts";
import { checkOptions, type OptionRules } from "../base/options.ts";
import type { CatalogClient } from "./catalog-client.ts";
import { createMemoryInbox, type EventInbox, type ReceivedEvent } from "./event-inbox.ts";
import type { WatchedJob } from "./job-waiter.ts";
import type { JobKind } from "./operations/catalog-operations.ts";
import { WEBHOOK_EVENTS } from "./operations/webhooks.ts";

/** An event about a job, with the job as the service describes it. */
export interface CatalogEvent {
  readonly event: string;
  readonly webhookId: string;
  readonly jobId: string;
  /**
   * The job as it was read after the event. Null for a market analysis, which no operation shows: don't trust such an
   * event.
   */
  readonly job: WatchedJob | null;
}

/** Options of {@link catalogWebhook}. */
export interface CatalogWebhookOptions {
  readonly client: Pick<CatalogClient, "hint" | "job">;
  /** Called once per event, one after the other. One that rejects is called again at the next start. */
  readonly onEvent: (event: CatalogEvent) => unknown;
  /** Where events are stored before they are answered. Default: in memory. */
  readonly inbox?: EventInbox | undefined;
  /** Only events of these webhooks are accepted. Default: of all webhooks. */
  readonly webhookIds?: readonly string[] | undefined;
  readonly logger?: Logger | undefined;
}

/** A receiver of the catalog's events, for three kinds of hosts. */
export type CatalogWebhook = ReturnType<typeof catalogWebhook>;

interface FastifyLikeReply {
  code(status: number): { send(body?: unknown): unknown };
}

const OPTIONS: OptionRules<CatalogWebhookOptions> = {
  client: {
    expected: "the result of createCatalogClient",
    is: ["hint", "job"],
    isRequired: true,
  },
  onEvent: { is: "function", isRequired: true },
  inbox: {
    expected: "the result of openFileInbox, awaited",
    is: ["keep", "done", "forget", "pending"],
  },
  webhookIds: { expected: "a list of ids", is: Array.isArray },
  logger: "logger",
};

/** Largest body that is read, in bytes; an event is a few hundred. */
const MAX_BODY_BYTES = 65_536;
/** The most events that wait to be handled. Further ones are refused, and polling finds their results. */
const MAX_WAITING = 1_000;

/** Pages of 100 jobs to search for an event's job, newest first. Anybody can send events, and each read is a call. */
const MAX_PAGES = 2;

const KINDS: Readonly<Record<string, JobKind>> = {
  product_enrichment: "enrichment",
  product_validation: "validation",
  ai_import: "import",
};

const short = z.string().min(1).max(200);
const envelope = z.looseObject({ webhookId: short, event: z.enum(WEBHOOK_EVENTS) });
const payload = z.union([
  z.looseObject({ id: short }).transform(({ id }) => id),
  z.looseObject({ jobId: short }).transform(({ jobId }) => jobId),
]);

/** Read an event. The interface's text doesn't show the key of the payload: it's the key with an object. */
function readEvent(body: unknown): { readonly key: string; readonly event: ReceivedEvent } | undefined {
  const outer = envelope.safeParse(body).data;
  if (outer === undefined) return undefined;
  const { webhookId, event, ...rest } = outer;
  const objects = Object.values(rest).filter((value) => typeof value === "object" && value !== null);
  const [only] = objects;
  const jobId = objects.length === 1 ? payload.safeParse(only).data : undefined;
  if (jobId === undefined) return undefined;
  // A stopped job can't stop again, so its id is enough to recognize a duplicate.
  const key = createHash("sha256")
    .update(JSON.stringify([webhookId, event, jobId]))
    .digest("base64url");
  return { key, event: { webhookId, event, jobId } };
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
 * the service returns it. An event that the service doesn't confirm is forgotten, so that the real one counts when it
 * arrives. Only `product_market_analysis.*` can't be confirmed: its `job` is null.
 */
export function catalogWebhook(given: CatalogWebhookOptions) {
  const options = checkOptions("catalogWebhook", given, OPTIONS);
  const { client, onEvent, inbox = createMemoryInbox(), webhookIds, logger = SILENT_LOGGER } = options;
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  async function handle(key: string, received: ReceivedEvent): Promise<void> {
    const { event, webhookId, jobId } = received;
    try {
      client.hint(jobId);
      const job = await readJob(client, received);
      if (job === undefined || !isTrue(event, job)) return await inbox.forget(key);
      await onEvent({ event, webhookId, jobId, job });
      await inbox.done(key);
    } catch (error) {
      logger.warn({ err: error }, "a catalog event couldn't be handled; it stays in the inbox");
    }
  }

  function enqueue(key: string, event: ReceivedEvent): void {
    waiting += 1;
    last = last.then(() => handle(key, event)).finally(() => (waiting -= 1));
  }

  async function take(body: unknown): Promise<number> {
    const read = readEvent(body);
    if (read === undefined) return 400;
    if (webhookIds !== undefined && !webhookIds.includes(read.event.webhookId)) return 400;
    if (waiting >= MAX_WAITING) return 503;
    await loaded;
    try {
      if (await inbox.keep(read.key, read.event)) enqueue(read.key, read.event);
      return 200;
    } catch (error) {
      logger.warn({ err: error }, "a catalog event couldn't be stored");
      return 503;
    }
  }

  /** First handle the events that an earlier process stored but didn't handle. */
  const loaded = inbox.pending().then(
    (left) => {
      for (const { key, event } of left) enqueue(key, event);
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
    /** Resolves once every accepted event has been handled, or failed. */
    async settled() {
      await loaded;
      // Handling one event can't add another, but a caller can.
      for (let seen: Promise<void> | undefined; seen !== last; await seen) seen = last;
    },
  };
}

/** The job of an event: undefined when the service has no such job; null when no operation shows it. */
async function readJob(client: Pick<CatalogClient, "job">, { jobId, event }: ReceivedEvent) {
  const kind = KINDS[event.split(".")[0] ?? ""];
  if (kind === undefined) return null;
  try {
    return await client.job(jobId, { kind, maxPages: MAX_PAGES });
  } catch (error) {
    if (isHoldfastError(error, "SERVICE_NOT_FOUND")) return undefined;
    throw error;
  }
}

/** Whether the service confirms the event. The job may have progressed since. */
function isTrue(event: string, job: WatchedJob | null): boolean {
  if (job === null) return true;
  if (event.endsWith(".stopped")) return job.status === "stopped";
  if (!event.endsWith(".completed")) return true;
  return job.status !== "pending" && job.status !== "processing";
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

import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { isCloudflare } from "../base/cloudflare.ts";
import {
  isHoldfastError,
  readCode,
  toConfigError,
  toUnsentError,
  type HoldfastError,
} from "../base/errors.ts";
import { SILENT_LOGGER } from "../base/logger.ts";
import { createSharedWork } from "../base/shared-work.ts";
import { createBackground, withinDeadline } from "../base/waiting.ts";
import { parseClientOptions, type ClientConfig, type VerificationClientOptions } from "./client-options.ts";
import type { Dialect } from "./dialect.ts";
import { parseEnvelope } from "./checked-data.ts";
import { chooseOrganization, organizationsSchema, type Organization } from "./organization.ts";
import {
  toCanceledError,
  toElsewhereError,
  toStatusError,
  toTransportError,
  type CallEffect,
  type RefusedReply,
} from "./http-errors.ts";
import { createFetchSender, FETCH_SENDER } from "./fetch-sender.ts";
import { isForeign, isProof, type Proof } from "./set-up-fault.ts";
import { decodeStream, sendOnce, type HttpReply, type HttpRequest, type Sender } from "./send-once.ts";

/** One call of a service. The path begins with `/api`. */
export type ServiceCall = Pick<HttpRequest, "method" | "path" | "body"> & {
  /** The content type of a body that isn't JSON. */
  readonly contentType?: string | undefined;
  /** The content type of an answer that isn't JSON. */
  readonly accept?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Headers of the caller. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** 1 for the first attempt of a call. @default 1 */
  readonly attempt?: number | undefined;
} & CallEffect;

type CoreOptions = VerificationClientOptions;

/** The basis of every service's client. It never sends a request twice. */
export type HttpCore = ReturnType<typeof createHttpCore>;

/**
 * One keep-alive pool per client. HTTP/1.1 only: undici sends an HTTP/2 request again by itself when the server goes
 * away, and a paid call is sent once. Idle connections are dropped after undici's default of 4 seconds, before common
 * servers drop them, since a request that meets a closing connection ends as "may have been billed". undici is loaded
 * in the background: with Node's HTTP, it takes as long to load as the rest of the library.
 */
async function openPool({ origin, connections, timeoutMs }: ClientConfig, lookup: CoreOptions["lookup"]) {
  const { Pool } = await import("undici");
  const connect = { timeout: timeoutMs, ...(lookup && { lookup }) };
  return new Pool(origin, { connections, allowH2: false, connect });
}

/** Without `request`, bodies can't be read part by part. */
type ServiceSender = Sender & Partial<Pick<Dispatcher, "request" | "destroy">>;

/** @throws {HoldfastError} `CONFIG_INVALID` for a dispatcher on Cloudflare: undici can't open a connection there. */
function openSender(
  config: ClientConfig,
  { dispatcher, lookup, fetch }: CoreOptions,
): Promise<ServiceSender> {
  if (fetch !== undefined && dispatcher !== undefined) {
    throw toConfigError("`fetch` and `dispatcher`: set only one of them");
  }
  if (fetch !== undefined) return Promise.resolve(createFetchSender(fetch));
  if (!isCloudflare())
    return dispatcher === undefined ? openPool(config, lookup) : Promise.resolve(dispatcher);
  if (dispatcher === undefined) return Promise.resolve(FETCH_SENDER);
  throw toConfigError(
    "`dispatcher`: undici doesn't work on Cloudflare Workers. Leave it out to use their fetch",
  );
}

function toPartsError({ name }: Dialect): HoldfastError {
  return toConfigError(`The ${name}: on Cloudflare Workers, a body can't be sent or read part by part`);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export const ORGANIZATIONS_PATH = "/api/organizations/get";
export const FREE_READ = { free: true, repeatable: true } as const;

/** Error codes of a connection that was never established. */
const CONNECT_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_PRX_CONN",
  "UND_ERR_PRX_TLS",
]);
/** The longest error body that is read, in characters. Its message is a sentence. */
const MAX_FAILURE_CHARACTERS = 65_536;

/** The text of a failure; undefined if it is too long or incomplete. */
async function readSome(body: Readable): Promise<string | undefined> {
  let text = "";
  try {
    for await (const chunk of body.setEncoding("utf8")) {
      text += String(chunk);
      // Leaving the loop closes the connection.
      if (text.length > MAX_FAILURE_CHARACTERS) return undefined;
    }
    return text;
  } catch {
    return undefined;
  }
}

/** The parts of a body, which ends with an error of ours if it breaks. */
async function* toTyped(body: Readable, toFailure: (cause: unknown, sent: boolean) => HoldfastError) {
  try {
    for await (const part of body) yield part as Uint8Array;
  } catch (cause) {
    throw toFailure(cause, true);
  }
}

interface SenderParts {
  readonly config: ClientConfig;
  readonly dialect: Dialect;
  readonly dispatcher: Promise<ServiceSender>;
  readonly now: () => number;
}

/** Sends calls, and knows whether the service has answered one. */
function createProvenSending({ config, dialect, dispatcher }: SenderParts) {
  const proof = { isProven: false };

  const toRequest = (call: ServiceCall): HttpRequest => {
    const { method, path, body, contentType = "application/json", accept } = call;
    return {
      method,
      body,
      origin: config.origin,
      path: `${config.prefix}${path}`,
      headers: {
        ...call.headers,
        ...config.headers,
        ...(accept !== undefined && { accept }),
        ...(body !== undefined && { "content-type": contentType }),
      },
    };
  };

  async function send(call: ServiceCall) {
    const { timeoutMs, signal } = call;
    const limits = { timeoutMs, signal, maxResponseBytes: dialect.maxResponseBytes };
    const outcome = await sendOnce(dispatcher, toRequest(call), limits);
    if (outcome.outcome === "replied") proof.isProven ||= isProof(outcome);
    return outcome;
  }

  /** Whether another server sent the answer. A page may also be an outage's, so the free call has to get one, too. */
  async function isElsewhere(reply: HttpReply, { free, timeoutMs, signal }: ServiceCall): Promise<boolean> {
    if (proof.isProven || dialect.findsElsewhere !== true || !isForeign(reply)) return false;
    if (free) return true;
    const asked = {
      method: "GET",
      path: ORGANIZATIONS_PATH,
      body: undefined,
      ...FREE_READ,
    } as const;
    const second = await send({ ...asked, timeoutMs, signal });
    return second.outcome === "replied" && isForeign(second);
  }

  return { proof: proof as Proof, toRequest, send, isElsewhere };
}

function createSender(parts: SenderParts) {
  const { dialect, dispatcher, now } = parts;
  const { proof, toRequest, send, isElsewhere } = createProvenSending(parts);
  const toError = (reply: RefusedReply, { free, repeatable }: CallEffect) =>
    toStatusError(reply, { dialect, nowMs: now(), free, repeatable });

  /**
   * Make one call and return its whole 2xx answer, with the body as text.
   *
   * @throws {HoldfastError} with the dialect's codes.
   */
  async function exchange(call: ServiceCall): Promise<HttpReply> {
    const { free, repeatable, timeoutMs } = call;
    if (typeof call.body === "object" && isCloudflare()) throw toPartsError(dialect);
    const outcome = await send(call);
    if (outcome.outcome === "replied") {
      if (!proof.isProven && (await isElsewhere(outcome, call)))
        throw toElsewhereError(outcome, dialect, free);
      if (isSuccess(outcome.status)) return outcome;
      throw toError(outcome, call);
    }
    // If the body is lost, the status still says more, unless the caller has given up.
    if (outcome.head !== undefined && !isSuccess(outcome.head.status) && outcome.reason !== "aborted") {
      throw toError({ ...outcome.head, body: undefined }, call);
    }
    throw toTransportError(outcome, { ...proof, dialect, timeoutMs, free, repeatable });
  }

  /** Make one call and return its 2xx answer with a body to read on; each part of the body has the time limit. */
  async function stream(call: ServiceCall) {
    const { free, repeatable, timeoutMs, signal } = call;
    const toFailure = (cause: unknown, sent: boolean) => {
      const reason = signal?.aborted === true ? "aborted" : "transport";
      const failure = { outcome: "failed", reason, sent, head: undefined, cause } as const;
      return toTransportError(failure, { ...proof, dialect, timeoutMs, free, repeatable });
    };
    const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    const request = { ...toRequest(call), ...limits, body: null, signal: signal ?? null };
    const sender = await dispatcher;
    if (sender.request === undefined) throw toPartsError(dialect);
    const reply = await sender.request(request).catch((cause: unknown) => {
      throw toFailure(cause, !CONNECT_CODES.has(readCode(cause) ?? ""));
    });
    const { statusCode: status, headers } = reply;
    const body = decodeStream(reply.body, headers);
    if (isSuccess(status)) return { status, headers, body: Readable.from(toTyped(body, toFailure)) };
    throw toError({ status, headers, body: await readSome(body) }, call);
  }

  return { exchange, stream };
}

/**
 * Tells the caller's hooks and the log about each attempt. A hook or a logger that fails changes nothing: the answer may have been
 * paid for.
 */
function createWatch({ logger = SILENT_LOGGER, onRequest, onResponse }: CoreOptions) {
  function log(write: () => void): void {
    try {
      write();
    } catch {
      // Nobody is left to tell.
    }
  }

  const warn = (error: unknown): void =>
    log(() => logger.warn({ err: error }, "a hook of a service's client failed"));

  function tell<T>(hook: ((about: T) => unknown) | undefined, about: T): void {
    try {
      // An async hook isn't waited for, but its failure must not end the process.
      void Promise.resolve(hook?.(about)).catch(warn);
    } catch (error) {
      warn(error);
    }
  }

  return async <T extends { readonly status: number }>(
    { method, path, attempt = 1 }: ServiceCall,
    work: () => Promise<T>,
  ): Promise<T> => {
    const start = { method, path: path.replace(/\?.*$/s, ""), attempt };
    const startedAtMs = performance.now();
    const end = (status: number | undefined, error: HoldfastError | undefined) => {
      const tookMs = performance.now() - startedAtMs;
      log(() => logger.debug({ ...start, status, tookMs, code: error?.code }, "called a service"));
      tell(onResponse, { ...start, status, tookMs, error });
    };
    tell(onRequest, start);
    const reply = await work().catch((error: unknown) => {
      if (isHoldfastError(error)) end(error.status, error);
      throw error;
    });
    end(reply.status, undefined);
    return reply;
  };
}

/** @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault. */
export function createHttpCore(options: CoreOptions, dialect: Dialect) {
  const config = parseClientOptions(options, dialect);
  const { now = Date.now } = options;
  const dispatcher = openSender(config, options);
  // Each request reports the failure.
  dispatcher.catch(() => undefined);
  const sender = createSender({ config, dialect, dispatcher, now });
  const watch = createWatch(options);
  const exchange = (call: ServiceCall) => watch(call, () => sender.exchange(call));
  const stream = (call: ServiceCall) => watch(call, () => sender.stream(call));
  const work = createWorkTracker(dialect);

  /** The organizations that the key reaches; free of charge. */
  async function organizations(timeoutMs: number, signal?: AbortSignal): Promise<readonly Organization[]> {
    const path = ORGANIZATIONS_PATH;
    const reply = await exchange({
      method: "GET",
      path,
      body: undefined,
      ...FREE_READ,
      timeoutMs,
      signal,
    });
    return parseEnvelope(reply.body, organizationsSchema, {
      dialect,
      metered: "no",
      repeatable: true,
    }).organizations;
  }

  // Half of the time limit at most, so that the paid call has enough time left to be answered.
  const discovery = createSharedWork(async () =>
    chooseOrganization(await organizations(config.timeoutMs / 2), dialect),
  );

  /** The organization to call, as a path segment: the option, or the only one that the key reaches. */
  async function organization(signal: AbortSignal | undefined): Promise<string> {
    if (config.organization !== undefined) return config.organization;
    try {
      signal?.throwIfAborted();
      // All waiting callers may share it, so one who gives up doesn't cancel it for the others.
      return (await withinDeadline(discovery.get(), undefined, signal)) as string;
    } catch (error) {
      throw signal?.aborted === true ? toCanceledError(dialect) : error;
    }
  }

  return {
    config,
    logger: options.logger ?? SILENT_LOGGER,
    exchange,
    stream,
    organizations,
    organization,
    /** The service doesn't accept the organization: if it was discovered, discover it again. */
    forgetOrganization: discovery.forget,
    run: work.run,
    /** Refuse new work, wait for running calls, and release the connections. */
    close: () =>
      work.close(async () => {
        // A dispatcher that was passed in may serve others.
        if (options.dispatcher === undefined) await (await dispatcher.catch(() => undefined))?.destroy?.();
      }),
  };
}

/** Knows the running work, so that closing can wait for it. */
function createWorkTracker({ name }: Dialect) {
  const running = createBackground();
  let closing: Promise<void> | undefined;

  return {
    /**
     * Run `work`, so that closing waits for it.
     *
     * @throws {HoldfastError} `SHUTTING_DOWN` once `close` was called; nothing is started then.
     */
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      if (closing !== undefined) {
        throw toUnsentError("SHUTTING_DOWN", `the ${name.replace(/ service$/, "")} client is closed`);
      }
      // On Cloudflare, work may be cut off, and another request can't wait for it.
      return isCloudflare() ? work() : running.add(work());
    },
    /** Runs only once. */
    close: (release: () => Promise<void>): Promise<void> => (closing ??= running.settle().then(release)),
  };
}

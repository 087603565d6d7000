import { z } from "zod";
import { HoldfastError } from "../base/errors.ts";
import { SILENT_LOGGER, type Logger } from "../base/logger.ts";
import { withinDeadline } from "../base/waiting.ts";
import { parseVerificationRequest, type VerificationRequest } from "../order/request.ts";
import { createLazyPool, type RequestSender } from "./lazy-pool.ts";
import { sendOnce, type HttpReply, type HttpRequest } from "./send-once.ts";
import { parseClientOptions, type ClientConfig, type VerificationClientOptions } from "./client-options.ts";
import {
  chooseOrganization,
  createOrganizationDiscovery,
  organizationsSchema,
  type Organization,
} from "./organization.ts";
import { parseRateLimit } from "./rate-limit.ts";
import { parseEnvelope, readResult, type ReadResult } from "./read-result.ts";
import { isScoreInBand, RISK_LEVELS, type VerificationResult } from "../order/result.ts";
import { toStatusError } from "./status.ts";
import { toTransportError } from "./transport.ts";
import type { Verifier, VerifyOptions } from "./verifier.ts";

export { DEFAULT_TIMEOUT_MS, type VerificationClientOptions } from "./client-options.ts";
export type { Organization } from "./organization.ts";

/** The hosted verification service. */
export interface VerificationClient extends Verifier {
  readonly source: "service";
  /**
   * The organizations that the key reaches. Free of charge, so it also proves that the key works.
   *
   * @throws {HoldfastError} `VERIFICATION_*`, always with `metered: "no"`.
   */
  organizations(options?: VerifyOptions): Promise<readonly Organization[]>;
  /** Finish calls under way and release the connections; later calls throw `SHUTTING_DOWN`. */
  close(): Promise<void>;
}

/** The one part of an answer that it must have. */
const answerSchema = z.looseObject({ riskLevel: z.enum(RISK_LEVELS) });
/** Shapes of incomplete answers that are remembered as logged. */
const SHAPES_LOGGED = 50;

type Call = Pick<HttpRequest, "method" | "path" | "body"> & {
  readonly free: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/**
 * One keep-alive pool per client. HTTP/1.1 only: undici sends an HTTP/2 request again by itself when the server goes
 * away, and a paid call is sent once. Idle connections are dropped after undici's default of 4 seconds, before common
 * servers drop them, since a request that meets a closing connection ends as "may have been billed".
 */
function createPool({ origin, connections, timeoutMs }: ClientConfig): ReturnType<typeof createLazyPool> {
  return createLazyPool(origin, { connections, allowH2: false, connect: { timeout: timeoutMs } });
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Make one call and return its 2xx answer, unread. */
async function exchange(
  call: Call,
  { config, dispatcher, now }: { config: ClientConfig; dispatcher: RequestSender; now: () => number },
): Promise<HttpReply> {
  const { free, timeoutMs, signal, ...request } = call;
  const { origin, prefix } = config;
  const headers =
    request.body === undefined ? config.headers : { ...config.headers, "content-type": "application/json" };
  const path = `${prefix}${request.path}`;
  const outcome = await sendOnce(dispatcher, { ...request, path, origin, headers }, { timeoutMs, signal });
  if (outcome.outcome === "replied") {
    if (isSuccess(outcome.status)) return outcome;
    throw toStatusError(outcome, { nowMs: now(), free });
  }
  // A status says more than the loss of the body behind it, unless the caller no longer wants to know.
  if (outcome.head !== undefined && !isSuccess(outcome.head.status) && outcome.reason !== "aborted") {
    throw toStatusError({ ...outcome.head, body: undefined }, { nowMs: now(), free });
  }
  throw toTransportError(outcome, { timeoutMs, free });
}

function warnOutOfBand(logger: Logger, { riskLevel, riskScore }: VerificationResult): void {
  logger.warn(
    { level: riskLevel, score: riskScore },
    "the risk score is outside the range of its level; the level decides",
  );
}

/** Logs answers with unusable parts, each combination of parts once. Their content may be personal and is not logged. */
function createShapeLog(logger: Logger): (unusable: ReadResult["unusable"]) => void {
  const logged = new Set<string>();
  return (unusable) => {
    const shape = unusable.join(" ");
    if (shape === "" || logged.has(shape) || logged.size >= SHAPES_LOGGED) return;
    logged.add(shape);
    logger.warn({ unusable }, "parts of the service's response are unusable; the risk level decides");
  };
}

/**
 * Create a client of the hosted verification service.
 *
 * A `verify` is one attempt: it never retries and follows no redirect. Without `organization` the first one is preceded
 * by the free organizations call, within the same time limit.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function createVerificationClient(options: VerificationClientOptions): VerificationClient {
  const config = parseClientOptions(options);
  const { logger = SILENT_LOGGER, now = Date.now, dispatcher = createPool(config) } = options;
  const context = { config, dispatcher, now };
  const logUnusable = createShapeLog(logger);
  const work = createWorkTracker();

  async function listOrganizations(
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<readonly Organization[]> {
    const path = "/api/organizations/get";
    const reply = await exchange(
      { method: "GET", path, body: undefined, free: true, timeoutMs, signal },
      context,
    );
    return parseEnvelope(reply.body, organizationsSchema, "no").organizations;
  }

  // Half of the time limit at most, so that no paid call is made that has hardly any time to be answered.
  const discover = createOrganizationDiscovery(async () =>
    chooseOrganization(await listOrganizations(config.timeoutMs / 2)),
  );

  async function findOrganization(signal: AbortSignal | undefined): Promise<string> {
    try {
      signal?.throwIfAborted();
      // Shared by everyone who waits, so that one caller who gives up takes the answer from nobody else.
      return (await withinDeadline(discover(), undefined, signal)) as string;
    } catch (error) {
      if (signal?.aborted !== true) throw error;
      throw new HoldfastError("VERIFICATION_ABORTED", "the check was canceled before anything was sent", {
        retryable: true,
        metered: "no",
      });
    }
  }

  async function verify(request: VerificationRequest, signal: AbortSignal | undefined) {
    const body = JSON.stringify(parseVerificationRequest(request));
    const startedAtMs = performance.now();
    const organization = config.organization ?? (await findOrganization(signal));
    const timeoutMs = Math.max(1, config.timeoutMs - (performance.now() - startedAtMs));
    const path = `/api/${organization}/order-verification`;
    const reply = await exchange({ method: "POST", path, body, free: false, timeoutMs, signal }, context);
    const { result, unusable } = readResult(parseEnvelope(reply.body, answerSchema, "yes"));
    logUnusable(unusable);
    if (!isScoreInBand(result)) warnOutOfBand(logger, result);
    return { result, rateLimit: parseRateLimit(reply.headers) };
  }

  return {
    source: "service",
    verify: (request, { signal } = {}) => work.run(() => verify(request, signal)),
    organizations: ({ signal } = {}) => work.run(() => listOrganizations(config.timeoutMs, signal)),
    close: () =>
      work.close(async () => {
        // One that was handed in may serve others.
        if (dispatcher !== options.dispatcher) await dispatcher.destroy();
      }),
  };
}

/** Counts work under way, so that closing can wait for it. */
function createWorkTracker() {
  let running = 0;
  let closing: Promise<void> | undefined;
  let onIdle: (() => void) | undefined;

  async function finish(release: () => Promise<void>): Promise<void> {
    if (running > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    await release();
  }

  return {
    /**
     * Run `work`, counted.
     *
     * @throws {HoldfastError} `SHUTTING_DOWN` once `close` was called; nothing is started then.
     */
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (closing !== undefined) {
        throw new HoldfastError("SHUTTING_DOWN", "the verification client is closed", {
          retryable: true,
          metered: "no",
        });
      }
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) onIdle?.();
      }
    },
    /** Refuse new work, wait for what is under way, then `release`, once however often it is called. */
    close: (release: () => Promise<void>): Promise<void> => (closing ??= finish(release)),
  };
}

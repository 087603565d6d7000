import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { HoldfastError } from "../errors.ts";
import { createLocalEngine, type LocalEngine } from "./engine.ts";
import { createGate, type Gate, type SandboxKey } from "./service/access.ts";
import { createDesk, type Desk, type RecordedCall } from "./service/desk.ts";
import { isJson, readBody, toFailure, toRoute, toSuccess, writeAnswer, type Answer } from "./service/http.ts";
import { createRateWindow, type RateState } from "./service/rate-window.ts";
import { STATUS_MESSAGES } from "./service/status.ts";

export type { SandboxKey, SandboxOrganization } from "./service/access.ts";
export type { RecordedCall } from "./service/desk.ts";

/** Options of {@link createSandboxService}. */
export interface SandboxServiceOptions {
  /**
   * Keys and what each can reach.
   *
   * @default `sandbox-key`, reaching the organization `sandbox`
   */
  readonly apiKeys?: Readonly<Record<string, SandboxKey>> | undefined;
  /** Calls that can be paid for; when they are used up the service answers 402. @default Infinity */
  readonly credits?: number | undefined;
  /** Time an order verification takes, in milliseconds. @default 0 */
  readonly latencyMs?: number | undefined;
  /** Requests per key and window. @default 100000 per minute */
  readonly rateLimit?: { readonly limit: number; readonly windowMs: number } | undefined;
  /** Key and certificate in PEM; given, the service speaks HTTPS. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** Who judges. @default the local engine in sandbox mode */
  readonly engine?: Pick<LocalEngine, "assess"> | undefined;
  /** Clock. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** The order verification service, on this machine. Made by {@link createSandboxService}. */
export interface SandboxService {
  /**
   * Start listening on `port` (default: a free one) of `host` (default: 127.0.0.1) and resolve to the base URL.
   * Rejects with Node's own error when the port is taken.
   */
  listen(port?: number, host?: string): Promise<URL>;
  /** Stop: every open connection ends, answered or not. A closed service can listen again. */
  close(): Promise<void>;
  /** Every order-verification call, in the order they came in. */
  readonly calls: readonly RecordedCall[];
  /** What is left to spend. */
  readonly credits: number;
  /** Buy more credits. */
  topUp(credits: number): void;
}

/** The key of a service that was given none. */
export const SANDBOX_API_KEY = "sandbox-key";
/** The slug of the organization that key reaches. */
export const SANDBOX_ORGANIZATION = "sandbox";

const DEFAULT_KEYS: Readonly<Record<string, SandboxKey>> = {
  [SANDBOX_API_KEY]: {
    organizations: [{ id: "org_sandbox", slug: SANDBOX_ORGANIZATION, name: "Sandbox", role: "owner" }],
  },
};
/** High enough that only who asks for a limit meets it. */
const DEFAULT_RATE_LIMIT = { limit: 100_000, windowMs: 60_000 } as const;

/** What the handler of a request works with. */
interface Parts {
  readonly gate: Gate;
  readonly desk: Desk;
  /** The rate-limit headers of a caller that no key is known of. */
  readonly untouched: () => RateState;
}

/** An answer, or null for none at all, with the caller's standing. */
interface Outcome {
  readonly answer: Answer | null;
  readonly standing: RateState;
}

/**
 * Create the order verification service as a local HTTP server: its paths, keys, messages, credits and rate limit,
 * judged by the local engine. It is stricter than the interface demands (an unknown field is refused), and the e-mail
 * addresses of `SANDBOX_SCENARIOS` make it answer, fail or stall as asked.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for an option that makes no sense.
 */
export function createSandboxService(options: SandboxServiceOptions = {}): SandboxService {
  const {
    apiKeys = DEFAULT_KEYS,
    credits = Number.POSITIVE_INFINITY,
    latencyMs = 0,
    tls,
    now = Date.now,
  } = options;
  const { limit, windowMs } = options.rateLimit ?? DEFAULT_RATE_LIMIT;
  assertAtLeast("credits", credits, 0);
  assertAtLeast("latencyMs", latencyMs, 0);
  assertAtLeast("rateLimit.limit", limit, 1);
  assertAtLeast("rateLimit.windowMs", windowMs, 1);

  const window = createRateWindow({ limit, windowMs, now });
  const engine = options.engine ?? createLocalEngine({ sandbox: true, now });
  const desk = createDesk({ engine, credits, latencyMs, now });
  const parts: Parts = { gate: createGate(apiKeys, window), desk, untouched: () => window.untouched() };
  const server = createServer(tls, (request, response) => void handle(request, response, parts));

  return {
    async listen(port = 0, host = "127.0.0.1") {
      server.listen(port, host);
      await once(server, "listening");
      const { port: taken } = server.address() as AddressInfo;
      const name = host.includes(":") ? `[${host}]` : host;
      return new URL(`${tls === undefined ? "http" : "https"}://${name}:${taken}/`);
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
    calls: desk.calls,
    get credits() {
      return desk.credits;
    },
    topUp(more) {
      assertAtLeast("credits", more, 0);
      desk.topUp(more);
    },
  };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function createServer(tls: SandboxServiceOptions["tls"], listener: Listener): Server {
  return tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  try {
    const { answer, standing } = await toOutcome(request, parts, left.signal);
    if (answer !== null) writeAnswer(response, answer, standing);
  } catch {
    // The caller left, or the service was closed: there is nobody to answer.
    if (left.signal.aborted || response.destroyed) return;
    writeAnswer(response, toFailure(500, STATUS_MESSAGES[500]), parts.untouched());
  }
}

async function toOutcome(request: IncomingMessage, parts: Parts, signal: AbortSignal): Promise<Outcome> {
  const route = toRoute(request.method, request.url);
  if (route.kind === "unknown") {
    return { answer: toFailure(404, STATUS_MESSAGES[404]), standing: parts.untouched() };
  }
  if (route.kind === "wrong-method") {
    const refusal = toFailure(405, STATUS_MESSAGES[405], { Allow: route.allow });
    return { answer: refusal, standing: parts.untouched() };
  }
  if (route.kind === "organizations") {
    const access = parts.gate(request);
    const answer = access.granted ? toSuccess({ organizations: access.key.organizations }) : access.refusal;
    return { answer, standing: access.standing };
  }
  const body = await readBody(request);
  const access = parts.gate(request, route.organization);
  const refusal = access.granted ? undefined : access.refusal;
  const { standing } = access;
  const call = { body, isJson: isJson(request), refusal, limit: standing.limit, signal };
  return { answer: await parts.desk.serve(call), standing };
}

function assertAtLeast(option: string, value: number, least: number): void {
  if (value >= least) return;
  throw new HoldfastError("CONFIG_INVALID", `${option}: expected a number of ${least} or more`, {
    retryable: false,
  });
}

import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { checkOptions, type OptionRules } from "../base/options.ts";
import { toConfigError } from "../base/errors.ts";
import { createLocalEngine } from "../engine/engine.ts";
import { createAccessCheck, type SandboxKey } from "./access.ts";
import { answerBrokenHttp } from "./http.ts";
import { createCallHandler } from "./answer-call.ts";
import type { SandboxEngine } from "./scorer.ts";
import { createCreditBalances } from "./credits.ts";
import { createRateWindow, type RateLimit } from "./rate-window.ts";
import { createSandboxCatalog } from "./catalog/catalog-service.ts";
import type { CatalogChoices } from "./catalog/catalog-call.ts";
import type { Delivery } from "./catalog/events.ts";
import { openRecords } from "./catalog/records.ts";
import { createSandboxManagement, type ManagementSeed } from "./management-service.ts";
import { createRequestHandler, type ServedRequest } from "./requests.ts";

export type { SandboxKey, SandboxOrganization } from "./access.ts";
export type { RecordedCall } from "./answer-call.ts";
export type { SandboxEngine, SandboxMark, SandboxResult } from "./scorer.ts";
export type { CatalogChoices } from "./catalog/catalog-call.ts";
export type { Delivery } from "./catalog/events.ts";
export type { ManagementRecord, ManagementSeed } from "./management-service.ts";
export type { ServedRequest } from "./requests.ts";

/** Options of {@link createSandboxService}. */
export interface SandboxServiceOptions {
  /**
   * Keys, and the access of each.
   *
   * @default `sandbox-key`, reaching the organization `sandbox`
   */
  readonly apiKeys?: Readonly<Record<string, SandboxKey>> | undefined;
  /**
   * The credits of each organization. Once they're used up, the service answers its keys with 402.
   *
   * @default Infinity
   */
  readonly credits?: number | undefined;
  /** Time an order verification takes, in milliseconds. @default 0 */
  readonly latencyMs?: number | undefined;
  /** Requests per window for a key without its own limit. @default 100000 per minute */
  readonly rateLimit?: RateLimit | undefined;
  /** Key and certificate in PEM. With them, the service uses HTTPS. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** Judges orders that don't force an answer. @default the local engine in sandbox mode */
  readonly engine?: SandboxEngine | undefined;
  /**
   * How many of the last calls `calls` keeps, with their bodies. Set a limit if the service runs for a long time.
   * @default Infinity
   */
  readonly keepCalls?: number | undefined;
  /** Called for every request once it has ended. */
  readonly onRequest?: ((request: ServedRequest) => void) | undefined;
  /** File that keeps the catalog, its jobs, webhooks and credits across restarts. @default kept in memory */
  readonly path?: string | undefined;
  /** Choices of the catalog where the interface isn't specified. */
  readonly catalog?: Partial<CatalogChoices> | undefined;
  /** What the management interface shows. @default a workspace and a site */
  readonly management?: ManagementSeed | undefined;
  /** Clock. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A local order verification service. Made by {@link createSandboxService}. */
export type SandboxService = ReturnType<typeof createSandboxService>;

/** The key of a service without `apiKeys`. */
export const SANDBOX_API_KEY = "sandbox-key";
/** The slug of the organization that this key reaches. */
export const SANDBOX_ORGANIZATION = "sandbox";

export const SANDBOX_ACCESS: SandboxKey = {
  organizations: [{ id: "org_sandbox", slug: SANDBOX_ORGANIZATION, name: "Sandbox", role: "owner" }],
};
/** So high that only callers who set a limit reach it. */
const DEFAULT_RATE_LIMIT = { limit: 100_000, windowMs: 60_000 } as const;

const OPTIONS: OptionRules<SandboxServiceOptions> = {
  apiKeys: "object",
  credits: true,
  latencyMs: true,
  rateLimit: "object",
  tls: "object",
  engine: "object",
  keepCalls: true,
  onRequest: "function",
  path: true,
  catalog: "object",
  management: "object",
  now: "function",
};

/**
 * Create the order verification service as a local HTTP server: its paths, keys, messages, credits and rate limit,
 * judged by the local engine. If the interface doesn't specify something, the sandbox is strict (an unknown field is
 * refused). The values of `SANDBOX_TABLE` make it answer, fail or stall.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for an invalid option.
 */
export function createSandboxService(given?: SandboxServiceOptions) {
  const options = checkOptions("createSandboxService", given, OPTIONS);
  const { apiKeys = { [SANDBOX_API_KEY]: SANDBOX_ACCESS }, rateLimit = DEFAULT_RATE_LIMIT } = options;
  const { credits = Number.POSITIVE_INFINITY, keepCalls = Number.POSITIVE_INFINITY, latencyMs = 0 } = options;
  const { tls, now = Date.now, onRequest = () => {} } = options;
  assertOptions({ apiKeys, credits, keepCalls, latencyMs, rateLimit });
  const organizations = Object.values(apiKeys).flatMap((key) => key.organizations);

  const window = createRateWindow(rateLimit, now);
  const records = openRecords(options.path);
  const balances = createCreditBalances(organizations, credits, records);
  const catalog = createSandboxCatalog({ records, balances, choices: options.catalog, now });
  const management = createSandboxManagement(records, { seed: options.management, now });
  const engine = options.engine ?? createLocalEngine({ sandbox: true, now });
  const handler = createCallHandler({ engine, latencyMs, keepCalls, now });
  const untouched = () => window.untouched();
  const isLast = () => !server.listening;
  const served = { access: createAccessCheck(apiKeys, window), handler, balances, catalog, management };
  const handle = createRequestHandler({ ...served, untouched, isLast, onRequest, now });
  const release = () => {
    catalog.close();
    records.close();
  };
  const server = createServer(tls, async (request, response) => {
    await handle(request, response);
    // A request that ends after the service closed may have reopened the records.
    if (isLast()) release();
  });
  server.on("clientError", (error, socket) => answerBrokenHttp(error, socket, untouched()));
  let closing: Promise<void> | undefined;

  return {
    /**
     * Start listening on `port` (default: a free one) of `host` (default: 127.0.0.1) and resolve to the base URL.
     * Rejects with Node's own error when the port is taken.
     */
    async listen(port = 0, host = "127.0.0.1"): Promise<URL> {
      server.listen(port, host);
      await once(server, "listening");
      catalog.advance();
      const { port: taken } = server.address() as AddressInfo;
      const name = host.includes(":") ? `[${host}]` : host;
      return new URL(`${tls === undefined ? "http" : "https"}://${name}:${taken}/`);
    },
    /**
     * Stop: no new requests are accepted, and running requests have `graceMs` (default: 0) to finish before their
     * connections are closed. A second call ends the wait. A closed service can listen again.
     */
    async close({ graceMs = 0 }: { readonly graceMs?: number | undefined } = {}) {
      if (closing !== undefined) server.closeAllConnections();
      closing ??= stop(server, graceMs).finally(() => {
        closing = undefined;
        release();
      });
      await closing;
    },
    /** The stored order-verification calls, in order of arrival. */
    calls: handler.calls,
    /** The remaining credits of all organizations together. */
    get credits() {
      return balances.total;
    },
    /** Advance the catalog's jobs to the service's clock. Every request does this, too. */
    advanceJobs: () => catalog.advance(),
    /** Events that the catalog sent to webhooks. */
    deliveries: catalog.deliveries as readonly Delivery[],
    /** Resolves once the deliveries under way have ended. */
    delivered: () => catalog.settled(),
    /** The remaining credits of one organization, by its slug or id. */
    creditsOf: (organization: string) => balances.of(organization).credits,
    /** Add credits to an organization, by its slug or id; without one, to each organization. */
    topUp(more: number, organization?: string) {
      assertAtLeast("credits", more, 0);
      if (organization === undefined) balances.addToAll(more);
      else balances.of(organization).add(more);
    },
  };
}

async function stop(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  if (graceMs === 0) server.closeAllConnections();
  await closed;
  clearTimeout(timer);
}

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function createServer(tls: SandboxServiceOptions["tls"], listener: Listener): Server {
  return tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
}

type CheckedName = "apiKeys" | "credits" | "keepCalls" | "latencyMs" | "rateLimit";

function assertOptions(options: {
  readonly [K in CheckedName]: NonNullable<SandboxServiceOptions[K]>;
}): void {
  const { apiKeys, credits, keepCalls, latencyMs, rateLimit } = options;
  assertAtLeast("credits", credits, 0);
  assertAtLeast("latencyMs", latencyMs, 0);
  assertAtLeast("keepCalls", keepCalls, 0);
  const keys = Object.values(apiKeys);
  for (const one of keys.flatMap((key) => key.organizations)) assertAtLeast("credits", one.credits ?? 0, 0);
  for (const { limit, windowMs } of [rateLimit, ...keys.map((key) => key.rateLimit ?? rateLimit)]) {
    assertAtLeast("rateLimit.limit", limit, 1);
    assertAtLeast("rateLimit.windowMs", windowMs, 1);
  }
}

function assertAtLeast(option: string, value: number, least: number): void {
  if (!(value >= least)) throw toConfigError(`${option}: expected a number of ${least} or more`);
}

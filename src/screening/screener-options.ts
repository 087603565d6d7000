import { toConfigError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { checkOptions, type OptionRules } from "../base/options.ts";
import { assertDeadline } from "../base/waiting.ts";
import type { ScreenerStore } from "../store/store.ts";
import type { CheckOptions, ScreenerTelemetry } from "./order-check.ts";
import type { CreditBudget } from "./screening-task.ts";

/** The part of undici's `Dispatcher` that is used, so that its types aren't needed. */
export interface ServiceDispatcher {
  dispatch(options: never, handler: never): boolean;
}

/** How to reach the hosted verification service. */
export interface ServiceOptions {
  /** Base address, https; http only to loopback. */
  readonly url: string | URL;
  /** Never logged, never part of an error. */
  readonly apiKey: string;
  /** Slug or id. Default: discovered when the key reaches exactly one. */
  readonly organization?: string | undefined;
  /** Header that carries the key. Default `x-api-key`. */
  readonly auth?: "x-api-key" | "bearer" | undefined;
  /** Time limit of one attempt in milliseconds. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Dispatcher of undici 5, 6, 7 or 8, or Node's own, for a proxy or a private certificate authority. It must not repeat POST
   * requests. That of undici 7 and 8 is stopped from doing so; that of 5 and 6 would spend a credit each time. Default: its own
   * keep-alive pool. Node's global dispatcher is used only if you pass it. Not on Cloudflare Workers, where the platform's fetch
   * sends.
   */
  readonly dispatcher?: ServiceDispatcher | undefined;
}

/** Options of {@link createScreener}. */
export interface ScreenerOptions {
  /** The hosted service, or `"local"` for the built-in engine alone, which never cancels. */
  readonly service: ServiceOptions | "local";
  /**
   * Where answers and the ledger are stored. Default: memory, so each process pays for its own first call. On Cloudflare
   * Workers, there is no other.
   */
  readonly store?: ScreenerStore | undefined;
  /** The policy document. Missing keys have their defaults. */
  readonly policy?: unknown;
  /** Caps in credits, over the policy's own; null for none. */
  readonly budget?: Partial<CreditBudget> | undefined;
  /** Separates storefronts that share a store. Default `default`. */
  readonly tenant?: string | undefined;
  /**
   * The most calls per order state that were billed or may have been. Of three or more, the last is made only after the
   * service works again, and at least a minute after the one before. Default 3.
   */
  readonly maxPaidAttempts?: number | undefined;
  /** Calls under way at once. Default 50. */
  readonly maxInFlight?: number | undefined;
  /** Default: prints warnings and errors on standard error, each cause once. */
  readonly logger?: Logger | undefined;
  /** `createTelemetry()` of `holdfast/opentelemetry`: spans and metrics. Default: none, and nothing is loaded for it. */
  readonly telemetry?: ScreenerTelemetry | undefined;
  /** Clock in milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const OPTIONS: OptionRules<ScreenerOptions> = {
  service: {
    expected: '{ url, apiKey } or "local"',
    is: (service) => service === "local" || (typeof service === "object" && service !== null),
    isRequired: true,
  },
  store: {
    expected: "the result of createSqliteStore or createPostgresStore",
    is: (store) => typeof (store as Partial<ScreenerStore> | null)?.ledger?.begin === "function",
  },
  policy: true,
  budget: { is: "object", expected: "an object such as { daily: 100 }" },
  tenant: {
    expected: "a text that isn't blank",
    is: (tenant) => typeof tenant === "string" && tenant.trim() !== "",
  },
  maxPaidAttempts: true,
  maxInFlight: true,
  logger: "logger",
  telemetry: {
    expected: "the result of createTelemetry",
    is: ["check", "call", "decided"],
  },
  now: "function",
};

const SERVICE_OPTIONS: OptionRules<ServiceOptions> = {
  url: true,
  apiKey: true,
  organization: true,
  auth: true,
  timeoutMs: true,
  dispatcher: {
    expected: "a Dispatcher of undici 5 to 8, such as new ProxyAgent(…)",
    is: ["dispatch"],
  },
};

/** @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault. */
export function readOptions(given: ScreenerOptions): ScreenerOptions {
  // Node 20 loads the library, and would fail with the first order.
  if (!("withResolvers" in Promise)) throw toConfigError("Holdfast needs Node 22.19 or newer");
  if ((given as Partial<ScreenerOptions> | undefined)?.store instanceof Promise) {
    throw toConfigError('"store": got a promise. Wait for it: store: await createSqliteStore(…)');
  }
  const options = checkOptions("createScreener", given, OPTIONS);
  if (options.service !== "local") checkOptions("service", options.service, SERVICE_OPTIONS);
  return options;
}

const CHECK_OPTIONS: OptionRules<CheckOptions> = {
  deadlineMs: true,
  signal: "signal",
  onAbandoned: "function",
  placedNow: true,
  context: true,
};

/** @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault. */
export function readCheckOptions(given: CheckOptions | undefined): CheckOptions {
  const options = checkOptions("check", given, CHECK_OPTIONS);
  assertDeadline(options.deadlineMs);
  return options;
}

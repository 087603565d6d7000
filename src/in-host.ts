import { LRUCache } from "lru-cache";
import { OF_A_HOST, toMissingPackage } from "./base/missing-package.ts";
import manifest from "../package.json" with { type: "json" };
import type { App, PlatformContext } from "./app.ts";
import { HoldfastError } from "./base/errors.ts";
import { toLogger, type Logger } from "./base/logger.ts";
import { checkOptions, type OptionRules } from "./base/options.ts";
import { assertDeadline, withinDeadline } from "./base/waiting.ts";
import type { Environment } from "./base/variables.ts";
import {
  createHostPlatform,
  withNetwork,
  type HostPlatform,
  type HostTopic,
  type ShopNetwork,
} from "./platform/host-platform.ts";
import { SHOP_RULE, type HostShop, type ShopMarks, type ShopOrder } from "./platform/host-shop.ts";
import type { CredentialStore, PlatformOrder } from "./platform/platform.ts";
import type { CheckoutLimits } from "./pipeline/decide/checkout-check.ts";
import type { OrderCheck } from "./screening/order-check.ts";
import { createWarningLog } from "./screening/order-warnings.ts";

/** Options of {@link startInHost}. */
export interface InHostOptions {
  readonly shop: HostShop;
  /**
   * Holdfast's settings, by the names of its environment variables, e.g. `{ DATABASE_URL, VERIFY_URL, VERIFY_API_KEY,
   * CONSOLE_TOKEN, PORT }`. The process's own environment isn't read: it's the shop's.
   */
  readonly settings: Environment;
  /** @default its own log, at `LOG_LEVEL` */
  readonly logger?: Logger | undefined;
  /** Clock in milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** Holdfast in a shop's own process. */
export interface InHost {
  /** Where the console is served. */
  readonly url: URL;
  /** The shop's own log, or Holdfast's. */
  readonly logger: Logger;
  /**
   * Check an order that is about to be placed. Unchanged content costs nothing. Lookups before the call to the service
   * count toward the deadline, too.
   *
   * @throws {HoldfastError} `CONFIG_INVALID` for a deadline that no timer can keep, `STORE_UNAVAILABLE` if the database
   * was too slow to decide anything.
   */
  check(
    order: PlatformOrder,
    limits?: CheckoutLimits & { readonly network?: ShopNetwork },
  ): Promise<OrderCheck>;
  /** Report an order's current state in the shop. Resolves once that's durable. */
  report(topic: HostTopic, order: ShopOrder, network?: ShopNetwork): Promise<void>;
  /** Finish or release running work. */
  stop(): Promise<void>;
}

/**
 * Orders placed so shortly before the start may not have been reported; the search for missed orders finds older ones.
 */
const UNREPORTED_MS = 30 * 60_000;
const UNREPORTED_MOST = 1_000;
/** Vendure refuses lists that are longer than its own limit. */
const PAGE = 100;

const OPTIONS: OptionRules<InHostOptions> = {
  shop: SHOP_RULE,
  settings: { is: "object", isRequired: true },
  logger: "logger",
  now: "function",
};

/**
 * Start Holdfast in a shop's own process: pipeline, console and API, on a database of its own. Orders of an earlier
 * process that ended before it reported them are reported now.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option or setting at fault, `STORE_*` when the database can't be used.
 */
export async function startInHost(options: InHostOptions): Promise<InHost> {
  const { shop, settings, logger: given, now = Date.now } = checkOptions("startInHost", options, OPTIONS);
  const { startApp, parseConfig, createPinoLogger } = await loadApp().catch((error: unknown) => {
    throw toMissingPackage(error, OF_A_HOST) ?? error;
  });
  const config = parseConfig(settings);
  const own = given ?? createPinoLogger({ level: config.logLevel });
  let context: PlatformContext | undefined;
  // The app's log sends alerts.
  const logger = toLogger((level) => (fields, message) => (context?.logger ?? own)[level](fields, message));
  const platform = createHostPlatform({ shop, logger });
  const { name, tenant } = platform;
  const app = await startApp({
    config,
    platforms: [
      {
        name,
        create(opened) {
          context = opened;
          return platform;
        },
      },
    ],
    logger: own,
    version: manifest.version,
    consoleTenant: tenant,
    now,
  });
  const report = (topic: HostTopic, order: ShopOrder, network?: ShopNetwork) =>
    app.deliver(name, platform.report(topic, order, network));
  try {
    // Holdfast leaves orders from before its installation alone.
    const sinceMs = Math.max(now() - UNREPORTED_MS, await install(context?.credentials, tenant, now()));
    for (let offset = 0; offset < UNREPORTED_MOST; offset += PAGE) {
      const orders = await shop.list({ sinceMs, offset, limit: PAGE });
      for (const order of orders) await report("order", order);
      if (orders.length < PAGE) break;
    }
  } catch (error) {
    await app.stop();
    throw error;
  }
  return toInHost({ app, platform, logger, report });
}

/**
 * Load what starts the app: a storefront that only checks orders doesn't need a server.
 *
 * @internal Its type would bring the app's declarations, and pino's, to every Medusa and Vendure shop.
 */
export async function loadApp() {
  const [{ startApp }, { parseConfig }, { createPinoLogger }] = await Promise.all([
    import("./app.ts"),
    import("./config.ts"),
    import("./base/pino-logger.ts"),
  ]);
  return { startApp, parseConfig, createPinoLogger };
}

/** Starting Holdfast for the first time installs it in the shop. Resolves to that time. */
async function install(
  credentials: CredentialStore | undefined,
  tenant: string,
  nowMs: number,
): Promise<number> {
  const installedAt = await credentials?.load(tenant);
  if (installedAt !== null && installedAt !== undefined) return Number(installedAt);
  await credentials?.save(tenant, String(nowMs), "installed");
  return nowMs;
}

interface InHostParts extends Pick<InHost, "logger" | "report"> {
  readonly app: App;
  readonly platform: HostPlatform;
}

function toInHost({ app, platform, logger, report }: InHostParts): InHost {
  const { tenant } = platform;
  const warnOnce = createWarningLog(logger);
  return {
    url: app.url,
    logger,
    async check(order, { network, deadlineMs, ...limits } = {}) {
      const deadline = startDeadline(deadlineMs);
      const placed = withNetwork(order, network);
      const enriching = platform.enrich(tenant, placed, { signal: limits.signal });
      const { mapped } = (await withinDeadline(enriching, deadline.restMs(), limits.signal)) ?? placed;
      const named = { tenant, orderId: order.orderId, mapped };
      const checking = app.check(named, { ...limits, deadlineMs: deadline.restMs() });
      const check = await deadline.within(checking, DECIDE_MS);
      warnOnce(check.warnings);
      return check;
    },
    report,
    stop: () => app.stop(),
  };
}

/** How much longer than its deadline a check may take to decide without the service, in milliseconds. */
const DECIDE_MS = 500;

/** What is left of a check's deadline. */
export type Deadline = ReturnType<typeof startDeadline>;

/**
 * Start a deadline now.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` unless it's absent or a positive number of milliseconds.
 */
export function startDeadline(deadlineMs: number | undefined) {
  assertDeadline(deadlineMs);
  const startMs = performance.now();
  const restMs = () =>
    deadlineMs === undefined ? undefined : Math.max(1, deadlineMs - (performance.now() - startMs));
  return {
    /** Milliseconds, at least 1; undefined without a deadline. */
    restMs,
    /**
     * @param moreMs Milliseconds beyond the deadline.
     * @throws {HoldfastError} `STORE_UNAVAILABLE` when it passes first. The work continues.
     */
    async within<T extends object>(work: Promise<T>, moreMs = 0): Promise<T> {
      const rest = restMs();
      const done = await withinDeadline(work, rest === undefined ? undefined : rest + moreMs);
      if (done !== undefined) return done;
      const message = "the check took longer than its deadline before anything could be decided";
      throw new HoldfastError("STORE_UNAVAILABLE", message, { retryable: true });
    },
  };
}

/** What a checkout keeps of a check. */
export type CheckoutCheck = Pick<OrderCheck, "status" | "action" | "riskLevel" | "fingerprint">;

/** The check of an order that couldn't be checked: it stays on hold until it is. */
export const UNCHECKED: CheckoutCheck = {
  status: "degraded",
  action: "hold",
  riskLevel: null,
  fingerprint: "",
};

/** What staff see when they fulfill an order that is on hold. */
export const HELD_MESSAGE = "Holdfast keeps this order on hold. Approve it in the Holdfast console first.";

/** The marks of an order that is being placed. A suspicious one is held at once, before its decision is carried out. */
export function toCheckoutMarks({ action, riskLevel, fingerprint }: CheckoutCheck): Omit<ShopMarks, "tags"> {
  const hold = action === "hold" || action === "cancel" ? "checkout" : null;
  return { riskLevel, action, checkId: fingerprint === "" ? null : fingerprint, hold };
}

/**
 * The checks of orders that are being placed, by any id: a later hook of the same request reuses an earlier hook's
 * result.
 */
export type CheckMemory = ReturnType<typeof createCheckMemory>;

/** Most orders that are remembered. The oldest are forgotten first. */
const MOST_REMEMBERED = 1_000;

/** Create a {@link CheckMemory}. */
export function createCheckMemory() {
  const checks = new LRUCache<string, CheckoutCheck>({ max: MOST_REMEMBERED });
  return {
    keep: (id: string, check: CheckoutCheck): void => void checks.set(id, check),
    take(id: string): CheckoutCheck | undefined {
      const check = checks.get(id);
      checks.delete(id);
      return check;
    },
  };
}

import { toDispatcher } from "./base/proxy.ts";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Dispatcher } from "undici";
import { createBuyerAsking } from "./buyer-check/buyer-asking.ts";
import { createAppAlerts, type AppAlerts } from "./alerts/notifier.ts";
import type { NoticePeople } from "./alerts/notice-delivery.ts";
import type { Config } from "./config.ts";
import { createCreditSummary } from "./server/parts/credit-summary.ts";
import { readWorkspaceMembers } from "./server/parts/workspace-members.ts";
import { createServer, limitServer } from "./server/server.ts";
import type { Installation, ServerParts } from "./server/parts/server-parts.ts";
import { explainSystemError, HoldfastError, toConfigError } from "./base/errors.ts";
import { createLocalEngine } from "./engine/engine.ts";
import { createSandboxPlatform } from "./sandbox/sandbox-platform.ts";
import type { Logger } from "./base/logger.ts";
import { createMetrics, type Metrics } from "./pipeline/metrics.ts";
import { createCredentials } from "./store/tenants/credentials.ts";
import { createPipeline, type Pipeline } from "./pipeline/pipeline.ts";
import type { CheckoutCheck } from "./pipeline/decide/checkout-check.ts";
import {
  findPlatform,
  type CredentialStore,
  type Platform,
  type RawDelivery,
  type TenantId,
} from "./platform/platform.ts";
import { createProductLookups } from "./pipeline/decide/product-lookups.ts";
import { createPolicies } from "./settings/current-policy.ts";
import { DEFAULT_MAX_IN_FLIGHT } from "./screening/screener.ts";
import { DEFAULT_MAX_PAID_ATTEMPTS } from "./store/credits/attempt-limit.ts";
import { createCircuitSharing } from "./screening/circuit-sharing.ts";
import {
  createServiceAccesses,
  namingKeyOwners,
  type ServiceAccessesOptions,
} from "./screening/service-accesses.ts";
import { createCurrentSettings } from "./settings/current-settings.ts";
import { openConfiguredStore } from "./store/opening/open-store.ts";
import type { Store } from "./store/store.ts";
import { APP_OWNER_PREFIX } from "./store/context.ts";
import { DEFAULT_TIMEOUT_MS } from "./service/client-options.ts";
import { createCircuitBreaker, type CircuitBreaker } from "./service/circuit-breaker.ts";

export interface PlatformContext {
  readonly config: Config;
  /** Sealed storage for the platform's tokens. */
  readonly credentials: CredentialStore;
  readonly logger: Logger;
  readonly now: () => number;
}

export interface PlatformFactory {
  /** The same as the created platform's `name`. */
  readonly name: string;
  /** Null if this platform isn't configured. */
  create(context: PlatformContext): Platform | null;
}

export interface AppOptions {
  readonly config: Config;
  readonly platforms: readonly PlatformFactory[];
  readonly logger: Logger;
  /** The package's version, for the status page. */
  readonly version: string;
  /** Whose orders the `CONSOLE_TOKEN` opens. Default: `default`, the storefront without a platform. */
  readonly consoleTenant?: TenantId | undefined;
  /** Clock in milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Undici dispatcher for the verification service. Default: an own keep-alive pool. */
  readonly serviceDispatcher?: Dispatcher | undefined;
}

export interface App {
  readonly url: URL;
  readonly check: CheckoutCheck;
  /**
   * Take a delivery that didn't come over HTTP. Resolves once it's durable.
   *
   * @throws {HoldfastError} `PLATFORM_REFUSED` unless the platform signed it, `STORE_UNAVAILABLE` when it can't be stored.
   */
  deliver(platform: string, delivery: RawDelivery): Promise<void>;
  /** Refuse new work, finish or release running work, and close everything. */
  stop(): Promise<void>;
}

/** How long running work may take when the app stops. Supervisors usually kill a process after 30 s. */
const GRACE_MS = 15_000;
/** The one tenant of a storefront without a platform, whose operator signs in with `CONSOLE_TOKEN`. */
const CONSOLE_TENANT = "default";

/**
 * Start the app: recover what an earlier process left, listen, and work.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the variable at fault, `STORE_*` when the store cannot be used.
 */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, version, now = Date.now } = options;
  const dispatcher = toDispatcher(config.proxy);
  const alerts = createAppAlerts({ config: config.alerts, dispatcher, logger: options.logger, version, now });
  const { logger } = alerts;
  let store: Store | undefined;
  try {
    store = await openConfiguredStore(config, { exclusive: true, logger, now });
    return await startOn(store, { ...options, logger }, alerts);
  } catch (error) {
    await alerts.close();
    // If it stayed open, the next attempt would find it locked.
    await store?.close();
    throw error;
  }
}

async function startOn(store: Store, options: AppOptions, alerts: AppAlerts): Promise<App> {
  const { config, logger, consoleTenant = CONSOLE_TENANT, now = Date.now } = options;
  // Called only once there are orders, so after the platforms below are created.
  const entitlementOf: ServiceAccessesOptions["entitlementOf"] = async (tenant) =>
    (await findPlatform(platforms, tenant)?.entitlement?.(tenant)) ?? { outcome: "entitled" };
  const service = openService(store, { ...options, entitlementOf }, now);
  const parts = {
    store,
    owner: `${APP_OWNER_PREFIX}${randomUUID()}`,
    metrics: createAppMetrics(store, service.breaker),
    ...service,
    buyers: createBuyerAsking({ ...config, store, dispatcher: toDispatcher(config.proxy) }),
    logger,
    now,
  };
  alerts.attach({ ...parts, people: toNoticePeople(options, parts) });
  const policyOf = createPolicies(store);
  const accessOf = (tenant: string) => service.accesses.of(tenant);

  const platforms = [
    ...createPlatforms(options, { ...parts, onInstalled: () => pipeline.wake() }),
    createSandboxPlatform(parts),
  ];
  const pipeline = createPipeline({
    ...parts,
    platforms,
    policyOf,
    engine: createLocalEngine({ now }),
    accessOf,
    probe: (keyId) => service.accesses.probe(keyId),
    keep: config.keep,
    maxPaidAttempts: DEFAULT_MAX_PAID_ATTEMPTS,
    maxInFlight: DEFAULT_MAX_IN_FLIGHT,
    timeoutMs: config.service?.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });

  let draining = false;
  const server = createServer({
    ...parts,
    intake: pipeline.intake,
    wake: () => pipeline.wake(),
    platforms,
    consoleToken: config.consoleToken?.reveal(),
    consoleTenant,
    trustProxy: config.trustProxy,
    role: config.role,
    ready: () => isReachable(store),
    policyOf,
    credits: createCreditSummary({ ...parts, policyOf, accessOf }),
    ...toOperatorParts(config, consoleTenant),
    tryNotice: alerts.tryOut,
    draining: () => draining,
    about: { version: options.version, verification: config.service === undefined ? "local" : "service" },
  });
  return serve(createHttpServer(server), pipeline, {
    config,
    platforms,
    now,
    used: [...platforms, service.accesses, service.products],
    last: [alerts, store],
    onStop: () => (draining = true),
  });
}

/** The verification service as each tenant's orders reach it, the state of its keys, and the catalog. */
function openService(
  store: Store,
  options: AppOptions & Pick<ServiceAccessesOptions, "entitlementOf">,
  now: () => number,
) {
  const { config, logger, serviceDispatcher, entitlementOf } = options;
  const proxy = toDispatcher(config.proxy);
  const settings = createCurrentSettings({ store, logger, now });
  const accesses = createServiceAccesses({
    service: config.service,
    tenantDailyCap: config.creditsPerTenantDaily,
    entitlementOf,
    settings,
    keyring: store.keyring,
    connections: DEFAULT_MAX_IN_FLIGHT,
    dispatcher: serviceDispatcher ?? proxy,
    onReplaced: (keyId) => breaker.forget(keyId),
    logger,
    now,
  });
  const sharing = createCircuitSharing({ store, logger, now });
  const breaker = createCircuitBreaker({
    now,
    logger: namingKeyOwners(logger),
    probe: (keyId) => accesses.probe(keyId),
    share: sharing.share,
  });
  const products = createProductLookups({ catalog: config.catalog, dispatcher: proxy, settings, logger });
  return { settings, accesses, sharing, breaker, products };
}

/** Listen and work until stopped. `used` is closed when the app stops or can't listen, `last` when it stops. */
async function serve(
  http: Server,
  pipeline: Pipeline,
  parts: {
    config: Config;
    platforms: readonly Platform[];
    now: () => number;
    used: readonly Closable[];
    last: readonly Closable[];
    onStop: () => void;
  },
): Promise<App> {
  const { config, platforms, now, used, last, onStop } = parts;
  limitServer(http);
  const url = await listen(http, config).catch(async (error: unknown) => {
    await shutDown(http, pipeline, used);
    throw error;
  });
  if (config.role !== "intake") pipeline.start();
  return {
    url,
    check: pipeline.check,
    async deliver(name, delivery) {
      const platform = platforms.find((one) => one.name === name);
      const authentication = platform?.authenticate(delivery);
      if (authentication?.outcome !== "accepted") {
        throw new HoldfastError("PLATFORM_REFUSED", "the delivery isn't signed", { retryable: false });
      }
      const { tenant, deliveryId, topic } = authentication;
      const { body } = delivery;
      await pipeline.intake.accept({ tenant, deliveryId, platform: name, topic, receivedAtMs: now(), body });
    },
    async stop() {
      onStop();
      await shutDown(http, pipeline, [...used, ...last]);
    },
  };
}

function toNoticePeople(
  { config, consoleTenant = CONSOLE_TENANT }: AppOptions,
  parts: Pick<NoticePeople, "store" | "settings">,
): NoticePeople {
  return {
    ...parts,
    operatorTenant: config.consoleToken === undefined ? undefined : consoleTenant,
    publicUrl: config.publicUrl,
  };
}

function toInstallation(
  { service, catalog, alerts, shopify }: Config,
  operatorTenant: TenantId,
): Installation {
  return {
    service: service === undefined ? null : { url: service.url, organization: service.organization },
    catalog:
      catalog === undefined
        ? null
        : { url: catalog.url, hasKey: catalog.apiKey !== undefined, organization: catalog.organization },
    canMail: alerts?.email !== undefined,
    operatorTenant,
    isSingleTenant: shopify === undefined,
  };
}

/** What the operator configured for everybody's console. */
function toOperatorParts(config: Config, consoleTenant: TenantId) {
  return {
    pdfFonts: config.pdfFonts,
    https: config.publicUrl?.startsWith("https:") ?? false,
    installation: toInstallation(config, consoleTenant),
    readWorkspaceMembers: toMemberReader(config),
  };
}

function toMemberReader({ management, proxy }: Config): ServerParts["readWorkspaceMembers"] {
  return management === undefined ? undefined : () => readWorkspaceMembers(management, toDispatcher(proxy));
}

/** Metrics name a tenant by a digest that means nothing outside this installation. */
function createAppMetrics({ keyring }: Store, breaker: CircuitBreaker): Metrics {
  const toHash = (tenant: string) => keyring.digest(tenant, "metrics", tenant).slice(0, 12);
  return createMetrics({
    circuits: () =>
      breaker.circuits().map(({ tenant, blocked }) => ({ tenantHash: toHash(tenant), blocked })),
  });
}

type Closable = { close(): Promise<void> } | undefined;

/** Stop the work first, then close what it used, in the given order. */
async function shutDown(http: Server, pipeline: Pipeline, used: readonly Closable[]): Promise<void> {
  const closed = close(http);
  await pipeline.stop(GRACE_MS);
  // The remaining connections are idle keep-alive connections.
  http.closeAllConnections();
  await closed;
  for (const part of used) await part?.close();
}

function createPlatforms(
  { config, platforms, logger }: AppOptions,
  parts: { store: Store; owner: string; now: () => number; onInstalled: () => void },
): readonly Platform[] {
  return platforms.flatMap((factory) => {
    const credentials = createCredentials({ ...parts, platform: factory.name });
    return factory.create({ config, credentials, logger, now: parts.now }) ?? [];
  });
}

function isReachable(store: Store): Promise<boolean> {
  return store.ping().then(
    () => true,
    () => false,
  );
}

async function listen(server: Server, { host, port }: Config): Promise<URL> {
  server.listen(port, host);
  await once(server, "listening").catch((cause: unknown) => {
    const reason = explainSystemError(cause);
    throw toConfigError(`HOST, PORT: can't listen on ${host}:${port}: ${reason}`, cause);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return new URL(`http://${name}:${address.port}/`);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

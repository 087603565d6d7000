import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { ApiRoute } from "../../src/server/http/api-route.ts";
import { createApiRoutes } from "../../src/server/api/api.ts";
import { createServer, limitServer } from "../../src/server/server.ts";
import type { ServerParts } from "../../src/server/parts/server-parts.ts";
import type { Logger } from "../../src/base/logger.ts";
import { createMetrics } from "../../src/pipeline/metrics.ts";
import { createPinoLogger } from "../../src/base/pino-logger.ts";
import { createIntake } from "../../src/pipeline/intake/intake.ts";
import type { Platform } from "../../src/platform/platform.ts";
import type { Action } from "../../src/order/decision.ts";
import { createProductLookups } from "../../src/pipeline/decide/product-lookups.ts";
import { createServiceAccesses } from "../../src/screening/service-accesses.ts";
import { createPolicies } from "../../src/settings/current-policy.ts";
import { createCurrentSettings } from "../../src/settings/current-settings.ts";
import { createTestStore } from "../support/test-store.ts";
import type { KeptSignals } from "../../src/engine/model/kept-signals.ts";
import { toTimelineEntry } from "../../src/pipeline/timeline.ts";
import type { TimelineEvent } from "../../src/store/orders/timeline.ts";
import { toOrderFacts, toStoredFacts } from "../../src/policy/order-facts.ts";
import type { StandIn, VerificationRequest } from "../../src/order/request.ts";
import type { OrderState, Store } from "../../src/store/store.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import { createCircuitBreaker } from "../../src/service/circuit-breaker.ts";
import { anOrder, aResult } from "../support/orders.ts";
import { createTestPlatform } from "../support/platform.ts";
import { expectDescribed } from "./described-answers.ts";

/** The console token of every test app. */
export const CONSOLE_TOKEN = "console-token-of-the-test";
/** A header that is valid for the console token's tenant. */
export const AS_OPERATOR = { authorization: `Bearer ${CONSOLE_TOKEN}` };
/** A header that is valid for the tenant `fake:a.example`. */
export const AS_SHOP_A = { authorization: "Bearer session.of.a" };

/** A platform whose deliveries are signed with the word `good`, and whose sessions are `session.of.NAME`. */
export function createFakePlatform(changes: Partial<Platform> = {}): Platform {
  return {
    ...createTestPlatform("fake"),
    authenticate({ headers }) {
      if (headers["x-fake-signature"] !== "good")
        return {
          outcome: "unauthenticated",
          reason: "wrong signature",
          ...("x-fake-signature" in headers && { isSigned: true }),
        };
      const deliveryId = headers["x-fake-id"];
      if (typeof deliveryId !== "string") return { outcome: "unusable", reason: "no delivery id" };
      return {
        outcome: "accepted",
        tenant: "fake:a.example",
        deliveryId,
        topic: "orders/create",
      };
    },
    async openSession(bearer) {
      const name = /^session\.of\.([a-z]+)$/.exec(bearer)?.[1];
      return name === undefined ? null : { tenant: `fake:${name}.example`, userId: "7" };
    },
    page({ shop, host }) {
      if (shop === undefined || host === undefined) return null;
      return {
        frameAncestors: [`https://${shop}`, "https://admin.fake.example"],
        scriptSources: ["https://cdn.fake.example"],
        head: '<script src="https://cdn.fake.example/bridge.js"></script>',
      };
    },
    ...changes,
  };
}

/** A running console and its surroundings. */
export interface ConsoleApp {
  readonly origin: string;
  readonly port: number;
  readonly store: Store;
  /** The parts of the API. */
  readonly routes: readonly ApiRoute[];
  /** Everything that was logged, as text. */
  log(): string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  send(method: string, path: string, init?: Omit<RequestInit, "method">): Promise<Response>;
  /** The value of one sample of `/metrics`. */
  metric(sample: string): Promise<number | undefined>;
}

/** No service in the environment; tenants may use their own key. */
function toServiceParts(store: Store, logger: Logger) {
  const settings = createCurrentSettings({ store, logger, now: Date.now });
  const { keyring } = store;
  return {
    settings,
    accesses: createServiceAccesses({
      service: undefined,
      settings,
      keyring,
      connections: 2,
      logger,
      now: Date.now,
    }),
    breaker: createCircuitBreaker({ now: Date.now, logger }),
    products: createProductLookups({ catalog: undefined, settings, logger }),
    installation: {
      service: null,
      catalog: null,
      canMail: false,
      operatorTenant: "default",
      isSingleTenant: true,
    },
  };
}

/** Starts the real server on a free loopback port. It stops when the test ends. */
export async function startConsole(changes: Partial<ServerParts> = {}): Promise<ConsoleApp> {
  const lines: string[] = [];
  const store = changes.store ?? (await createTestStore());
  const logger = createPinoLogger({
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  const parts: ServerParts = {
    store,
    intake: createIntake({ store, onAccepted: () => {} }),
    platforms: [createFakePlatform()],
    consoleToken: CONSOLE_TOKEN,
    consoleTenant: "default",
    metrics: createMetrics(),
    logger,
    now: Date.now,
    role: "all",
    ready: async () => true,
    policyOf: createPolicies(store),
    ...toServiceParts(store, logger),
    credits: async () => ({
      spentToday: 1,
      spentMonth: 20,
      savedMonth: 5,
      savedByReason: { cached: 5 },
      dailyCap: null,
      monthlyCap: 100,
      circuit: "closed",
      runsOutOn: null,
    }),
    draining: () => false,
    tryNotice: async () => null,
    about: { version: "1.2.3-test", verification: "service" },
    ...changes,
  };
  const routes = parts.role === "worker" ? [] : createApiRoutes(parts);
  const server = createHttpServer(createServer(parts));
  limitServer(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await store.close();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const send = async (method: string, path: string, init: Omit<RequestInit, "method"> = {}) => {
    const response = await fetch(`${origin}${path}`, { ...init, method });
    await expectDescribed(routes, method, path, response);
    return response;
  };
  return {
    origin,
    port,
    store,
    routes,
    log: () => lines.join(""),
    send,
    get: (path, headers = {}) => send("GET", path, { headers }),
    async metric(sample) {
      const text = await (await send("GET", "/metrics")).text();
      const line = text.split("\n").find((candidate) => candidate.startsWith(`${sample} `));
      return line === undefined ? undefined : Number(line.slice(sample.length + 1));
    },
  };
}

/** What {@link keepOrder} should store. */
export interface KeptOrder {
  readonly tenant?: string;
  readonly name?: string;
  readonly receivedAtMs?: number;
  readonly state?: OrderState;
  /** Absent: not decided. */
  readonly decided?: { readonly level: RiskLevel; readonly action: Action };
  /** Only for an order that is decided. */
  readonly problem?: string;
  /** Only for an order that is decided. */
  readonly holdDeadlineMs?: number;
  /** Why it was decided without the service. */
  readonly degraded?: string;
  /** The outcomes of the steps that ended it, as in its timeline, e.g. `cancel-done`. */
  readonly endings?: readonly TimelineEvent[];
  /** Which parts of its request are made up. */
  readonly standIns?: readonly StandIn[];
  /** What the local engine saw, for an order that it judged. */
  readonly signals?: KeptSignals;
  /** What its content has, beside that of every test's order. */
  readonly order?: Partial<VerificationRequest>;
  /** Default: `web`. */
  readonly channel?: string;
}

const toContext = ({ channel = "web" }: KeptOrder) => ({ channel });

function toFacts(orderId: string, { signals, channel }: KeptOrder) {
  if (signals === undefined && channel === undefined) return {};
  const facts = toStoredFacts(toOrderFacts(anOrder({ orderId }), { channel }));
  return { facts: { ...facts, signals } };
}

/** Stores an order as the pipeline would. */
export async function keepOrder(store: Store, orderId: string, kept: KeptOrder = {}): Promise<void> {
  const { tenant = "fake:a.example", receivedAtMs = 1_700_000_000_000, state = "settled", decided } = kept;
  const key = { tenant, orderId };
  const entry = {
    atMs: receivedAtMs,
    kind: "received",
    detail: "delivery",
    event: { kind: "received", topic: "orders/create" },
    actor: "platform",
  } as const;
  await store.orders.receive(
    {
      ...key,
      platform: "fake",
      name: kept.name ?? `#${orderId}`,
      customerId: "customer-1",
      receivedAtMs,
      mapped: {
        outcome: "screenable",
        request: anOrder({ orderId, ...kept.order }),
        test: false,
        context: toContext(kept),
        standIns: kept.standIns,
      },
      amount: 59.9,
      currency: "USD",
    },
    entry,
  );
  if (decided === undefined) return;
  const { level, action } = decided;
  const { problem = null, holdDeadlineMs = null, degraded, endings = [] } = kept;
  const result = aResult(level);
  const owner = "test";
  const claim = { owner, nowMs: receivedAtMs + 60_000, leaseMs: 60_000, limit: 1_000 };
  const claimed = await store.orders.claim(claim);
  const release = { changes: {}, release: true };
  for (const other of claimed.filter((order) => order.orderId !== orderId))
    await store.orders.save(other, owner, release);
  await store.orders.save(key, owner, {
    changes: {
      state,
      dueAtMs: null,
      problem,
      holdDeadlineMs,
      result,
      ...toFacts(orderId, kept),
      decision: {
        action,
        tags: [`holdfast-${level}`],
        reasons: [`level:${level}`],
        source: "service",
        degraded: false,
        ...(degraded !== undefined && {
          reasons: [`level:${level}`, `degraded:${degraded}`],
          source: "local",
          degraded: true,
        }),
        riskLevel: level,
        riskScore: result.riskScore,
        enforce: true,
        policyVersion: 3,
      },
      decidedAtMs: receivedAtMs + 1_000,
      settledAtMs: receivedAtMs + 2_000,
    },
    entries: [
      { kind: "decided", action, source: "service", reasons: [`level:${level}`] } as const,
      ...endings,
    ].map((event) => toTimelineEntry(receivedAtMs + 1_000, event, action)),
    step: {
      step: "tag",
      state: "done",
      detail: "tag added",
      memory: { job: "secret-job" },
      atMs: receivedAtMs,
    },
    release: true,
  });
}

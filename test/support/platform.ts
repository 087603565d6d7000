import type {
  Authentication,
  Platform,
  PlatformEvent,
  PlatformOrder,
  EnforcementTarget,
} from "../../src/platform/platform.ts";
import type { EnforcementStep, StepOutcome } from "../../src/platform/enforcement-step.ts";

/** What a test platform did for one order. */
export interface EnforcedStep {
  readonly step: EnforcementStep;
  readonly orderId: string;
  readonly tags: readonly string[];
}

/** A platform that lives in memory: deliveries are JSON events, enforcement is recorded. */
export interface TestPlatform extends Platform {
  readonly enforced: readonly EnforcedStep[];
  /** Replaces how a step ends; return undefined for the usual `done`. */
  onEnforce: (
    step: EnforcementStep,
    target: EnforcementTarget,
  ) => StepOutcome | Promise<StepOutcome> | undefined;
  cardCodes?: Platform["cardCodes"];
  onEnrich: Platform["enrich"];
  onReadContext: NonNullable<Platform["readContext"]>;
  onLocate: Platform["locate"];
  onObserve: Platform["observe"];
  onReadOrder: Platform["readOrder"];
  onConfirmAccess: Platform["confirmAccess"];
}

/** Create a {@link TestPlatform}. */
export function createTestPlatform(name = "test"): TestPlatform {
  const enforced: EnforcedStep[] = [];
  const platform: TestPlatform = {
    name,
    enforced,
    onEnforce: () => undefined,
    onEnrich: async (_tenant, order) => ({ mapped: order.mapped, limitations: [] }),
    onReadContext: async () => ({}),
    onLocate: async (_tenant, reference) => reference,
    authenticate: ({ headers }): Authentication => ({
      outcome: "accepted",
      tenant: String(headers["x-tenant"]),
      deliveryId: String(headers["x-id"]),
      topic: String(headers["x-topic"]),
    }),
    interpret: ({ body }) => JSON.parse(body.toString()) as PlatformEvent,
    enrich: (tenant, order, options) => platform.onEnrich(tenant, order, options),
    readContext: (tenant, orderId, options) => platform.onReadContext(tenant, orderId, options),
    async enforce(step, target, options) {
      const scripted = await unlessAborted(
        Promise.resolve(platform.onEnforce(step, target)),
        options?.signal,
      );
      if (scripted !== undefined) return scripted;
      enforced.push({ step, orderId: target.orderId, tags: target.decision.tags });
      return { outcome: "done", detail: `${step} done` };
    },
    onObserve: async () => null,
    observe: (tenant, orderId, options) => platform.onObserve(tenant, orderId, options),
    onReadOrder: async () => null,
    readOrder: (tenant, orderId, options) => platform.onReadOrder(tenant, orderId, options),
    onConfirmAccess: async () => "works",
    confirmAccess: (tenant, options) => platform.onConfirmAccess(tenant, options),
    recentOrders: async () => ({ orders: [], nextCursor: null }),
    locate: (tenant, reference, options) => platform.onLocate(tenant, reference, options),
    openSession: async () => null,
    page: () => null,
    close: async () => {},
  };
  return platform;
}

/** An order event as the test platform's deliveries carry it. */
export function orderEvent(
  order: Pick<PlatformOrder, "orderId" | "mapped"> & Partial<PlatformOrder>,
): Buffer {
  const event: PlatformEvent = {
    kind: "order",
    order: { name: `#${order.orderId}`, customerId: undefined, amount: 59.9, currency: "USD", ...order },
  };
  return Buffer.from(JSON.stringify(event));
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const give = () => reject(signal?.reason);
  if (signal?.aborted === true) give();
  signal?.addEventListener("abort", give, { once: true });
  return Promise.race([work, promise]);
}

import { createHmac, timingSafeEqual } from "node:crypto";
import {
  parseVerificationRequest,
  type MappedOrder,
  type ObservedOrder,
  type Platform,
  type PlatformEvent,
  type PlatformOrder,
  type RawDelivery,
} from "../../src/adapter-kit.ts";
import { HoldfastError, type ErrorCode } from "../../src/index.ts";
import type { AdapterUnderTest } from "../../src/testing.ts";
import { anOrder } from "../support/orders.ts";

/** A shop stored in a map, and the smallest adapter that keeps the contract. */
export interface MemoryAdapter extends AdapterUnderTest {
  platform: Platform;
}

type Draft<T> = { -readonly [K in keyof T]: T[K] };
interface ShopOrder {
  readonly order: PlatformOrder;
  readonly createdAtMs: number;
  readonly shown: Draft<ObservedOrder>;
}

const SECRET = "memory-secret";
const TENANT = "memory:shop";
const SIGNATURE = /^[0-9a-f]{64}$/;

/** Create a {@link MemoryAdapter}. `spoil` may replace its methods, for an adapter that breaks the contract. */
export function createMemoryAdapter(
  spoil: (platform: Platform, shop: ReadonlyMap<string, ShopOrder>) => Partial<Platform> = () => ({}),
): MemoryAdapter {
  const shop = new Map<string, ShopOrder>();
  let missing: ErrorCode | undefined;
  let isUninstalled = false;

  /** The orders of a tenant, as a call over the network would reach them. */
  async function reach(tenant: string, signal?: AbortSignal): Promise<ReadonlyMap<string, ShopOrder>> {
    signal?.throwIfAborted();
    if (missing !== undefined) throw new HoldfastError(missing, "no answer", { retryable: true });
    return tenant === TENANT ? shop : new Map();
  }

  const sound: Platform = {
    name: "memory",
    authenticate,
    interpret: ({ topic, body }) =>
      topic === "order" ? interpretOrder(body) : { kind: "ignored", reason: "unknown-topic" },
    async enrich(tenant, { mapped }) {
      const limitations = await reach(tenant).then(
        () => [],
        () => ["PLATFORM_UNAVAILABLE"],
      );
      return { mapped, limitations };
    },
    async enforce(step, { tenant, orderId, decision, formerTags }, { signal } = {}) {
      const shown = (await reach(tenant, signal)).get(orderId)?.shown;
      if (shown === undefined) return { outcome: "impossible", reason: "order-not-found" };
      if (shown.cancelled) return { outcome: "moot", ended: "cancelled", reason: "already-cancelled" };
      const held = [{ holdId: `hold-${orderId}`, reference: orderId }];
      const gone = formerTags.filter((tag) => !decision.tags.includes(tag));
      const change: Record<typeof step, Partial<ObservedOrder>> = {
        assess: { assessment: decision.riskLevel },
        tag: { tags: [...new Set([...shown.tags, ...decision.tags])] },
        untag: { tags: shown.tags.filter((tag) => !gone.includes(tag)) },
        hold: { holds: held },
        release: { holds: [] },
        cancel: { cancelled: true, holdable: false },
        capture: {},
      };
      Object.assign(shown, change[step]);
      return { outcome: "done", detail: step };
    },
    async observe(tenant, orderId, { signal } = {}) {
      const shown = (await reach(tenant, signal)).get(orderId)?.shown;
      return shown === undefined ? null : structuredClone(shown);
    },
    async readOrder(tenant, orderId, { signal } = {}) {
      return (await reach(tenant, signal)).get(orderId)?.order ?? null;
    },
    async confirmAccess(tenant, { signal } = {}) {
      if (isUninstalled) return "refused";
      if (missing === "PLATFORM_UNAUTHORIZED") return "unknown";
      await reach(tenant, signal);
      return tenant === TENANT ? "works" : "unknown";
    },
    async recentOrders(tenant, { sinceMs, untilMs = Number.POSITIVE_INFINITY, cursor = "0", signal }) {
      const inWindow = [...(await reach(tenant, signal)).values()]
        .filter(({ createdAtMs }) => createdAtMs >= sinceMs && createdAtMs <= untilMs)
        .toSorted((one, other) => one.createdAtMs - other.createdAtMs);
      const next = Number(cursor) + 1;
      const orders = inWindow.slice(next - 1, next).map(({ order }) => order);
      return { orders, nextCursor: next < inWindow.length ? String(next) : null };
    },
    async locate(tenant, reference, { signal } = {}) {
      const orderId = reference.replace(/^parcel-/, "");
      return (await reach(tenant, signal)).has(orderId) ? orderId : null;
    },
    openSession: async () => null,
    page: () => null,
    close: async () => {},
  };

  return {
    platform: { ...sound, ...spoil(sound, shop) },
    tenant: TENANT,
    signatureHeader: "x-signature",
    unknownOrderId: "order-0",
    sign,
    async placeOrder() {
      const orderId = `order-${shop.size + 1}`;
      const body = Buffer.from(JSON.stringify(anOrder({ orderId })));
      const event = interpretOrder(body);
      if (event.kind !== "order") throw new Error("the sample order cannot be read");
      const createdAtMs = Date.UTC(2026, 10, 20) + shop.size;
      shop.set(orderId, { order: event.order, createdAtMs, shown: createShown() });
      return { orderId, delivery: sign(body), reference: `parcel-${orderId}`, createdAtMs };
    },
    async deprive(what) {
      isUninstalled = what === "installation";
      if (isUninstalled) return () => (isUninstalled = false);
      missing = what === "access" ? "PLATFORM_UNAUTHORIZED" : "PLATFORM_UNAVAILABLE";
      return () => (missing = undefined);
    },
    close: async () => {},
  };
}

function createShown(): Draft<ObservedOrder> {
  return {
    cancelled: false,
    fulfilled: false,
    partlyFulfilled: false,
    holdable: true,
    tags: ["vip"],
    holds: [],
    assessment: null,
    platformRisk: null,
  };
}

function digest(body: Buffer): string {
  return createHmac("sha256", SECRET).update(body).digest("hex");
}

function sign(body: Buffer): RawDelivery {
  const signature = digest(body);
  return { headers: { "x-signature": signature, "x-id": `d-${signature.slice(0, 16)}` }, body };
}

function authenticate({ headers, body }: RawDelivery): ReturnType<Platform["authenticate"]> {
  const { "x-signature": signature, "x-id": deliveryId } = headers;
  if (typeof signature !== "string" || !SIGNATURE.test(signature)) {
    return { outcome: "unauthenticated", reason: "signature-malformed" };
  }
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(digest(body)))) {
    return { outcome: "unauthenticated", reason: "signature-mismatch" };
  }
  if (typeof deliveryId !== "string") return { outcome: "unusable", reason: "no-id" };
  return { outcome: "accepted", tenant: TENANT, deliveryId, topic: "order" };
}

function interpretOrder(body: Buffer): PlatformEvent {
  let order: unknown;
  try {
    order = JSON.parse(body.toString());
  } catch {
    return { kind: "ignored", reason: "unreadable-body" };
  }
  const { orderId } = (order ?? {}) as { orderId?: unknown };
  if (typeof orderId !== "string" || orderId === "") return { kind: "ignored", reason: "no-order-id" };
  const facts = { orderId, name: orderId, customerId: undefined, amount: undefined, currency: undefined };
  return { kind: "order", order: { ...facts, mapped: mapOrder(order) } };
}

function mapOrder(order: unknown): MappedOrder {
  try {
    return { outcome: "screenable", request: parseVerificationRequest(order), test: false };
  } catch {
    return { outcome: "unscreenable", reason: "NO_ADDRESS", known: {}, test: false };
  }
}

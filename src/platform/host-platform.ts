import { raiseAlert } from "../base/alerts.ts";
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { HoldfastError, isHoldfastError } from "../base/errors.ts";
import { SILENT_LOGGER, type Logger } from "../base/logger.ts";
import { checkOptions, type OptionRules } from "../base/options.ts";
import { parseVerificationRequest, verificationRequestSchema } from "../order/request.ts";
import { keepUsable } from "../order/usable-order.ts";
import { enforceInShop, SHOP_RULE, type HostShop, type ShopOrder } from "./host-shop.ts";
import type {
  Authentication,
  ObservedOrder,
  OrderPage,
  OrderWindow,
  Platform,
  PlatformCallOptions,
  PlatformCardCodes,
  PlatformEvent,
  PlatformOrder,
  RawDelivery,
  TenantId,
} from "./platform.ts";

/** What a shop reports: a new order, or the state of an order after a change. */
export type HostTopic = "order" | "order-changed";

/** A {@link Platform} in the shop's own process. */
export interface HostPlatform extends Platform {
  /** The shop as a tenant. */
  readonly tenant: TenantId;
  /** A delivery that this platform accepts as its own shop's. */
  sign(topic: string, body: Buffer): RawDelivery;
  /** The delivery that reports an order. */
  report(topic: HostTopic, order: ShopOrder, network?: ShopNetwork): RawDelivery;
}

/** The origin of the request that placed an order. */
export interface ShopNetwork {
  readonly ipAddress?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** Options of {@link createHostPlatform}. */
export interface HostPlatformOptions {
  readonly shop: HostShop;
  /** Signs deliveries. @default a random key that only this process knows */
  readonly secret?: Buffer | undefined;
  /** Called with orders that can't be read. @default silent */
  readonly logger?: Pick<Logger, "error"> | undefined;
}

const OPTIONS: OptionRules<HostPlatformOptions> = {
  shop: SHOP_RULE,
  secret: true,
  logger: { is: ["error"], expected: "a function error" },
};

/** Lower-case name of the header that carries a delivery's signature. */
export const HOST_SIGNATURE_HEADER = "x-holdfast-signature";
const TOPIC_HEADER = "x-holdfast-topic";
const SECRET_BYTES = 32;
const PAGE = 100;

/**
 * The {@link Platform} of a shop whose own process runs Holdfast. It calls the shop's services directly, without a
 * network. An adapter defines what its shop's orders look like and how they are canceled; the rest is the same for all.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function createHostPlatform(given: HostPlatformOptions): HostPlatform {
  const options = checkOptions("createHostPlatform", given, OPTIONS);
  const { shop, secret = randomBytes(SECRET_BYTES), logger = SILENT_LOGGER } = options;
  const { name } = shop;
  const tenant = `${name}:${shop.shopName ?? "shop"}`;
  const read = async (of: TenantId, orderId: string, { signal }: PlatformCallOptions = {}) =>
    of === tenant ? reach(name, () => shop.read(orderId), signal) : null;
  const sign = (topic: string, body: Buffer): RawDelivery => ({
    headers: { [HOST_SIGNATURE_HEADER]: toSignature(secret, topic, body), [TOPIC_HEADER]: topic },
    body,
  });

  return {
    name,
    tenant,
    sign,
    report: (topic, { orderId, content }, network) =>
      sign(
        topic,
        Buffer.from(JSON.stringify({ orderId, content, ...(network === undefined ? {} : { network }) })),
      ),
    authenticate: (delivery) => authenticate(delivery, tenant, secret),
    interpret: (delivery) => interpret({ shop, logger, tenant }, delivery),
    enrich: (_tenant, order, { signal } = {}) => enrich(shop, order, signal),
    async enforce(step, target, { signal } = {}) {
      const order = await read(target.tenant, target.orderId, { signal });
      return reach(name, () => enforceInShop(shop, order, step, target), signal);
    },
    async endCheckoutHold(of, orderId, { signal } = {}) {
      const order = await read(of, orderId, { signal });
      if (order?.marks.hold === "checkout")
        await reach(name, () => shop.mark(orderId, { hold: null }), signal);
    },
    async observe(of, orderId, call) {
      const order = await read(of, orderId, call);
      return order === null ? null : toObserved(order);
    },
    async readOrder(of, orderId, call) {
      const order = await read(of, orderId, call);
      return order === null ? null : readContent(shop, order.content);
    },
    // The shop is in this process, so it has no access that could be revoked.
    async confirmAccess(of, { signal } = {}) {
      const nobody = { sinceMs: 0, untilMs: 0, offset: 0, limit: 1 };
      await reach(name, () => shop.list(nobody), signal);
      return of === tenant ? "works" : "unknown";
    },
    recentOrders: async (of, window) =>
      of === tenant
        ? reach(name, () => listOrders({ shop, logger, tenant }, window), window.signal)
        : { orders: [], nextCursor: null },
    locate: async () => null,
    openSession: async () => null,
    page: () => null,
    cardCodes: toCardCodes(shop, tenant),
    adminUrl: (_tenant, orderId) => shop.adminUrl?.(orderId) ?? null,
    close: async () => undefined,
  };
}

function toCardCodes(shop: HostShop, tenant: TenantId): PlatformCardCodes | undefined {
  const { cardCodes: codes } = shop;
  if (codes === undefined || shop.listPayments === undefined) return undefined;
  return {
    find: (...found) => codes.find(...found),
    prepare: (...prepared) => codes.prepare(...prepared),
    show: (...shown) => codes.show(...shown),
    end: (...ended) => codes.end(...ended),
    listPayments: async (of, orderId) => (of === tenant ? ((await shop.listPayments?.(orderId)) ?? []) : []),
  };
}

/** Call the shop. Any rejection counts as temporary. */
async function reach<T>(name: string, call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await call();
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    throw new HoldfastError("PLATFORM_UNAVAILABLE", `${name} failed`, { retryable: true, cause });
  }
}

/** The topic is signed, too, so that nobody can send a report under another topic. */
function toSignature(secret: Buffer, topic: string, body: Buffer): string {
  return createHmac("sha256", secret).update(topic).update("\n").update(body).digest("base64");
}

function authenticate({ headers, body }: RawDelivery, tenant: TenantId, secret: Buffer): Authentication {
  const [signature, topic] = [headers[HOST_SIGNATURE_HEADER], headers[TOPIC_HEADER]];
  if (typeof signature !== "string" || typeof topic !== "string") {
    return { outcome: "unauthenticated", reason: "no signature" };
  }
  const [given, expected] = [signature, toSignature(secret, topic, body)].map((text) =>
    createHash("sha256").update(text).digest(),
  ) as [Buffer, Buffer];
  if (!timingSafeEqual(given, expected))
    return { outcome: "unauthenticated", reason: "wrong signature", isSigned: true };
  const deliveryId = createHash("sha256").update(topic).update("\n").update(body).digest("base64url");
  return { outcome: "accepted", tenant, deliveryId, topic };
}

interface Reading {
  readonly shop: HostShop;
  readonly logger: Pick<Logger, "error">;
  readonly tenant: TenantId;
}

function interpret(
  reading: Reading,
  { topic, body }: { readonly topic: string; readonly body: Buffer },
): PlatformEvent {
  if (topic !== "order" && topic !== "order-changed") return { kind: "ignored", reason: "unknown-topic" };
  let orderId: string | undefined;
  try {
    const report = JSON.parse(body.toString("utf8")) as {
      orderId?: string;
      content: unknown;
      network?: ShopNetwork;
    };
    orderId = report.orderId;
    const order = readContent(reading.shop, report.content);
    if (order.mapped.outcome === "screenable") verificationRequestSchema.parse(order.mapped.request);
    return { kind: topic, order: withNetwork(order, report.network) };
  } catch (error) {
    noteUnreadable(reading, orderId, error);
    return { kind: "ignored", reason: "unreadable-order" };
  }
}

/** It can't be decided. If its check held it, it stays held, so a person has to know. */
function noteUnreadable({ logger, tenant }: Reading, orderId: string | undefined, error: unknown): void {
  const problem = isHoldfastError(error) ? error.code : "INTERNAL";
  raiseAlert(
    logger,
    "order_failed",
    { err: error, problem, tenant, orderId },
    "can't read an order of the shop, so it isn't decided; if it's on hold, it stays on hold",
  );
}

function readContent(shop: HostShop, content: unknown): PlatformOrder {
  const order = shop.map(content);
  // Any other JSON value in place of the id is refused.
  if (typeof order.orderId !== "string" || order.orderId === "") throw new TypeError("the order has no id");
  return order;
}

/** Add an order's origin. Values that the service wouldn't accept are left out. */
export function withNetwork(order: PlatformOrder, network: ShopNetwork | undefined): PlatformOrder {
  const { mapped } = order;
  if (network === undefined || mapped.outcome !== "screenable") return order;
  const { ipAddress, userAgent } = keepUsable(network).known;
  const added = {
    ...(ipAddress === undefined ? {} : { ipAddress }),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
  return { ...order, mapped: { ...mapped, request: { ...mapped.request, ...added } } };
}

async function enrich(shop: HostShop, order: PlatformOrder, signal: AbortSignal | undefined) {
  const { mapped } = order;
  if (mapped.outcome !== "screenable") return { mapped, limitations: [] };
  try {
    const totalOrders = await reach(shop.name, () => shop.countOtherOrders(order), signal);
    if (totalOrders === null) return { mapped, limitations: [] };
    const known = { isFirstTimeCustomer: totalOrders === 0, totalOrders };
    const request = parseVerificationRequest({ ...mapped.request, ...known });
    const standIns = mapped.standIns?.filter((field) => field !== "isFirstTimeCustomer");
    return { mapped: { ...mapped, request, standIns }, limitations: [] };
  } catch (error) {
    signal?.throwIfAborted();
    return { mapped, limitations: [isHoldfastError(error) ? error.code : "INTERNAL"] };
  }
}

async function listOrders(reading: Reading, { sinceMs, untilMs, cursor }: OrderWindow): Promise<OrderPage> {
  const offset = Number(cursor ?? 0);
  const listed = await reading.shop.list({ sinceMs, untilMs, offset, limit: PAGE });
  const orders = listed.flatMap(({ orderId, content }) => {
    try {
      return [readContent(reading.shop, content)];
    } catch (error) {
      // Continue, so that the other orders are found.
      noteUnreadable(reading, orderId, error);
      return [];
    }
  });
  return { orders, nextCursor: listed.length < PAGE ? null : String(offset + PAGE) };
}

function toObserved({ orderId, marks, ...order }: ShopOrder): ObservedOrder {
  const { cancelled, fulfilled, partlyFulfilled } = order;
  return {
    cancelled,
    fulfilled,
    partlyFulfilled,
    holdable: marks.hold === null && !cancelled && !fulfilled,
    tags: marks.tags,
    holds: marks.hold === null ? [] : [{ holdId: orderId, reference: marks.hold }],
    assessment: marks.riskLevel,
    platformRisk: null,
  };
}

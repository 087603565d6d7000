import { setTimeout as sleep } from "node:timers/promises";
import {
  parseVerificationRequest,
  type MappedOrder,
  type OrderContext,
  type Platform,
} from "../../../src/adapter-kit.ts";
import { isHoldfastError, type VerificationRequest } from "../../../src/index.ts";
import { completeAddresses, toB2bCompany } from "../mapping/addresses.ts";
import { isPassing, type AdminAnswer } from "./admin-answer.ts";
import type { AdminClient } from "./admin-client.ts";
import type { Operations, OrderDetail } from "../operations/generated/operations.ts";
import { isHistoryComplete, toHistory } from "../mapping/order-detail.ts";
import { definedOnly, toOrderGid } from "../base/payload.ts";
import { toDetailContext } from "../mapping/order-context.ts";
import { findCardPayment, toCardDetails, toPaymentInfo } from "../mapping/payment.ts";
import { toShop } from "../base/shop-domain.ts";

/** How many past orders are read, newest first. More would cost more points than the detail is worth. */
const PAST_ORDERS = 50;

type EnrichedOrder = Awaited<ReturnType<Platform["enrich"]>>;

export function createReadContext(client: AdminClient): NonNullable<Platform["readContext"]> {
  return async (tenant, orderId, { signal } = {}) => {
    const id = toOrderGid(orderId);
    if (id === undefined) return null;
    const { data } = await client.request(toShop(tenant), "OrderContext", { id }, { signal });
    return data.order === null ? null : toDetailContext(data.order);
  };
}

/**
 * Only the payment names the buyer of some orders, and Shopify writes it a moment after the order. Without a name, an
 * order isn't sent, so it is read once more after this many milliseconds.
 */
const NAME_PAUSE_MS = 2_000;

/**
 * Create the platform's `enrich`: one query, or two if an order still lacks a name. A failure only costs detail;
 * `limitations` has `HISTORY_NOT_GRANTED`, `HISTORY_INCOMPLETE`, `PAYMENT_NOT_GRANTED`, `DETAIL_INCOMPLETE`,
 * `DETAIL_UNUSABLE`, `ORDER_NOT_FOUND`, or the code of the error that left the order without any detail.
 */
export function createEnrich(client: AdminClient, namePauseMs = NAME_PAUSE_MS): Platform["enrich"] {
  return async (tenant, { orderId, mapped }, { signal } = {}) => {
    const id = toOrderGid(orderId);
    if (!needsDetail(mapped) || id === undefined) return { mapped, limitations: [] };
    const variables = { id, orders: PAST_ORDERS };
    const read = async (): Promise<{ readonly enriched: EnrichedOrder; readonly mayPass: boolean }> => {
      try {
        const answer = await client.request(toShop(tenant), "OrderDetail", variables, { signal });
        const enriched = merge(mapped, id, answer);
        return { enriched, mayPass: enriched.awaitsPayment === true };
      } catch (error) {
        if (!isHoldfastError(error))
          return { enriched: { mapped, limitations: ["DETAIL_UNUSABLE"] }, mayPass: false };
        const { code, retryable: mayPass, retryAtMs } = error;
        const again = retryAtMs === undefined ? {} : { retryAtMs };
        return { enriched: { mapped, limitations: [code], ...again }, mayPass };
      }
    };
    const { enriched, mayPass } = await read();
    if (enriched.mapped.outcome === "screenable" || !mayPass) return enriched;
    const isOver = await sleep(namePauseMs, false, { signal }).catch(() => true);
    return isOver ? enriched : (await read()).enriched;
  };
}

/** Whether the order will be sent, or is only waiting for a name, which the card may have. */
function needsDetail(mapped: MappedOrder): boolean {
  return mapped.outcome === "screenable" || mapped.reason === "NO_NAME";
}

function merge(
  asked: MappedOrder,
  orderGid: string,
  answer: AdminAnswer<Operations["OrderDetail"]["data"]>,
): EnrichedOrder {
  const { order } = answer.data;
  const limitations = toLimitations(answer);
  if (order === null)
    return { mapped: asked, limitations: limitations.length > 0 ? limitations : ["ORDER_NOT_FOUND"] };
  const card = toCardDetails(findCardPayment(order.transactions));
  const paymentInfo = toPaymentInfo({ payment_details: card });
  const mapped = nameByCard(withContext(asked, toDetailContext(order)), paymentInfo?.holderName);
  const awaitsPayment = isPaymentAwaited(mapped, order) ? ({ awaitsPayment: true } as const) : {};
  if (mapped.outcome !== "screenable") return { mapped, limitations, ...awaitsPayment };
  if (order.customer !== null && !isHistoryComplete(order.customer)) limitations.push("HISTORY_INCOMPLETE");
  const history = toHistory(order, orderGid, mapped.request);
  const buyer = order.purchasingEntity;
  const request = parseOrNull({
    ...toB2bCompany(buyer?.__typename === "PurchasingCompany" ? buyer.company : undefined),
    ...mapped.request,
    ...history,
    ...(paymentInfo === undefined ? {} : { paymentInfo }),
  });
  if (request === null) {
    return { mapped, limitations: [...limitations, "DETAIL_UNUSABLE"], ...awaitsPayment };
  }
  return { mapped: withoutKnown({ ...mapped, request }, history), limitations, ...awaitsPayment };
}

/** Use the card holder's name for an order that names nobody, as the mapping does where a payload has card facts. */
function nameByCard(mapped: MappedOrder, customerName: string | undefined): MappedOrder {
  if (mapped.outcome === "screenable" || customerName === undefined) return mapped;
  const { outcome: _outcome, reason: _reason, known, standIns = [], ...facts } = mapped;
  const { standIns: ofAddresses = [], ...addresses } = completeAddresses(known) ?? {};
  const request = parseOrNull({ ...known, ...addresses, customerName });
  if (request === null) return mapped;
  return {
    ...facts,
    outcome: "screenable",
    request,
    standIns: [...standIns, "customerName", ...ofAddresses],
  };
}

/** Shopify writes transactions a moment after the order. */
function isPaymentAwaited({ context }: MappedOrder, { transactions }: OrderDetail): boolean {
  return (context?.gateways ?? []).length > 0 && transactions.length === 0;
}

function withContext<T extends MappedOrder>(mapped: T, detail: OrderContext): T {
  if (Object.keys(detail).length === 0) return mapped;
  // The webhook lists every shipping line.
  const { shippingMethods, ...others } = detail;
  return { ...mapped, context: { ...definedOnly({ shippingMethods }), ...mapped.context, ...others } };
}

/** Once the shop has returned the history, it's known whether the customer is new. */
function withoutKnown<T extends MappedOrder>(mapped: T, history: ReturnType<typeof toHistory>): T {
  if (history.isFirstTimeCustomer === undefined) return mapped;
  const { standIns: before = [], ...rest } = mapped;
  const standIns = before.filter((field) => field !== "isFirstTimeCustomer");
  return (standIns.length === 0 ? rest : { ...rest, standIns }) as T;
}

/** Don't send detail that the service would refuse. The request without it is still valid. */
function parseOrNull(request: unknown): VerificationRequest | null {
  try {
    return parseVerificationRequest(request);
  } catch {
    return null;
  }
}

function toLimitations({ errors }: AdminAnswer<unknown>): string[] {
  // Shops without Shopify Plus don't have it.
  const missed = errors.filter(({ path }) => !path.endsWith(".authorizationExpiresAt"));
  const codes = missed.map((error) => {
    const { path } = error;
    if (isPassing(error)) return "DETAIL_INCOMPLETE";
    if (path.includes("customer")) return "HISTORY_NOT_GRANTED";
    return path.includes("transactions") ? "PAYMENT_NOT_GRANTED" : "DETAIL_INCOMPLETE";
  });
  return [...new Set(codes)];
}

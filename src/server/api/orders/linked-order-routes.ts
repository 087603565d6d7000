import { z } from "zod";
import { toKnown, toKnownNow } from "../../../platform/platform.ts";
import { toIpFacts } from "../../../engine/facts/ip-facts.ts";
import { maskMailbox, maskPostcode } from "../../../engine/facts/masking.ts";
import { LINK_KINDS, type LinkKind } from "../../../order/link-kinds.ts";
import { ACTIONS } from "../../../order/decision.ts";
import type { PartialVerificationRequest } from "../../../order/request.ts";
import { toOutcome } from "../../../pipeline/report/outcome.ts";
import { findListed, LISTS } from "../../../policy/lists.ts";
import { OUTCOMES } from "../../../policy/replay-tally.ts";
import { MOST_LINKED, type LinkedOrder } from "../../../store/orders/linked-orders.ts";
import type { OrderTrace } from "../../../store/outcomes/outcomes.ts";
import { aheadQuery, noteAccess } from "../base/note-access.ts";
import { handleRoutes, pick, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { UNKNOWN_ORDER } from "./order-details.ts";
import { listedOrderJson, orderJson, toBuyerJson } from "./order-json.ts";

const linkKind = z.enum(LINK_KINDS);

const linkedOrderJson = listedOrderJson.extend({
  receivedAt: z.iso.datetime(),
  ...orderJson.pick({ buyer: true, country: true }).shape,
  email: z.string().nullable().describe("null once erased, or if the platform names none"),
  action: z.enum(ACTIONS).nullable(),
  outcome: z.enum(OUTCOMES),
  links: z.array(linkKind).readonly().describe("what the orders share"),
});

const LINKED_ORDER_ROUTES = {
  "GET /orders/:orderId/linked": {
    id: "listLinkedOrders",
    summary: "List other orders with the same mailbox, network, card, phone, or address, newest first.",
    role: "viewer",
    query: aheadQuery,
    answers: {
      200: z.object({
        links: z.array(
          z.object({
            kind: linkKind,
            label: z.string().describe("masked: enough to recognize it, too little to use it"),
            listed: z.enum(LISTS).nullable().describe("the policy's list that it's on"),
            orders: z.int().describe(`other orders that share it, at most ${MOST_LINKED}`),
          }),
        ),
        orders: z.array(linkedOrderJson),
      }),
    },
  },
} satisfies RouteDefinitions;

type LinkedParts = Pick<ServerParts, "store" | "now" | "policyOf">;

export function createLinkedOrderRoutes(parts: LinkedParts) {
  return handleRoutes(LINKED_ORDER_ROUTES, {
    async "GET /orders/:orderId/linked"({ session, params, query, answer }) {
      const { store, policyOf } = parts;
      const key = { tenant: session.tenant, orderId: params.orderId };
      const [order, linked] = await Promise.all([store.orders.get(key), store.orders.listLinked(key)]);
      if (order === null || linked === null) throw new ProblemError(UNKNOWN_ORDER);
      const { orders, keys } = linked;
      // Masked data is still personal.
      if (order.mapped !== null)
        await noteAccess(parts, session, query.ahead ? "ahead" : "order", key.orderId);
      // The others' names and addresses are in clear.
      if (query.ahead === undefined && orders.some(({ mapped }) => mapped !== null))
        await noteAccess(parts, session, "linked", key.orderId);
      const ids = orders.map(({ orderId }) => orderId);
      const traces = await store.outcomes.loadTraces(key.tenant, ids);
      const { lists } = (await policyOf(key.tenant)).policy;
      const { receivedAtMs } = order;
      answer(200, {
        links: LINK_KINDS.filter((kind) => keys[kind] !== undefined).map((kind) => ({
          kind,
          label: order.mapped === null ? "" : toLinkLabel(kind, toKnownNow(order.mapped)),
          listed: findListed(lists, { keys: { [kind]: keys[kind] }, receivedAtMs })?.list ?? null,
          orders: orders.filter(({ links }) => links.includes(kind)).length,
        })),
        orders: orders.map((one) => toLinkedJson(one, traces.get(one.orderId))),
      });
    },
  });
}

function toLinkedJson(order: LinkedOrder, trace: OrderTrace | undefined): z.infer<typeof linkedOrderJson> {
  const { receivedAtMs, decision, mapped } = order;
  return pick(linkedOrderJson, {
    ...order,
    ...toBuyerJson(mapped),
    email: (mapped && toKnown(mapped).customerEmail) ?? null,
    receivedAt: new Date(receivedAtMs).toISOString(),
    riskLevel: decision?.riskLevel ?? null,
    action: decision?.action ?? null,
    outcome: decision === null ? "open" : toOutcome({ ...order, decision }, trace),
  });
}

/** The shared value, masked, so that a person recognizes it. */
export function toLinkLabel(kind: LinkKind, order: PartialVerificationRequest): string {
  return LABELS[kind](order);
}

const LABELS: Readonly<Record<LinkKind, (order: PartialVerificationRequest) => string>> = {
  mailbox: ({ customerEmail }) => maskMailbox(customerEmail),
  network: ({ ipAddress }) => toIpFacts(ipAddress)?.masked ?? "",
  card: ({ paymentInfo }) =>
    `${paymentInfo?.brand ?? "Card"} ending in ${paymentInfo?.lastFourDigits ?? "?"}`,
  phone: ({ customerPhone = "" }) => `ending in ${customerPhone.replaceAll(/\D/g, "").slice(-2)}`,
  address: ({ shippingAddress = {} }) =>
    [shippingAddress.city, maskPostcode(shippingAddress.postalCode ?? ""), shippingAddress.country]
      .filter((part) => part !== undefined && part !== "")
      .join(", "),
};

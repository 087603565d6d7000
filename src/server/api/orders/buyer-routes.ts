import { z } from "zod";
import { ACTIONS } from "../../../order/decision.ts";
import { toOutcome } from "../../../pipeline/report/outcome.ts";
import { DISPUTE_KINDS, DISPUTE_STATUSES } from "../../../platform/platform.ts";
import { OUTCOMES } from "../../../policy/replay-tally.ts";
import { BUYER_LINKS, MOST_OF_BUYER, type BuyerOrder } from "../../../store/orders/buyer-orders.ts";
import type { OrderTrace } from "../../../store/outcomes/outcomes.ts";
import { ORDER_STATES } from "../../../store/store.ts";
import { handleRoutes, pick, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { noteAccess } from "../base/note-access.ts";
import { contentsJson, toContentsJson } from "./order-contents.ts";
import { UNKNOWN_ORDER } from "./order-details.ts";
import { listedOrderJson } from "./order-json.ts";

const buyerOrderJson = listedOrderJson.extend({
  receivedAt: z.iso.datetime(),
  state: z.enum(ORDER_STATES),
  action: z.enum(ACTIONS).nullable(),
  outcome: z.enum(OUTCOMES),
  refunded: z.boolean().describe("the platform says that the payment was refunded in full"),
  disputes: z
    .array(z.object({ kind: z.enum(DISPUTE_KINDS), status: z.enum(DISPUTE_STATUSES), at: z.iso.datetime() }))
    .readonly(),
  sameBuyer: z
    .boolean()
    .describe("false: it shares only an address or a network, which other people may share"),
  links: z
    .array(z.enum(BUYER_LINKS))
    .readonly()
    .describe("what it shares with the order that was asked for; empty for that one"),
  contents: contentsJson.nullable().describe("null if it was erased"),
});

const BUYER_ROUTES = {
  "GET /orders/:orderId/buyer": {
    id: "showBuyer",
    summary:
      "Show a buyer's orders, oldest first: those with the same account, mailbox, card or phone, and those that share an address or a network.",
    role: "viewer",
    answers: {
      200: z.object({
        orders: z.array(buyerOrderJson),
        cut: z.boolean().describe(`only the newest ${MOST_OF_BUYER} are listed beside the order`),
      }),
    },
  },
} satisfies RouteDefinitions;

export function createBuyerRoutes(parts: Pick<ServerParts, "store" | "now">) {
  return handleRoutes(BUYER_ROUTES, {
    async "GET /orders/:orderId/buyer"({ session, params, answer }) {
      const { store } = parts;
      const key = { tenant: session.tenant, orderId: params.orderId };
      const found = await store.orders.listOfBuyer(key);
      if (found === null) throw new ProblemError(UNKNOWN_ORDER);
      if (found.orders.some(({ order }) => order.mapped !== null || order.result !== null))
        await noteAccess(parts, session, "buyer", key.orderId);
      const ids = found.orders.map(({ order }) => order.orderId);
      const traces = await store.outcomes.loadTraces(key.tenant, ids);
      const orders = found.orders.map((one) => toBuyerOrderJson(one, traces.get(one.order.orderId)));
      answer(200, { orders, cut: found.isCut });
    },
  });
}

/** Relatives, colleagues and neighbors share these. */
const SHARED: ReadonlySet<string> = new Set(["address", "network"]);

function toBuyerOrderJson(
  { order, links }: BuyerOrder,
  trace: OrderTrace | undefined,
): z.infer<typeof buyerOrderJson> {
  const { decision, receivedAtMs } = order;
  return pick(buyerOrderJson, {
    ...order,
    receivedAt: new Date(receivedAtMs).toISOString(),
    riskLevel: decision?.riskLevel ?? null,
    action: decision?.action ?? null,
    outcome: decision === null ? "open" : toOutcome({ ...order, decision }, trace),
    refunded: trace?.events.some(({ kind }) => kind === "refunded") === true,
    disputes: (trace?.disputes ?? []).map(({ kind, status, initiatedAtMs }) => {
      return { kind, status, at: new Date(initiatedAtMs).toISOString() };
    }),
    sameBuyer: links.length === 0 || links.some((link) => !SHARED.has(link)),
    links,
    contents: toContentsJson(order.mapped),
  });
}

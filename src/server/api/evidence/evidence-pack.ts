import { z } from "zod";
import { toIso } from "../../../base/iso-time.ts";
import { DISPUTE_KINDS, DISPUTE_STATUSES } from "../../../platform/platform.ts";
import type { Shipping } from "../../../platform/evidence.ts";
import { readPlacedAtMs } from "../../../platform/mapped-order.ts";
import type { KeptOrder } from "../../../store/outcomes/kept-orders.ts";
import type { KeptDispute } from "../../../store/outcomes/disputes.ts";
import type { LinkedOrder } from "../../../store/orders/linked-orders.ts";
import type { OrderRecord, TimelineEntry } from "../../../store/store.ts";
import { contentsJson, toContentsJson } from "../orders/order-contents.ts";
import { decisionStatements } from "./decision-statements.ts";
import { deliveryStatements } from "./delivery-statements.ts";
import { earlierOrdersJson, type EarlierOrders, earlierStatements } from "./earlier-orders.ts";
import { matchStatements } from "./match-statements.ts";
import { statementJson, type Statement } from "./statement.ts";

/** What a bank usually asks for and Holdfast doesn't have. */
const MISSING = [
  "content-erased",
  "not-checked",
  "delivery-unreadable",
  "not-sent",
  "no-tracking",
  "not-delivered",
  "communication",
  "device",
  "earlier-orders",
  "policies",
] as const;
type Missing = (typeof MISSING)[number];

export const evidencePackJson = z.object({
  madeAt: z.iso.datetime(),
  order: z.object({
    orderId: z.string(),
    name: z.string(),
    receivedAt: z.iso.datetime(),
    placedAt: z.iso.datetime().nullable().describe("when the buyer placed it; null if the order doesn't say"),
    amount: z.number().nullable(),
    currency: z.string().nullable(),
  }),
  dispute: z.object({
    disputeId: z.string(),
    kind: z.enum(DISPUTE_KINDS),
    status: z.enum(DISPUTE_STATUSES),
    reason: z.string(),
    networkCode: z.string().nullable().describe("the card network's own code, such as 10.4"),
    raisedAt: z.iso.datetime(),
    evidenceDueBy: z.iso.datetime().nullable(),
    evidenceSentOn: z.iso.datetime().nullable(),
  }),
  contents: contentsJson.nullable().describe("buyer, goods, addresses and card; null once erased"),
  kept: z
    .object({
      items: z.array(z.string()).readonly(),
      ip: z.string().optional(),
      email: z.string().optional(),
      address: z.string().optional().describe("the shipping address, in one line"),
      brand: z.string().optional(),
    })
    .nullable()
    .describe("what the shop keeps of the order for disputes; null if it keeps nothing of it"),
  statements: z
    .array(statementJson)
    .readonly()
    .describe("for the bank, in English; each says where it comes from"),
  earlier: earlierOrdersJson,
  missing: z
    .array(z.object({ what: z.enum(MISSING), where: z.string().describe("where the merchant finds it") }))
    .readonly(),
});
export type EvidencePack = z.infer<typeof evidencePackJson>;

/** All that a pack is made of. */
export interface EvidenceFacts {
  readonly order: OrderRecord;
  readonly dispute: KeptDispute;
  readonly timeline: readonly TimelineEntry[];
  /** Other orders that share something with this one. */
  readonly linked: readonly LinkedOrder[];
  /** Null: the platform couldn't say. */
  readonly shipping: Shipping | null;
  /** What the shop keeps of this order for disputes. */
  readonly kept: KeptOrder | undefined;
  readonly earlier: EarlierOrders;
  readonly nowMs: number;
}

/** The facts about a disputed order, for its bank. Pure. Says only what is stored or what the platform says now. */
export function toEvidencePack(facts: EvidenceFacts): EvidencePack {
  const { order, dispute, nowMs, earlier, kept } = facts;
  const contents = toContentsJson(order.mapped);
  return {
    madeAt: toIso(nowMs),
    order: {
      orderId: order.orderId,
      name: order.name,
      receivedAt: toIso(order.receivedAtMs),
      placedAt: toIso((order.mapped && readPlacedAtMs(order.mapped)) ?? kept?.placedAtMs ?? null),
      amount: order.amount,
      currency: order.currency,
    },
    dispute: toDisputeJson(dispute),
    contents,
    kept: kept === undefined ? null : toKeptJson(kept),
    statements: [
      ...decisionStatements(order, facts.timeline),
      ...(contents === null ? keptStatements(kept) : matchStatements(contents, facts.linked)),
      ...deliveryStatements(facts.shipping),
      ...earlierStatements(earlier),
    ],
    earlier,
    missing: listMissing(facts).map((what) => ({ what, where: WHERE[what] })),
  };
}

function toKeptJson({ content: { items, ip, email, address, brand } }: KeptOrder): EvidencePack["kept"] {
  return { items, ip, email, address, brand };
}

/** What can still be said of an order whose content was erased. */
function keptStatements(kept: KeptOrder | undefined): readonly Statement[] {
  if (kept === undefined) return [];
  const { ip, address, items } = kept.content;
  const base = { section: "match", source: "platform", at: null } as const;
  return [
    ...(items.length === 0 ? [] : [{ ...base, text: `The buyer ordered: ${items.join(", ")}.` }]),
    ...(ip === undefined ? [] : [{ ...base, text: `The order was placed from the IP address ${ip}.` }]),
    ...(address === undefined ? [] : [{ ...base, text: `The shipping address: ${address}.` }]),
  ];
}

function toDisputeJson(dispute: KeptDispute): EvidencePack["dispute"] {
  const { disputeId, kind, status, reason, networkCode = null } = dispute;
  return {
    disputeId,
    kind,
    status,
    reason,
    networkCode,
    raisedAt: toIso(dispute.initiatedAtMs),
    evidenceDueBy: toIso(dispute.evidenceDueAtMs ?? null),
    evidenceSentOn: toIso(dispute.evidenceSentAtMs ?? null),
  };
}

const WHERE: Readonly<Record<Missing, string>> = {
  "content-erased":
    "Holdfast has erased this order's content after its keeping time. Open the order in the shop for the buyer's name, addresses and goods.",
  "not-checked": "Nobody checked this order for fraud before it shipped.",
  "delivery-unreadable":
    "The shop couldn't be asked how the order was sent. Try again, or open the order in the shop and look at its fulfillments.",
  "not-sent":
    "The shop shows no fulfillment. If you delivered a service or a download, add its access or download log.",
  "no-tracking":
    "The shop has no tracking number. Ask the carrier, or look at the shipping label in the shop.",
  "not-delivered":
    "The shop has no date of delivery. Look the tracking number up on the carrier's page and save the proof of delivery with its signature, if there is one.",
  communication:
    "Shops don't share messages with apps. Copy messages with the buyer from your mailbox, your help desk or the order's timeline in the shop.",
  device:
    "The shop doesn't share a device ID with apps. Your payment provider may have one: ask it, if the card network's rule needs a device.",
  "earlier-orders":
    "No two earlier orders of the buyer fit the card network's rule. The settings say whether Holdfast keeps what it needs for that.",
  policies:
    "Add your refund and shipping policies as the buyer saw them at the checkout: copy them from the shop's settings.",
};

function listMissing({ order, shipping, earlier }: EvidenceFacts): readonly Missing[] {
  const found: Missing[] = [];
  if (order.mapped === null) found.push("content-erased");
  if (order.decision === null || (order.decision.riskLevel === null && order.decision.source !== "person"))
    found.push("not-checked");
  found.push(...listMissingDelivery(shipping), "communication", "device");
  if (earlier.applies !== "no" && earlier.orders.length < 2) found.push("earlier-orders");
  return [...found, "policies"];
}

function listMissingDelivery(shipping: Shipping | null): readonly Missing[] {
  if (shipping === null) return ["delivery-unreadable"];
  const { shipments } = shipping;
  if (shipments.length === 0) return ["not-sent"];
  const hasTracking = shipments.every(({ trackingNumbers }) => trackingNumbers.length > 0);
  const isDelivered = shipments.every(({ deliveredAtMs }) => deliveredAtMs !== null);
  return [
    ...(hasTracking ? [] : ["no-tracking" as const]),
    ...(isDelivered ? [] : ["not-delivered" as const]),
  ];
}

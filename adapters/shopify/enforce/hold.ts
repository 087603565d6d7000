import type { StepOutcome } from "../../../src/index.ts";
import {
  canHold,
  findOwnHold,
  HOLD_HANDLE,
  readFulfillmentOrders,
  type FulfillmentOrder,
} from "./fulfillment-orders.ts";
import { HOLD_FULFILLMENT_ORDER } from "../admin/operations.ts";
import {
  CANCELED_BEFORE,
  ORDER_NOT_FOUND,
  SHIPPED_BEFORE,
  requirePayload,
  waitAgain,
  type Step,
  type StepContext,
  type UserError,
} from "./step.ts";

interface HoldAnswer {
  readonly fulfillmentOrderHold: { readonly userErrors: readonly UserError[] } | null;
}

/** Shopify routes an order seconds to minutes after it was created. Shopify recommends to wait five minutes. */
const PAUSES_MS = [5_000, 15_000, 45_000, 120_000, 300_000, 600_000];

/** Replaced by other fulfillment orders. Nothing of the order is left in it. */
const GONE = "CANCELLED";
/** Shipped, or already with the carrier or fulfillment service. */
const TOO_LATE: ReadonlySet<string> = new Set(["CLOSED", "IN_PROGRESS", "INCOMPLETE"]);

/** Keep an order from shipping: place one hold on each of its fulfillment orders that can be held. */
export const hold: Step = async (context) => {
  const found = await readFulfillmentOrders(context.ask, context.orderGid);
  if (found === null) return ORDER_NOT_FOUND;
  if (found.cancelled) return CANCELED_BEFORE;
  const entries = found.nodes.filter((entry) => entry.status !== GONE);
  if (entries.length === 0) return waitFor(context, "not-routed-yet");
  const held = entries.filter((entry) => findOwnHold(entry) !== undefined);
  const holdable = entries.filter((entry) => !held.includes(entry) && canHold(entry));
  const codes: string[] = [];
  for (const entry of holdable) codes.push(...(await holdOne(context, entry)));
  const count = held.length + holdable.length - codes.length;
  const gone = entries.filter((entry) => !held.includes(entry) && TOO_LATE.has(entry.status)).length;
  // An open fulfillment order would ship. The order counts as held only when every one that can be held is held.
  if (count > 0 && count + gone < entries.length) return waitFor(context, "partly-held");
  if (count > 0)
    return { outcome: "done", detail: `${count} of ${entries.length} fulfillment orders on hold` };
  if (codes.length > 0) return explainRefusal(context, codes);
  // Nothing can be held now. What hasn't shipped may become holdable later, for example after Shopify's own checks.
  const open = entries.some((entry) => !TOO_LATE.has(entry.status));
  return open ? waitFor(context, "not-holdable-yet") : SHIPPED_BEFORE;
};

/** Hold one fulfillment order; resolves to the code of the refusal, if it was refused. */
async function holdOne(context: StepContext, entry: FulfillmentOrder): Promise<readonly string[]> {
  const { data } = await context.ask<HoldAnswer>(HOLD_FULFILLMENT_ORDER, {
    id: entry.id,
    hold: {
      reason: "HIGH_RISK_OF_FRAUD",
      reasonNotes: toNotes(context),
      notifyMerchant: false,
      handle: HOLD_HANDLE,
    },
  });
  const { userErrors } = requirePayload(data.fulfillmentOrderHold);
  const codes = userErrors.map((error) => error.code ?? "UNKNOWN");
  // Our hold exists: an earlier attempt placed it but didn't get the response.
  return codes.length === 0 || codes.includes("DUPLICATE_FULFILLMENT_HOLD_HANDLE") ? [] : codes.slice(0, 1);
}

function explainRefusal(context: StepContext, codes: readonly string[]): StepOutcome {
  // It was split, merged, or moved after it was listed. The next list has its successors.
  if (codes.every((code) => code === "FULFILLMENT_ORDER_NOT_FOUND"))
    return waitFor(context, "routing-changed");
  return { outcome: "impossible", reason: `refused-${[...new Set(codes)].join(",")}` };
}

function waitFor(context: StepContext, reason: string): StepOutcome {
  return waitAgain(context, { pausesMs: PAUSES_MS, reason, giveUp: reason });
}

function toNotes({ target: { decision } }: StepContext): string {
  const level = decision.riskLevel === null ? "" : `: risk level ${decision.riskLevel}`;
  return `Held by Holdfast${level}. Release the hold once the order is verified.`;
}

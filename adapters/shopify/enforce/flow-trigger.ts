import { cutText, type EnforcementTarget } from "../../../src/adapter-kit.ts";
import type { ShopifyOptions } from "../base/options.ts";
import type { AdminClient } from "../admin/admin-client.ts";
import { toShop } from "../base/shop-domain.ts";
import { toAppUrl } from "../page/page.ts";
import { askShop, mutate } from "../admin/ask.ts";
import type { StepContext } from "./step.ts";

/** Handle of the trigger in `extensions/flow-trigger/shopify.extension.toml`, by which Shopify identifies it. */
export const FLOW_TRIGGER_HANDLE = "holdfast-decided";

interface FlowTriggerOptions extends Pick<ShopifyOptions, "apiKey" | "logger"> {
  readonly client: AdminClient;
  /** How long enforcement waits for the call, in milliseconds. Default 5000. */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 5_000;
/** Shopify accepts payloads up to 50,000 bytes, but nobody reads more text than this in a workflow. */
const REASONS_MAX = 5;
const REASON_LENGTH_MAX = 256;

/**
 * Create the function that starts a merchant's workflows for Holdfast's decisions. It never fails and doesn't delay
 * enforcement for long. A workflow that didn't start is logged and not retried, because running twice could do harm.
 */
export function createFlowTrigger(options: FlowTriggerOptions): (context: StepContext) => Promise<void> {
  const { apiKey, client, logger, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return async ({ target, signal }) => {
    const { tenant, orderId } = target;
    const payload = toFlowPayload(apiKey, target);
    if (payload === null) return;
    const limit = AbortSignal.timeout(timeoutMs);
    const ask = askShop(client, tenant, signal === undefined ? limit : AbortSignal.any([signal, limit]));
    try {
      const { userErrors } = await mutate(ask, "FireFlowTrigger", { handle: FLOW_TRIGGER_HANDLE, payload });
      if (userErrors.length === 0) return;
      logger?.warn(
        { tenant, orderId },
        "Shopify Flow rejected the trigger. Check that the flow-trigger extension is deployed",
      );
    } catch (error) {
      logger?.warn({ err: error, tenant, orderId }, "couldn't send a decision to Shopify Flow");
    }
  };
}

/** What a workflow receives about a decision; null when the order has no risk level. */
export function toFlowPayload(apiKey: string, target: EnforcementTarget) {
  const { tenant, orderId, decision, result } = target;
  if (result === null || decision.guess !== undefined) return null;
  const id = Number(orderId);
  const reasons = result.riskFactors
    .slice(0, REASONS_MAX)
    .map(({ factor }) => cutText(factor, REASON_LENGTH_MAX));
  return {
    // Shopify's reference documents numbers. IDs past 2^53 would turn into other orders' IDs.
    order_id: Number.isSafeInteger(id) ? id : orderId,
    "Risk level": result.riskLevel,
    "Risk score": result.riskScore,
    Action: decision.action,
    Reasons: reasons.filter((reason) => reason !== "").join("; "),
    "Details URL": toAppUrl(toShop(tenant), apiKey, `/orders/${orderId}`),
  };
}

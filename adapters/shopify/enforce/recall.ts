import { CANCEL_FULFILLMENT_ORDER, REQUEST_CANCELLATION } from "../admin/fulfillment-operations.ts";
import { supports, type FulfillmentOrder } from "./fulfillment-orders.ts";
import { requirePayload, type StepContext } from "./step.ts";

interface CancelAnswer {
  readonly fulfillmentOrderCancel: { readonly userErrors: readonly unknown[] } | null;
}

interface RequestAnswer {
  readonly fulfillmentOrderSubmitCancellationRequest: { readonly userErrors: readonly unknown[] } | null;
}

/** Where a fulfillment order is that can't be held because a fulfillment service has it. */
export type ServiceState = "submitted" | "accepted" | "recalling" | "refused";

const SERVICE_STATES: ReadonlyMap<string, ServiceState> = new Map<string, ServiceState>([
  ["SUBMITTED", "submitted"],
  ["ACCEPTED", "accepted"],
  ["CANCELLATION_REQUESTED", "recalling"],
  ["CANCELLATION_REJECTED", "refused"],
]);

const MESSAGE = "Please don't ship this order. The merchant is reviewing it.";

/** How a fulfillment service stands to a fulfillment order; undefined when it has nothing to do with it any more. */
export function toServiceState({ status, requestStatus }: FulfillmentOrder): ServiceState | undefined {
  return status === "CLOSED" || status === "INCOMPLETE" ? undefined : SERVICE_STATES.get(requestStatus);
}

/** Whether there is something to do to get a fulfillment order back. A service that refused is not asked again. */
export function canRecall(entry: FulfillmentOrder): boolean {
  const state = toServiceState(entry);
  if (state === "submitted" && supports(entry, "CANCEL_FULFILLMENT_ORDER")) return true;
  return (state === "submitted" || state === "accepted") && supports(entry, "REQUEST_CANCELLATION");
}

/**
 * Get a fulfillment order back from its fulfillment service. `returned`: at once, because the service hadn't accepted it.
 * `asked`: the service has to answer. `changed`: Shopify didn't take it; the next list shows why.
 */
export async function recall(
  { ask }: StepContext,
  entry: FulfillmentOrder,
): Promise<"returned" | "asked" | "changed"> {
  const { id } = entry;
  if (toServiceState(entry) === "submitted" && supports(entry, "CANCEL_FULFILLMENT_ORDER")) {
    const { data } = await ask<CancelAnswer>(CANCEL_FULFILLMENT_ORDER, { id });
    return requirePayload(data.fulfillmentOrderCancel).userErrors.length === 0 ? "returned" : "changed";
  }
  const { data } = await ask<RequestAnswer>(REQUEST_CANCELLATION, { id, message: MESSAGE });
  const { userErrors } = requirePayload(data.fulfillmentOrderSubmitCancellationRequest);
  return userErrors.length === 0 ? "asked" : "changed";
}

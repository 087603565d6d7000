import type { HoldRelease } from "../../platform/enforcement-step.ts";
import type { RememberedOrder } from "../../platform/platform.ts";
import type { OrderRecord, StepRecord, Store } from "../../store/store.ts";
import { toRelease } from "../order-life/hold-deadline.ts";
import { findStep } from "../order-life/step-plan.ts";
import type { OrderTask } from "../tasks.ts";

/** What the platform's adapter may ask about an order that the platform no longer shows. */
export function toRemembered(
  store: Pick<Store, "orders">,
  order: Pick<OrderRecord, "tenant" | "orderId" | "receivedAtMs">,
): RememberedOrder {
  return {
    receivedAtMs: order.receivedAtMs,
    async goods() {
      const [steps, timeline] = await Promise.all([
        store.orders.listSteps(order),
        store.orders.listTimeline(order),
      ]);
      const references = timeline.flatMap(({ event }) =>
        event.kind === "ready" && event.reference !== undefined ? [event.reference] : [],
      );
      return { holdMemory: findStep(steps, "hold")?.memory ?? {}, references };
    },
  };
}

/** Our hold, as it was last seen. */
interface SeenHold extends Pick<StepRecord, "memory"> {
  /** When it was last known to be there. Absent: it's known to be gone. */
  readonly heldAtMs?: number | undefined;
}

/** Look at an order on the platform, and at our hold on it. */
export function observeOrder(
  { store, platform, signal }: Pick<OrderTask, "store" | "platform" | "signal">,
  order: Pick<OrderRecord, "tenant" | "orderId" | "receivedAtMs">,
  { memory: holdMemory, heldAtMs }: SeenHold,
) {
  const known = { holdMemory, ...(heldAtMs === undefined ? {} : { heldAtMs }) };
  const asked = { signal, ...known, remembered: toRemembered(store, order) };
  return platform.observe(order.tenant, order.orderId, asked);
}

/** Who released our hold on the platform; null if it's still there, or the order can't be canceled any more. */
export async function findRelease(
  task: Pick<OrderTask, "store" | "platform" | "signal">,
  order: OrderRecord,
  { memory, atMs: heldAtMs }: StepRecord,
): Promise<HoldRelease | null> {
  const observed = await observeOrder(task, order, { memory, heldAtMs });
  if (observed === null || observed === "hidden") return null;
  return observed.cancelled || observed.fulfilled ? null : toRelease(observed);
}

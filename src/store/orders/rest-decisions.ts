import { writeWork, type StoreContext } from "../context.ts";
import { holdOrder, isBusy, takeEffect, type OrderSituation } from "./held-order.ts";
import type { OrderKey, OrderTransition } from "./order-record.ts";

/** Judges an order that rests: what another decision about it writes; null for nothing. Pure: it may be called again. */
type RestJudge = (standing: OrderSituation) => Pick<OrderTransition, "changes" | "entries"> | null;

/** How the store replaces the decision of an order that nobody works on. */
export function createRestDecisions(context: StoreContext) {
  return {
    /**
     * Let another decision take the place of the order's, in one transaction with what the order is like at that moment.
     * `busy`, changing nothing: a worker has it, or a person's word waits to be taken up.
     */
    decideAtRest: (key: OrderKey, nowMs: number, judge: RestJudge) =>
      writeWork(
        context.engine,
        async (db): Promise<"decided" | "unchanged" | "busy" | "unknown"> => {
          const found = await holdOrder(context, db, key, nowMs);
          if (found === undefined) return "unknown";
          const { held, standing } = found;
          if (isBusy(held) || held.verdict !== null) return "busy";
          const transition = judge(standing);
          if (transition === null) return "unchanged";
          await takeEffect(context, db, standing.order, transition);
          return "decided";
        },
        (decided) => decided === "decided",
      ),
  };
}

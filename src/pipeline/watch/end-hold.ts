import { raiseAlert } from "../../base/alerts.ts";
import type { OrderState, TimelineEntry } from "../../store/store.ts";
import { toProblemChanges, type OrderProblem } from "../../store/orders/timeline.ts";
import type { HoldEnd } from "../order-life/hold-look.ts";
import type { Handler } from "../tasks.ts";
import { toReleaseEntry, toTimelineEntry } from "../timeline.ts";

/** A held order's end. Nothing is left to watch. */
interface End {
  readonly state: Extract<OrderState, "settled" | "failed">;
  readonly entry: TimelineEntry;
  readonly problems?: readonly OrderProblem[];
}

/** The hold is gone, or its order has ended on the platform: the order comes to rest. */
export const endHold: Handler<"end-hold"> = (task, situation, { finding }) => {
  const { order } = situation;
  const { tenant, orderId } = order;
  // Before it is saved: nobody looks at the order again after that.
  if (finding.kind === "lost") {
    raiseAlert(
      task.logger,
      "order_failed",
      { problem: "order-not-found", tenant, orderId },
      "the platform no longer has an order that was held",
    );
  }
  if (finding.kind === "ended" && finding.ended === "shipped") {
    raiseAlert(task.logger, "held_order_fulfilled", { tenant, orderId }, "an order shipped despite its hold");
  }
  const { state, entry, problems = [] } = toEnd(finding, task.now());
  const settledAtMs = order.settledAtMs ?? task.now();
  const changes = { state, ...toProblemChanges(problems), dueAtMs: null, attempts: 0, settledAtMs };
  return task.end(situation, { changes: { ...changes, holdDeadlineMs: null }, entries: [entry] });
};

const LOST = [{ code: "order-not-found" }];

function toEnd(finding: HoldEnd, nowMs: number): End {
  switch (finding.kind) {
    case "lost": {
      const event = { kind: "failed", problems: LOST } as const;
      const entry = toTimelineEntry(nowMs, event, "the platform no longer has the order");
      return { state: "failed", entry, problems: LOST };
    }
    case "overridden":
      return { state: "settled", entry: toReleaseEntry(nowMs, finding.release) };
    case "released-by-us": {
      const entry = toTimelineEntry(nowMs, { kind: "hold-released" }, "released at its deadline");
      return { state: "settled", entry };
    }
    case "ended": {
      const { ended } = finding;
      const event = { kind: "settled", problems: [], ended } as const;
      const detail = ended === "shipped" ? "fulfilled" : "cancelled-on-platform";
      return { state: "settled", entry: toTimelineEntry(nowMs, event, detail) };
    }
  }
}

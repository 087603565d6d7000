import type { Logger } from "../base/logger.ts";
import type { PartialVerificationRequest } from "../order/request.ts";
import {
  toScreenedCheck,
  type CheckRules,
  type DecisionEvent,
  type DecisionListener,
} from "./order-check.ts";
import type { Screened } from "./screening-task.ts";

/** The listeners for decisions. If one throws or rejects, the error is logged. */
export function createDecisionListeners(logger: Logger, first: DecisionListener | undefined) {
  const listeners = new Set<DecisionListener>(first === undefined ? [] : [first]);

  async function tell(listener: DecisionListener, event: DecisionEvent): Promise<void> {
    try {
      await listener(event);
    } catch (error) {
      logger.error({ err: error }, "a decision listener failed");
    }
  }

  function announce(event: DecisionEvent): void {
    // Don't wait for listeners, but catch rejections: an unhandled one would end the host's process.
    for (const listener of listeners) void tell(listener, event);
  }

  return {
    /** Add a listener; returns a function that removes it. */
    add(listener: DecisionListener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    announce,
    /** Announce the late result of a pending check. */
    announceLate(request: PartialVerificationRequest, late: Promise<Screened>, rules: CheckRules): void {
      late
        .then((ended) => {
          const check = toScreenedCheck(request, ended, rules);
          announce({ orderId: request.orderId, check, late: true });
        })
        .catch((error: unknown) => logger.error({ err: error }, "a late result couldn't be announced"));
    },
  };
}

import { toConfigError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { DecisionEvent, DecisionListener, OrderCheck } from "./order-check.ts";

/** The listeners for decisions. If one throws or rejects, the error is logged. */
export function createDecisionListeners(logger: Logger, first: DecisionListener | undefined) {
  const listeners = new Set<DecisionListener>(first === undefined ? [] : [first]);

  async function call(listener: DecisionListener, event: DecisionEvent): Promise<void> {
    try {
      await listener(event);
    } catch (error) {
      logger.error({ err: error }, "a decision listener failed");
    }
  }

  function announce(event: DecisionEvent): void {
    // Don't wait for listeners, but catch rejections: an unhandled one would end the host's process.
    for (const listener of listeners) void call(listener, event);
  }

  return {
    /** Add a listener; returns a function that removes it. Another event would never come. */
    on(event: string, listener: DecisionListener) {
      if (event !== "decision" || typeof listener !== "function") {
        throw toConfigError('on: expected "decision", the only event, and a function');
      }
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    announce,
    /** Announce the late result of a pending check. */
    announceLate(orderId: string | undefined, late: Promise<OrderCheck>): void {
      late
        .then((check) => announce({ orderId, check, late: true }))
        .catch((error: unknown) => logger.error({ err: error }, "a late result couldn't be announced"));
    },
  };
}

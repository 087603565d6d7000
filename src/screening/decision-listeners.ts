import type { Logger } from "../base/logger.ts";
import type { DecisionEvent, DecisionListener } from "./order-check.ts";

/** Who wants to hear of decisions. */
export interface DecisionListeners {
  /** Add a listener; returns a function that removes it. */
  add(listener: DecisionListener): () => void;
  /** Tell every listener. Never throws: what a listener throws, or its promise rejects with, is logged. */
  announce(event: DecisionEvent): void;
}

/** Create {@link DecisionListeners}, nobody listening yet. */
export function createDecisionListeners(logger: Logger): DecisionListeners {
  const listeners = new Set<DecisionListener>();

  async function tell(listener: DecisionListener, event: DecisionEvent): Promise<void> {
    try {
      await listener(event);
    } catch (error) {
      logger.error({ err: error }, "a decision listener failed");
    }
  }

  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce(event) {
      // Nobody waits for a listener, but a rejection that nobody sees would end the host's process.
      for (const listener of listeners) void tell(listener, event);
    },
  };
}

import type { Logger } from "../logger.ts";
import type { DecisionEvent } from "./order-check.ts";

type Listener = (event: DecisionEvent) => void;

/** Who wants to hear of decisions. */
export interface DecisionListeners {
  /** Add a listener; returns a function that removes it. */
  add(listener: Listener): () => void;
  /** Tell every listener. Never throws: what a listener throws is logged. */
  announce(event: DecisionEvent): void;
}

/** Create {@link DecisionListeners}, nobody listening yet. */
export function createDecisionListeners(logger: Logger): DecisionListeners {
  const listeners = new Set<Listener>();

  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          logger.error({ err: error }, "a decision listener failed");
        }
      }
    },
  };
}

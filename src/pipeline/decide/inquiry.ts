import type { Handler } from "../tasks.ts";
import { keepDecision } from "./keep-decision.ts";

/**
 * A dispute's webhook holds an order at rest at once. This is for orders that were being worked on, or weren't decided yet, when the
 * webhook came.
 */
export const holdForInquiry: Handler<"hold-for-inquiry"> = (task, situation, { held }) =>
  keepDecision(task, situation, held);

import type { AlertMessage } from "../../src/alerts/alert-message.ts";
import type { AlertChannel, Delivery } from "../../src/alerts/outbox.ts";

/** How the try with this number ends, starting at 1. */
export type RecordedAnswer = (tries: number, signal: AbortSignal) => Delivery | Promise<Delivery>;

/** A channel that records what it is given. `answer` decides how each try ends. */
export function createRecordingChannel(answer: RecordedAnswer = () => SENT) {
  const tried: AlertMessage[] = [];
  let closed = false;
  const channel: AlertChannel = {
    name: "webhook",
    async send(message, signal) {
      tried.push(message);
      return answer(tried.length, signal);
    },
    async close() {
      closed = true;
    },
  };
  return { channel, tried, isClosed: () => closed };
}

export const SENT: Delivery = { outcome: "sent", refused: 0 };
export const UNREACHABLE: Delivery = { outcome: "failed", retryable: true, problem: "ECONNREFUSED" };
export const REFUSED: Delivery = { outcome: "failed", retryable: false, problem: "status:404" };

import { toLinkMessage } from "../../buyer-check/link-message.ts";
import { toLinkToken, toLinkUrl } from "../../buyer-check/link.ts";
import type { Delivery } from "../../alerts/outbox.ts";
import { isOffered, type BuyerCheck, type BuyerCheckChanges } from "../../store/buyer-checks/buyer-check.ts";
import { findUnsent } from "../order-life/buyer-check.ts";
import type { Situation } from "../order-life/situation.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { beginMethods } from "./begin-methods.ts";

/** Pauses before the next attempts. After the last, a reviewer can still copy the link. */
const RETRY_DELAYS_MS = [60_000, 10 * 60_000, 3_600_000, 6 * 3_600_000] as const;

/**
 * Start what the methods need, and send the link. It's the same link and the same message in every attempt, so if a process dies
 * after the mail server took it, the buyer gets one message twice at most, and no second link.
 */
export const sendBuyerLink: Handler<"send-buyer-link"> = async (task, situation, { check }) => {
  const { store } = task;
  if (!(await isStillWanted(task, situation))) return leave(task, situation);
  const begun = await beginMethods(task, situation, check);
  await store.buyerChecks.update(check, begun);
  // Beginning may have taken long.
  if (isOffered(begun.methods) && !(await isStillWanted(task, situation))) return leave(task, situation);
  const ready = { ...check, ...begun };
  await store.buyerChecks.update(check, await send(task, situation, ready));
  return task.lookAround(situation);
};

/** Whether the link is still to be sent: nobody decided, changed the order, disputes its payment, or closed the link meanwhile. */
async function isStillWanted(task: OrderTask, situation: Situation): Promise<boolean> {
  const order = await task.store.orders.get(situation.order);
  const around = await task.lookAround(situation);
  return order !== null && findUnsent({ ...around, order }, task.now()) !== undefined;
}

/** Give the order back, so that it's looked at as it is now. */
function leave({ end, now }: OrderTask, situation: Situation): Promise<null> {
  return end(situation, { changes: { dueAtMs: now(), attempts: situation.order.attempts + 1 } });
}

async function send(
  task: OrderTask,
  { order, policy }: Situation,
  check: BuyerCheck,
): Promise<BuyerCheckChanges> {
  const { store, buyers, signal, now, logger } = task;
  const { recipient, route } = check;
  const { publicUrl } = buyers.sender;
  if (!isOffered(check.methods)) return { sendAtMs: null, route: "none" };
  if (route === "reviewer" || recipient === null || publicUrl === undefined)
    return { sendAtMs: null, route: "reviewer" };
  const url = toLinkUrl(publicUrl, toLinkToken(store.keyring, check));
  const message = toLinkMessage({ check, recipient, order, policy, url });
  const sent = await buyers.sender.send(route, message, signal);
  signal.throwIfAborted();
  if (sent.outcome === "sent" && sent.refused === 0)
    return { sendAtMs: null, sentAtMs: now(), sends: check.sends + 1, problem: null };
  const { problem } = sent.outcome === "sent" ? { problem: "refused" } : sent;
  logger.warn({ problem, route, orderId: order.orderId }, "a link to a buyer couldn't be sent");
  return { sendAtMs: toResendMs(sent, check.sends, now()), sends: check.sends + 1, problem };
}

function toResendMs(sent: Delivery, sends: number, nowMs: number): number | null {
  const delayMs = RETRY_DELAYS_MS[sends];
  if (sent.outcome === "sent" || !sent.retryable || delayMs === undefined) return null;
  return nowMs + Math.max(delayMs, sent.retryAfterMs ?? 0);
}

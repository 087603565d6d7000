import { toQuestion, type Question } from "../../buyer-check/buyer-asking.ts";
import { listOffered } from "../../buyer-check/link-message.ts";
import type { LinkSender } from "../../buyer-check/link-sender.ts";
import { BUYER_CHECK_METHODS } from "../../order/buyer-check.ts";
import {
  isOffered,
  type BuyerCheck,
  type BuyerCheckChanges,
  type OfferedMethods,
} from "../../store/buyer-checks/buyer-check.ts";
import { findRetry } from "../order-life/buyer-check.ts";
import type { Handler } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";
import { beginMethods, toRetryMs } from "./begin-methods.ts";

/**
 * Try methods again that weren't possible for now. What becomes possible is added to the same question and its link, which is sent
 * now if nothing was possible before. A process that dies in between tries them once more, with the same ID.
 */
export const retryMethods: Handler<"retry-buyer-methods"> = async (task, situation, { check }) => {
  const { store, buyers, platform, signal, now, end } = task;
  const { order, policy } = situation;
  const question = await toQuestion(buyers, { order, policy, platform, signal, nowMs: now() });
  const added = toAdded(check, question);
  const begun = await beginMethods(task, situation, { ...check, ...added, retryAtMs: null });
  // That may have taken long: the order may have changed, or somebody answered.
  const latest = (await store.orders.get(order)) ?? order;
  const around = await task.lookAround(situation);
  if (findRetry({ ...around, order: latest }, now()) === undefined)
    return end(situation, { changes: { dueAtMs: now(), attempts: order.attempts + 1 } });
  const retries = check.retries + 1;
  const changes: BuyerCheckChanges = {
    ...begun,
    ...(isOffered(begun.methods) && !isOffered(check.methods)
      ? toFirstLink(added, buyers.sender, now())
      : {}),
    retries,
    retryAtMs: toRetryMs(begun.methods, { ...check, retries }, now()),
  };
  const offered = listOffered(begun);
  const isNew = offered.length > listOffered(check).length;
  const event = { kind: "buyer-asked", methods: offered } as const;
  const entry = isNew ? toTimelineEntry(now(), event, offered.join(", ")) : undefined;
  await store.buyerChecks.update(check, changes, entry);
  if (isNew && !isOffered(check.methods)) task.metrics.buyer("asked");
  return task.lookAround(situation);
};

function toFirstLink(
  { recipient, isStrong }: Question,
  sender: LinkSender,
  nowMs: number,
): BuyerCheckChanges {
  const route = recipient === null ? "reviewer" : sender.routeTo(recipient);
  return { recipient, isStrong, route, sendAtMs: nowMs };
}

/** The question with what is possible now. If its link already works, it stays where it went, and proves nothing anywhere else. */
function toAdded(check: BuyerCheck, { methods, recipient, isStrong }: Question): Question {
  const isElsewhere = isOffered(check.methods) && recipient?.address !== check.recipient?.address;
  if (isElsewhere) return check;
  const all = BUYER_CHECK_METHODS.map((name) => {
    const before = check.methods[name];
    return [name, before === "try-again-later" ? methods[name] : before] as const;
  });
  return { methods: Object.fromEntries(all) as OfferedMethods, recipient, isStrong };
}

import type { Decided } from "../../data/api/api-types.ts";
import { showToast } from "../../data/api/messages.ts";
import { formatPlural } from "../../data/base/format.ts";
import type { BulkProgress } from "../../data/orders/review.ts";
import { markFailed, offerUndo, toDoneText } from "../../data/orders/undo.ts";
import { FIRST_VIEW, toPath } from "../../data/shell/route.ts";

const NOT_DONE: Readonly<Record<Decided, string>> = { approve: "not approved", decline: "not declined" };

/**
 * Report decisions on several orders: one undo for all of them, and the failed ones where a person can act on them, which
 * is the list. They stay selected there.
 */
export function reportBulk(act: Decided, { done, failed }: BulkProgress): void {
  const undoable = done.filter(({ undoUntilMs }) => (undoUntilMs ?? 0) > Date.now());
  const final = done.filter((order) => !undoable.includes(order));
  // All of them, so as long as the first one.
  const untilMs = Math.min(...undoable.map(({ undoUntilMs }) => undoUntilMs ?? 0));
  if (undoable.length > 0) offerUndo(act, undoable, untilMs);
  if (final.length > 0) showToast(toDoneText(act, final));
  markFailed(failed);
  const [first] = failed;
  if (first === undefined) return;
  const { order, why } = first;
  if (failed.length === 1) {
    const href = toPath({ view: FIRST_VIEW, id: order.orderId });
    showToast(`${order.name} ${NOT_DONE[act]}: ${why}`, "bad", { label: `Open ${order.name}`, href });
  } else {
    const text = `${formatPlural(failed.length, "order")} ${NOT_DONE[act]}. The queue says why beside each.`;
    showToast(text, "bad", { label: "Show queue", href: toPath({ view: FIRST_VIEW }) });
  }
}

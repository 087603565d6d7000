import type { Decided } from "../../data/api/api-types.ts";
import { showToast } from "../../data/api/messages.ts";

import type { BulkProgress } from "../../data/orders/review.ts";
import { markFailed, offerUndo, toDoneText } from "../../data/orders/undo.ts";
import { FIRST_VIEW, toPath } from "../../data/shell/route.ts";
import { t } from "../../data/base/texts.ts";

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
    showToast(t("orders.failed-one", { name: order.name, act, why }), "bad", {
      label: t("orders.open", { name: order.name }),
      href,
    });
  } else {
    const text = t("orders.failed-many", { count: failed.length, act });
    showToast(text, "bad", { label: t("orders.show-queue"), href: toPath({ view: FIRST_VIEW }) });
  }
}

import { useState } from "preact/hooks";
import { showFailure, showToast } from "../../data/api/messages.ts";
import { type Offers, toOffers } from "../../data/orders/offers.ts";
import type { Act, OrderDetail, PlatformOrder } from "../../data/api/api-types.ts";
import { isOutdated } from "../../data/api/api.ts";
import { reviewOne } from "../../data/orders/review.ts";
import { reviewPause } from "../../data/orders/review-pause.ts";
import { toRoleReason } from "../../data/api/session.ts";
import { useAction } from "../../data/api/use-action.ts";
import type { Load } from "../../data/api/use-load.ts";
import { toDoneText } from "../../data/orders/undo.ts";
import { useConfirmed } from "./use-confirmed.ts";
import { useNoteCommands } from "./note-commands.ts";
import { t } from "../../data/base/texts.ts";
import { sayEffect } from "../../data/orders/effect-words.ts";

export type OrderCommands = ReturnType<typeof useOrderCommands>;

export function useOrderCommands(
  orderId: string,
  load: Load<OrderDetail>,
  observed: PlatformOrder | null,
  onDecided: (order: OrderDetail, act: Act) => void,
) {
  const { data: order, replace, reload } = load;
  const [asking, setAsking] = useState<Act | null>(null);
  const { running, run } = useAction<Act | "note">((error) => {
    showFailure(error);
    if (isOutdated(error)) reload();
  });

  const notes = useNoteCommands(orderId, load, (work) => {
    if (running === null) run(work, "note");
    else showToast(t("order.still-saving"), "bad");
  });
  const { note, setNote } = notes;
  const perform = (act: Act) => {
    if (order === null) return;
    const offers = toOffers(order, observed);
    const reason = findObstacle(order, act, offers);
    if (reason !== undefined) return showToast(reason, "bad");
    if (act !== "approve" && act !== "handle") return setAsking(act);
    const seen = { ...order, ended: offers.ended };
    run(async () => settle(await reviewOne(seen, act, note), act), act);
  };
  const confirmed = useConfirmed(load, perform);

  function settle(done: OrderDetail, act: Act): void {
    replace(done);
    setNote("");
    // The undo bar already says what can be undone.
    if (done.pendingReview === null) showToast(toDoneText(act, [done]));
    onDecided(done, act);
  }

  return {
    ...notes,
    /** Called with the order when something about it changed. */
    replace,
    reload,
    /** The act that a dialog asks about. */
    asking,
    busy: running,
    /** Asks first, except before an approval. */
    start: (wanted: Act): void => {
      if (reviewPause.isActive.get()) return showToast(t("order.look-first"), "bad");
      if (running !== null) return showToast(t("order.still-saving"), "bad");
      if (order === null) return showToast(t("order.the-order-is-still-loading-try"), "bad");
      // The same key, whether or not it has shipped.
      const isShipped = toOffers(order, observed).acts.includes("handle");
      confirmed(order, wanted === "approve" && isShipped ? "handle" : wanted);
    },
    finish: (done: OrderDetail): void => {
      if (asking === null) return;
      setAsking(null);
      settle(done, asking);
    },
    cancel: () => setAsking(null),
  };
}

/** Why an action isn't possible now; undefined when it is. */
export function findObstacle(order: OrderDetail, act: Act, { acts, ended }: Offers): string | undefined {
  const { possible } = order.actions[act];
  const tooLate = ended === "shipped" && !acts.includes(act) ? SHIPPED_ALREADY : undefined;
  const isPossible = possible || (act === "handle" && acts.includes(act));
  return toRoleReason("reviewer") ?? (isPossible ? tooLate : sayEffect(order, act));
}

const SHIPPED_ALREADY = t("order.the-order-has-shipped-refund-it");

import { useRef, useState } from "preact/hooks";
import { showFailure, showToast } from "../../data/api/messages.ts";
import { type Offers, toOffers } from "../../data/orders/offers.ts";
import type { Act, OrderDetail, PlatformOrder } from "../../data/api/api-types.ts";
import { isOutdated } from "../../data/api/api.ts";
import { addNote, reviewOne } from "../../data/orders/review.ts";
import { reviewPause } from "../../data/orders/review-pause.ts";
import { toRoleReason } from "../../data/api/session.ts";
import { useAction } from "../../data/api/use-action.ts";
import type { Load } from "../../data/api/use-load.ts";
import { toDoneWord } from "../../data/orders/undo.ts";

export type OrderCommands = ReturnType<typeof useOrderCommands>;

export function useOrderCommands(
  load: Load<OrderDetail>,
  observed: PlatformOrder | null,
  onDecided: (order: OrderDetail, act: Act) => void,
) {
  const { data: order, replace, reload } = load;
  const [note, setNote] = useState("");
  const noteField = useRef<HTMLTextAreaElement>(null);
  const [asking, setAsking] = useState<Act | null>(null);
  const { running, run } = useAction<Act | "note">((error) => {
    showFailure(error);
    if (isOutdated(error)) reload();
  });

  function settle(done: OrderDetail, act: Act): void {
    replace(done);
    setNote("");
    // The undo bar already says what can be undone.
    const word = act === "recheck" ? "sent for another check" : toDoneWord(act, done);
    if (done.pendingReview === null) showToast(`${done.name} ${word}.`);
    onDecided(done, act);
  }

  return {
    note,
    setNote,
    noteField,
    /** Called with the order when something about it changed. */
    replace,
    reload,
    /** The act that a dialog asks about. */
    asking,
    busy: running,
    /** Asks first, except before an approval. */
    start: (act: Act): void => {
      if (reviewPause.isActive.get()) return;
      if (order === null) return showToast("The order is still loading. Try again in a moment.", "bad");
      const offers = toOffers(order, observed);
      const reason = findObstacle(order, act, offers);
      if (reason !== undefined) return showToast(reason, "bad");
      if (act !== "approve") return setAsking(act);
      const seen = { ...order, ended: offers.ended };
      run(async () => settle(await reviewOne(seen, act, note), act), act);
    },
    /** Save the note without a decision. */
    keepNote: (): void => {
      if (order === null || note.trim() === "") return;
      run(async () => {
        replace(await addNote(order.orderId, note));
        setNote("");
        showToast("Note saved.");
      }, "note");
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
  const { possible, consequence } = order.actions[act];
  const tooLate = ended === "shipped" && !acts.includes(act) ? SHIPPED_ALREADY : undefined;
  return toRoleReason("reviewer") ?? (possible ? tooLate : consequence);
}

const SHIPPED_ALREADY = "The order has shipped. Refund it on the platform.";

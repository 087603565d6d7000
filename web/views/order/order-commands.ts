import { useState } from "preact/hooks";
import { showFailure, showToast } from "../../components/toasts.tsx";
import { ApiError } from "../../data/api.ts";
import { ACT_WORDS, addNote, decideOne } from "../../data/decide.ts";
import type { Act, OrderDetail } from "../../data/api-types.ts";
import { toRoleReason } from "../../data/session.ts";
import { decisionPause } from "../../data/decision-pause.ts";
import type { Load } from "../../data/use-load.ts";

/** What {@link useOrderCommands} works on. */
interface OrderCommandParts {
  readonly load: Load<OrderDetail>;
  readonly note: string;
  readonly onDecided: (order: OrderDetail, act: Act) => void;
  readonly onNoted: () => void;
}

/** What a person can do with the open order. */
export type OrderCommands = ReturnType<typeof useOrderCommands>;

/** Commands on the open order. */
export function useOrderCommands({ load, note, onDecided, onNoted }: OrderCommandParts) {
  const { data: order, replace, reload } = load;
  const [asking, setAsking] = useState<Act | null>(null);
  const [busy, setBusy] = useState<Act | "note" | null>(null);

  function settle(done: OrderDetail, act: Act): void {
    replace(done);
    onNoted();
    // The undo bar already says what can be undone.
    if (done.pendingDecision === null) showToast(`${done.name} ${ACT_WORDS[act].done}.`);
    onDecided(done, act);
  }

  async function run(what: Act | "note", work: () => Promise<void>): Promise<void> {
    if (busy !== null) return;
    setBusy(what);
    try {
      await work();
    } catch (error) {
      showFailure(error);
      if (isOutdated(error)) reload();
    } finally {
      setBusy(null);
    }
  }

  return {
    /** The act that a dialog asks about. */
    asking,
    /** The act in progress. */
    busy,
    /** Start an action. Asks first if it uses a credit or can't be undone. */
    start(act: Act): void {
      if (decisionPause.isActive.get()) return;
      const reason =
        order === null ? "The order is still loading. Try again in a moment." : findObstacle(order, act);
      if (reason !== undefined) return showToast(reason, "bad");
      if (act !== "approve" || order === null) return setAsking(act);
      void run(act, async () => settle(await decideOne(order, act, note), act));
    },
    /** Save the note without a decision. */
    keepNote: (): void => {
      if (order === null || note.trim() === "") return;
      void run("note", async () => {
        replace(await addNote(order.orderId, note));
        onNoted();
        showToast("Note saved.");
      });
    },
    finish: (done: OrderDetail): void => {
      if (asking === null) return;
      setAsking(null);
      settle(done, asking);
    },
    cancel: () => setAsking(null),
  };
}

/** Whether an action was refused because someone else changed the order first. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 409 || error.status === 412);
}

/** Why an action isn't possible now; undefined when it is. */
export function findObstacle(order: OrderDetail, act: Act): string | undefined {
  const { possible, consequence } = order.actions[act];
  return toRoleReason("reviewer") ?? (possible ? undefined : consequence);
}

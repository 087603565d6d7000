import type { Ref } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Facts, Notice } from "../../components/panel.tsx";
import { decisionPause } from "../../data/decision-pause.ts";
import { ACT_WORDS, decideAll, NOTE_MAX_LENGTH, type BulkProgress } from "../../data/decide.ts";
import { formatCount, formatPlural, formatSum, sumMoney } from "../../data/format.ts";

import { offerUndo } from "../../data/undo.ts";
import type { Decided, OrderRow } from "../../data/api-types.ts";
import { useValue } from "../../data/value.ts";
import { LEVEL_WORDS } from "../../data/words.ts";

/** What a dialog asks about. */
export interface Asking {
  readonly act: Decided;
  readonly orders: readonly OrderRow[];
}

/** Properties of {@link BulkDialog}. */
export interface BulkDialogProps extends Asking {
  /** Told when it is closed, with what was done. */
  readonly onClose: (done: readonly OrderRow[]) => void;
}

const CONSEQUENCES = {
  approve: "Releases Holdfast's holds and removes its tags. The orders can ship.",
  decline: "Cancels the orders on the platform. Refunds and restocks according to your policy.",
} as const;

/** Decides on several orders at once: sums up what will happen, then shows how it goes, order by order. */
export function BulkDialog({ orders, act, onClose }: BulkDialogProps) {
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const [isOver, setOver] = useState(false);
  const isPaused = useValue(decisionPause.isActive);
  const stop = useRef(new AbortController());
  const note = useRef<HTMLTextAreaElement>(null);
  const { verb } = ACT_WORDS[act];
  const count = formatPlural(orders.length, "order");
  useEffect(() => () => stop.current.abort(), []);
  const close = () => {
    stop.current.abort();
    const { done = [], undoUntilMs = null } = progress ?? {};
    if (undoUntilMs !== null) offerUndo(act, done, undoUntilMs);
    onClose(done);
  };

  async function run(): Promise<void> {
    // The same button now stops the run. The second click of a double click must not.
    decisionPause.begin();
    decisionPause.endSoon();
    setProgress({ done: [], failed: [], undoUntilMs: null });
    const text = note.current?.value ?? "";
    const { signal } = stop.current;
    const end = await decideAll(orders, { act, note: text, signal, onProgress: setProgress });
    if (signal.aborted) return;
    setProgress(end);
    setOver(true);
  }

  return (
    <Dialog
      title={progress === null ? `${verb} ${count}?` : `${verb} ${count}`}
      onClose={close}
      foot={
        <>
          {progress === null && <Button onClick={close}>Cancel</Button>}
          {/* One button all the way, so that it keeps the focus. */}
          <Button
            key="main"
            look={act === "decline" && progress === null ? "danger" : "primary"}
            focusFirst
            paused={progress !== null && isPaused}
            onClick={() => {
              if (progress === null) void run();
              else if (!decisionPause.isActive.get()) close();
            }}
          >
            {progress === null ? `${verb} ${count}` : isOver ? "Done" : "Stop"}
          </Button>
        </>
      }
    >
      {progress === null ? (
        <Plan orders={orders} act={act} noteRef={note} />
      ) : (
        <Progress act={act} total={orders.length} progress={progress} isOver={isOver} />
      )}
    </Dialog>
  );
}

function Plan({ orders, act, noteRef }: Asking & { readonly noteRef: Ref<HTMLTextAreaElement> }) {
  return (
    <>
      <p>{CONSEQUENCES[act]}</p>
      <p class="soft">You can undo this for a few seconds. Nothing changes until then.</p>
      <Summary orders={orders} />
      <Field label="Note (optional)" hint="Saved with each order.">
        {(control) => <textarea {...control} ref={noteRef} rows={2} maxLength={NOTE_MAX_LENGTH} />}
      </Field>
    </>
  );
}

function Summary({ orders }: { readonly orders: readonly OrderRow[] }) {
  const levels = (["critical", "high", "medium", "low"] as const).flatMap((level) => {
    const count = orders.filter(({ riskLevel }) => riskLevel === level).length;
    return count === 0 ? [] : [`${count} ${LEVEL_WORDS[level].toLowerCase()}`];
  });
  const unjudged = orders.filter(({ riskLevel }) => riskLevel === null).length;
  const unpriced = orders.filter(({ amount }) => amount === null).length;
  return (
    <Facts
      facts={[
        ["Orders", formatCount(orders.length)],
        ["Total", formatSum(sumMoney(orders)) + (unpriced > 0 ? ` (${unpriced} without an amount)` : "")],
        ["Risk", [...levels, ...(unjudged > 0 ? [`${unjudged} not judged`] : [])].join(", ")],
      ]}
    />
  );
}

interface ProgressProps {
  readonly act: Decided;
  readonly total: number;
  readonly progress: BulkProgress;
  readonly isOver: boolean;
}

function Progress({ act, total, progress, isOver }: ProgressProps) {
  const { done, failed } = progress;
  const count = done.length + failed.length;
  return (
    <>
      <progress aria-label="Progress" max={total} value={count} />
      <p role="status">
        {isOver
          ? `${formatPlural(done.length, "order")} ${ACT_WORDS[act].done}${failed.length > 0 ? `, ${failed.length} not` : ""}.`
          : `${count} of ${total}`}
      </p>
      {failed.length > 0 && (
        <Notice tone="bad">
          <ul>
            {failed.map(({ order, why }) => (
              <li key={order.orderId}>
                <b>{order.name}</b>: {why}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

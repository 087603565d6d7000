import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Facts, Notice } from "../../components/panel.tsx";
import type { Decided, DeclineReason, OrderRow } from "../../data/api/api-types.ts";
import { ACT_WORDS, type BulkProgress, reviewAll } from "../../data/orders/review.ts";
import { reviewPause } from "../../data/orders/review-pause.ts";
import { formatCount, formatMoney, formatPlural, formatSum, sumMoney } from "../../data/base/format.ts";
import { toRoleReason } from "../../data/api/session.ts";
import { offerUndo, toUndoSeconds } from "../../data/orders/undo.ts";
import { useValue } from "../../data/base/value.ts";
import { LEVEL_WORDS } from "../../data/api/words.ts";
import { DecisionFields, type DecisionFieldsProps } from "../order/act-dialog.tsx";

interface BulkBarProps {
  readonly orders: readonly OrderRow[];
  readonly onAsk: (asking: Asking) => void;
  readonly onClear: () => void;
}

export function BulkBar({ orders, onAsk, onClear }: BulkBarProps) {
  const disabledReason = toRoleReason("reviewer");
  return (
    <div class="bulk digits row floating" role="group" aria-label="Selected orders">
      <p role="status">
        <b>{formatCount(orders.length)}</b> selected · {formatSum(sumMoney(orders))}
      </p>
      {(["approve", "decline"] as const).map((act) => (
        <Button
          label={ACT_WORDS[act].verb}
          key={act}
          look={act === "approve" ? "primary" : "danger"}
          small
          shortcut={ACT_WORDS[act].key}
          disabledReason={disabledReason}
          onClick={() => onAsk({ act, orders })}
        />
      ))}
      <Button label="Clear selection" small icon="cross" iconOnly onClick={onClear} />
    </div>
  );
}

export type Asking = { readonly act: Decided; readonly orders: readonly OrderRow[] };

interface BulkDialogProps extends Asking {
  readonly onClose: (done: readonly OrderRow[]) => void;
}

const CONSEQUENCES = {
  approve: "Releases Holdfast's holds and removes its tags. The orders can ship.",
  decline: "Cancels the orders on the platform. Refunds and restocks according to your policy.",
} as const;

const NO_RETURN = {
  approve: "what ships can't be called back.",
  decline: "cancellations and refunds can't be undone.",
} as const;

const CONSEQUENCES_ID = "bulk-consequences";

/** Decides on several orders at once: sums up what will happen, then shows the progress, order by order. */
export function BulkDialog({ orders, act, onClose }: BulkDialogProps) {
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const [isOver, setOver] = useState(false);
  const isPaused = useValue(reviewPause.isActive);
  const stop = useRef(new AbortController());
  const [reason, setReason] = useState<DeclineReason>("suspected-fraud");
  const [note, setNote] = useState("");
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
    reviewPause.begin();
    reviewPause.endSoon();
    setProgress({ done: [], failed: [], undoUntilMs: null });
    const { signal } = stop.current;
    const end = await reviewAll(orders, { act, note, reason, signal, onProgress: setProgress });
    if (signal.aborted) return;
    setProgress(end);
    setOver(true);
  }

  return (
    <Dialog
      describedBy={progress === null ? CONSEQUENCES_ID : undefined}
      title={progress === null ? `${verb} ${count}?` : `${verb} ${count}`}
      onClose={close}
      foot={
        <>
          {progress === null && <KeepButton {...{ act, orders }} onClick={close} />}
          {/* The same button throughout, so that it keeps the focus. */}
          <Button
            label={progress === null ? `${verb} ${count}` : isOver ? "Done" : "Stop"}
            key="main"
            look={act === "decline" && progress === null ? "danger" : "primary"}
            focusFirst={act === "approve"}
            describedBy={progress === null ? CONSEQUENCES_ID : undefined}
            paused={progress !== null && isPaused}
            onClick={() => {
              if (progress === null) void run();
              else if (!reviewPause.isActive.get()) close();
            }}
          />
        </>
      }
    >
      {progress === null ? (
        <Plan {...{ orders, act, reason, note }} onReason={setReason} onNote={setNote} />
      ) : (
        <Progress {...{ act, orders, progress, isOver }} />
      )}
    </Dialog>
  );
}

/** The button that changes nothing. It has the focus if orders could be lost. */
function KeepButton({ act, orders, onClick }: Asking & { readonly onClick: () => void }) {
  return (
    <Button
      label={act === "decline" ? `Keep the ${orders.length === 1 ? "order" : "orders"}` : "Cancel"}
      focusFirst={act === "decline"}
      onClick={onClick}
    />
  );
}

function Plan({ orders, act, ...fields }: Asking & Omit<DecisionFieldsProps, "act" | "hint">) {
  const levels = (["critical", "high", "medium", "low"] as const).flatMap((level) => {
    const count = orders.filter(({ riskLevel }) => riskLevel === level).length;
    return count === 0 ? [] : [`${count} ${LEVEL_WORDS[level].toLowerCase()}`];
  });
  const unjudged = orders.filter(({ riskLevel }) => riskLevel === null).length;
  const unpriced = orders.filter(({ amount }) => amount === null).length;
  return (
    <>
      <div id={CONSEQUENCES_ID} class="stack gap-2">
        <p>{CONSEQUENCES[act]}</p>
        <p>
          You can undo this for {formatPlural(toUndoSeconds(orders.length), "second")}. Nothing changes until
          then. After that, <strong>{NO_RETURN[act]}</strong>
        </p>
      </div>
      <Facts
        facts={[
          ["Orders", formatCount(orders.length)],
          ["Total", formatSum(sumMoney(orders)) + (unpriced > 0 ? ` (${unpriced} without an amount)` : "")],
          ["Risk", [...levels, ...(unjudged > 0 ? [`${unjudged} without a level`] : [])].join(", ")],
        ]}
      />
      <ul class="named" tabIndex={0} aria-label={`Orders to ${ACT_WORDS[act].verb.toLowerCase()}`}>
        {orders.map(({ orderId, name, buyer, amount, currency }) => (
          <li key={orderId} class="wrap">
            <b>{name}</b> <span class="soft">{buyer}</span>
            <span class="number push">{formatMoney(amount, currency)}</span>
          </li>
        ))}
      </ul>
      <DecisionFields act={act} {...fields} hint="Saved with each order." />
    </>
  );
}

type ProgressProps = Asking & { readonly progress: BulkProgress; readonly isOver: boolean };

function Progress({ act, orders: { length: total }, progress, isOver }: ProgressProps) {
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

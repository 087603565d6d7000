import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Facts } from "../../components/panel.tsx";
import type { DeclineReason, OrderRow } from "../../data/api/api-types.ts";
import { ACT_WORDS, type BulkProgress, reviewAll } from "../../data/orders/review.ts";
import { reviewPause } from "../../data/orders/review-pause.ts";
import {
  formatCount,
  formatList,
  formatMoney,
  formatPart,
  formatSum,
  sumMoney,
} from "../../data/base/format.ts";
import { toRoleReason } from "../../data/api/session.ts";
import { toUndoSeconds } from "../../data/orders/undo.ts";
import { useValue } from "../../data/base/value.ts";

import { DecisionFields, type DecisionFieldsProps } from "../order/act-dialog.tsx";
import { reportBulk } from "./bulk-report.ts";
import { rich, t } from "../../data/base/texts.ts";

interface BulkBarProps {
  readonly orders: readonly OrderRow[];
  readonly onAsk: (asking: Asking) => void;
  readonly onClear: () => void;
}

export function BulkBar({ orders, onAsk, onClear }: BulkBarProps) {
  const disabledReason = toRoleReason("reviewer");
  return (
    <div class="bulk digits row floating" role="group" aria-label={t("orders.selected-orders")}>
      <p role="status">
        {rich("orders.selected", {
          b: (text) => <b>{text}</b>,
          count: orders.length,
          sum: formatSum(sumMoney(orders)),
        })}
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
      <Button label={t("orders.clear-selection")} small icon="cross" iconOnly onClick={onClear} />
    </div>
  );
}

export type Asking = { readonly act: "approve" | "decline"; readonly orders: readonly OrderRow[] };

interface BulkDialogProps extends Asking {
  readonly onClose: (done: readonly OrderRow[]) => void;
}

const CONSEQUENCES = {
  approve: t("orders.releases-holdfasts-holds-and-removes-its"),
  decline: t("orders.cancels-the-orders-on-the-platform"),
} as const;

const NOTHING_YET: BulkProgress = { done: [], failed: [] };

const CONSEQUENCES_ID = "bulk-consequences";

/** Decides on several orders at once: sums up what will happen, shows the progress, and closes once all are tried. */
export function BulkDialog({ orders, act, onClose }: BulkDialogProps) {
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const isPaused = useValue(reviewPause.isActive);
  const stop = useRef(new AbortController());
  const [reason, setReason] = useState<DeclineReason>("suspected-fraud");
  const [note, setNote] = useState("");
  const count = orders.length;
  useEffect(() => () => stop.current.abort(), []);
  const [isStopping, setStopping] = useState(false);
  // What was already sent when a person stops the run is reported too.
  const close = () => {
    if (progress === null) return onClose([]);
    setStopping(true);
    stop.current.abort();
  };

  async function run(): Promise<void> {
    // The same button now stops the run. The second click of a double click must not.
    reviewPause.begin();
    reviewPause.endSoon();
    setProgress(NOTHING_YET);
    const { signal } = stop.current;
    const end = await reviewAll(orders, { act, note, reason, signal, onProgress: setProgress });
    reportBulk(act, end);
    onClose(end.done);
  }

  return (
    <Dialog
      describedBy={progress === null ? CONSEQUENCES_ID : undefined}
      title={progress === null ? t("orders.ask", { act, count }) : t("orders.decide", { act, count })}
      keepsInput={progress !== null}
      onClose={close}
      onSubmit={() => {
        if (progress === null) void run();
      }}
      foot={
        <>
          {progress === null && <KeepButton {...{ act, orders }} onClick={close} />}
          {/* The same button throughout, so that it keeps the focus. */}
          <Button
            label={progress === null ? t("orders.decide", { act, count }) : t("orders.stop")}
            key="main"
            look={act === "decline" && progress === null ? "danger" : "primary"}
            focusFirst={act === "approve"}
            describedBy={progress === null ? CONSEQUENCES_ID : undefined}
            paused={progress !== null && isPaused}
            busy={isStopping}
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
        <Progress {...progress} total={orders.length} />
      )}
    </Dialog>
  );
}

/** The button that changes nothing. It has the focus if orders could be lost. */
function KeepButton({ act, orders, onClick }: Asking & { readonly onClick: () => void }) {
  return (
    <Button
      label={act === "decline" ? t("orders.keep", { count: orders.length }) : t("orders.cancel")}
      focusFirst={act === "decline"}
      onClick={onClick}
    />
  );
}

function Plan({ orders, act, ...fields }: Asking & Omit<DecisionFieldsProps, "act" | "hint">) {
  const levels = (["critical", "high", "medium", "low"] as const).flatMap((level) => {
    const count = orders.filter(({ riskLevel }) => riskLevel === level).length;
    return count === 0 ? [] : [t("orders.of-level", { count, level })];
  });
  const unjudged = orders.filter(({ riskLevel }) => riskLevel === null).length;
  const shipped = orders.filter(({ ended }) => ended === "shipped").length;
  const unpriced = orders.filter(({ amount }) => amount === null).length;
  return (
    <>
      <div id={CONSEQUENCES_ID} class="stack gap-2">
        <p>{CONSEQUENCES[act]}</p>
        {shipped > 0 && <p>{t("orders.shipped", { count: shipped, act })}</p>}
        <p>
          {rich("orders.undo-note", {
            strong: (text) => <strong>{text}</strong>,
            count: toUndoSeconds(orders.length),
            act,
          })}
        </p>
      </div>
      <Facts
        facts={[
          [t("orders.orders"), formatCount(orders.length)],
          [t("orders.total"), t("orders.sum", { sum: formatSum(sumMoney(orders)), unpriced })],
          [
            t("orders.risk"),
            formatList([
              ...levels,
              ...(unjudged > 0 ? [t("orders.of-level", { count: unjudged, level: "none" })] : []),
            ]),
          ],
        ]}
      />
      <ul class="named" tabIndex={0} aria-label={t("orders.list", { act })}>
        {orders.map(({ orderId, name, buyer, amount, currency }) => (
          <li key={orderId} class="wrap">
            <b>{name}</b> <span class="soft">{buyer}</span>
            <span class="number push">{formatMoney(amount, currency)}</span>
          </li>
        ))}
      </ul>
      <DecisionFields act={act} {...fields} hint={t("orders.saved-with-each-order")} />
    </>
  );
}

function Progress({ done, failed, total }: BulkProgress & { readonly total: number }) {
  const count = done.length + failed.length;
  return (
    <>
      <progress aria-label={t("orders.progress")} max={total} value={count} />
      <p role="status">{formatPart(count, total)}</p>
    </>
  );
}

import "@shopify/ui-extensions/preact";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ACT_WORDS, loadOrder, toOrderId, type LoadedOrder } from "../../order-block/src/order-check.ts";
import { reviewOrder, forEachOf, NOTE_MAX_LENGTH, type DeclineReason } from "./review-order.ts";
import { DeclineReasonField, type DeclineReasonFieldProps } from "./decline-reason.tsx";

/** Shopify calls this to draw the action. */
export default async function main(): Promise<void> {
  render(<BulkAction />, document.body);
}

type BulkAct = "approve" | "decline";

/** A selected order, and Holdfast's answer about it. */
interface Selected {
  readonly id: string;
  readonly loaded: LoadedOrder;
}

/** How the decision on one order ended: null if it succeeded, else why not. */
type Outcomes = Readonly<Record<string, string | null>>;

/** Decide on the selected orders: name each, say what can't be undone, then show the results. */
function BulkAction() {
  const [selected, setSelected] = useState<readonly Selected[] | null>(null);
  const [act, setAct] = useState<BulkAct | null>(null);
  const [reason, setReason] = useState<DeclineReason>("suspected-fraud");
  const [note, setNote] = useState("");
  const [outcomes, setOutcomes] = useState<Outcomes | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => void loadSelected().then(setSelected), []);
  const able = (selected ?? []).flatMap(({ id, loaded }) =>
    act !== null && loaded.status === "known" && loaded.order.actions[act].possible
      ? [{ id, version: loaded.order.version }]
      : [],
  );

  async function decide(): Promise<void> {
    if (act === null || isBusy) return;
    setBusy(true);
    await forEachOf(able, async ({ id, version }) => {
      const failed = await reviewOrder(id, { act, version, note, reason });
      setOutcomes((before) => ({ ...before, [id]: failed }));
    });
    setBusy(false);
  }

  const isOver = outcomes !== null && !isBusy;
  return (
    <s-admin-action heading="Review in Holdfast" loading={selected === null}>
      <s-stack direction="block" gap="base">
        {outcomes === null && (
          <Plan
            {...{ act, reason, note }}
            count={able.length}
            onChoose={setAct}
            onReason={setReason}
            onNote={setNote}
          />
        )}
        <s-unordered-list>
          {(selected ?? []).map((one) => (
            <s-list-item key={one.id}>{describe(one, act, outcomes)}</s-list-item>
          ))}
        </s-unordered-list>
      </s-stack>
      {!isOver && (
        <s-button
          slot="primary-action"
          variant="primary"
          tone={act === "decline" ? "critical" : "auto"}
          disabled={act === null || able.length === 0}
          loading={isBusy}
          onClick={() => void decide()}
        >
          {act === null ? "Choose what to do" : `${ACT_WORDS[act].verb} ${countOrders(able.length)}`}
        </s-button>
      )}
      <s-button slot="secondary-actions" onClick={() => shopify.close()}>
        {isOver ? "Done" : "Close"}
      </s-button>
    </s-admin-action>
  );
}

async function loadSelected(): Promise<readonly Selected[]> {
  const ids = shopify.data.selected.flatMap(({ id }) => toOrderId(id) ?? []);
  const found = new Map<string, LoadedOrder>();
  await forEachOf(ids, async (id) => void found.set(id, await loadOrder(id)));
  return ids.map((id) => ({ id, loaded: found.get(id) ?? { status: "failed" } }));
}

interface PlanProps extends DeclineReasonFieldProps {
  readonly act: BulkAct | null;
  /** Orders that allow the decision. */
  readonly count: number;
  readonly onChoose: (act: BulkAct) => void;
  readonly note: string;
  readonly onNote: (note: string) => void;
}

function Plan({ act, count, onChoose, reason, onReason, note, onNote }: PlanProps) {
  return (
    <>
      <s-choice-list
        label="What to do"
        name="act"
        values={act === null ? [] : [act]}
        onChange={(event) =>
          onChoose(event.currentTarget.values?.includes("decline") ? "decline" : "approve")
        }
      >
        <s-choice value="approve">{ACT_WORDS.approve.choice}</s-choice>
        <s-choice value="decline">{ACT_WORDS.decline.choice}</s-choice>
      </s-choice-list>
      {act === "approve" && (
        <s-banner tone="info">
          {`Releases Holdfast's holds on ${countOrders(count)} and removes its tags. They can ship.`}
        </s-banner>
      )}
      {act === "decline" && (
        <s-banner tone="critical">
          {`Cancels ${countOrders(count)} in Shopify. Refunds and restocks according to your policy. You can't undo this.`}
        </s-banner>
      )}
      {act === "decline" && <DeclineReasonField reason={reason} onReason={onReason} />}
      <s-text-area
        label="Note (optional)"
        details="Saved with each order."
        rows={2}
        maxLength={NOTE_MAX_LENGTH}
        value={note}
        onInput={(event) => onNote(event.currentTarget.value)}
      />
    </>
  );
}

function countOrders(count: number): string {
  return count === 1 ? "1 order" : `${count} orders`;
}

/** An order's name and what happens to it. */
function describe({ id, loaded }: Selected, act: BulkAct | null, outcomes: Outcomes | null): string {
  if (loaded.status !== "known") {
    const why = loaded.status === "failed" ? "Can't reach Holdfast" : "Holdfast hasn't received it";
    return `Order ${id}: ${why}. Nothing changes.`;
  }
  const { order } = loaded;
  const name = `${order.name}, ${order.riskLevel === null ? "no risk level" : `${order.riskLevel} risk`}`;
  const outcome = outcomes?.[id];
  if (outcome === null) return `${name}: ${ACT_WORDS[act ?? "approve"].done}`;
  if (outcome !== undefined) return `${name}: ${outcome}`;
  if (act === null || order.actions[act].possible) return name;
  return `${name}: ${order.actions[act].consequence}`;
}

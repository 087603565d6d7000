import "@shopify/ui-extensions/preact";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import {
  ACTS,
  ACT_WORDS,
  describeDecision,
  loadOrder,
  toOrderId,
  type Act,
  type CheckedOrder,
  type LoadedOrder,
} from "../../order-block/src/order-check.ts";
import { FactorList } from "../../order-block/src/factor-list.tsx";
import { reviewOrder, NOTE_MAX_LENGTH, type DeclineReason } from "./review-order.ts";
import { DeclineReasonField } from "./decline-reason.tsx";

/** Shopify calls this to draw the action. */
export default async function main(): Promise<void> {
  render(<OrderAction />, document.body);
}

/** What is known about the order and why, and the possible actions. */
function OrderAction() {
  const orderId = toOrderId(shopify.data.selected[0]?.id);
  const [loaded, setLoaded] = useState<LoadedOrder>({ status: "loading" });
  const [act, setAct] = useState<Act | null>(null);
  const [reason, setReason] = useState<DeclineReason>("suspected-fraud");
  const [note, setNote] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => void loadOrder(orderId).then(setLoaded), [orderId]);

  const order = loaded.status === "known" ? loaded.order : null;

  async function decide(): Promise<void> {
    if (act === null || orderId === null || order === null || isBusy) return;
    setBusy(true);
    const failed = await reviewOrder(orderId, { act, version: order.version, note, reason });
    if (failed === null) return shopify.close();
    setBusy(false);
    setProblem(failed);
  }

  return (
    <s-admin-action heading="Review in Holdfast" loading={loaded.status === "loading"}>
      <s-stack direction="block" gap="base">
        {problem !== null && <s-banner tone="critical">{problem}</s-banner>}
        {order === null ? (
          <Missing status={loaded.status} />
        ) : (
          <>
            <Known order={order} />
            <Choices order={order} act={act} onChoose={setAct} />
            <Consequence order={order} act={act} />
            {act === "decline" && <DeclineReasonField reason={reason} onReason={setReason} />}
            <s-text-area
              label="Note (optional)"
              details="Your team sees it in the order's history."
              rows={2}
              maxLength={NOTE_MAX_LENGTH}
              value={note}
              onInput={(event) => setNote(event.currentTarget.value)}
            />
          </>
        )}
      </s-stack>
      <s-button
        slot="primary-action"
        variant="primary"
        tone={act === "decline" ? "critical" : "auto"}
        disabled={act === null}
        loading={isBusy}
        onClick={() => void decide()}
      >
        {act === null ? "Choose what to do" : ACT_WORDS[act].button}
      </s-button>
      <s-button slot="secondary-actions" onClick={() => shopify.close()}>
        Close
      </s-button>
    </s-admin-action>
  );
}

/** What the chosen action does. */
function Consequence({ order, act }: { readonly order: CheckedOrder; readonly act: Act | null }) {
  if (act === null) return null;
  return <s-banner tone={act === "decline" ? "critical" : "info"}>{order.actions[act].consequence}</s-banner>;
}

function Missing({ status }: Pick<LoadedOrder, "status">) {
  if (status === "loading") return null;
  if (status === "unknown") return <s-text>Holdfast hasn't received this order.</s-text>;
  return <s-banner tone="warning">Can't reach Holdfast. The order isn't affected. Try again.</s-banner>;
}

function Known({ order }: { readonly order: CheckedOrder }) {
  const { riskLevel, riskScore } = order;
  const score = riskScore === null ? "" : `, ${riskScore} of 100`;
  return (
    <>
      <s-text type="strong">
        {riskLevel === null ? "" : `${riskLevel} risk${score}: `}
        {describeDecision(order)}
      </s-text>
      <FactorList factors={order.factors} />
    </>
  );
}

interface ChoicesProps {
  readonly order: CheckedOrder;
  readonly act: Act | null;
  readonly onChoose: (act: Act) => void;
}

function Choices({ order, act, onChoose }: ChoicesProps) {
  return (
    <s-choice-list
      label="What to do"
      name="act"
      values={act === null ? [] : [act]}
      onChange={(event) => {
        const chosen = ACTS.find((one) => event.currentTarget.values?.includes(one));
        if (chosen !== undefined) onChoose(chosen);
      }}
    >
      {ACTS.map((one) => (
        <s-choice key={one} value={one} disabled={!order.actions[one].possible}>
          {ACT_WORDS[one].choice}
          {!order.actions[one].possible && <s-text slot="details">{order.actions[one].consequence}</s-text>}
        </s-choice>
      ))}
    </s-choice-list>
  );
}

import "@shopify/ui-extensions/preact";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { FactorList } from "./factor-list.tsx";
import {
  loadOrder,
  describeDecision,
  toOrderId,
  type CheckedOrder,
  type LoadedOrder,
} from "./order-check.ts";

/** Shopify calls this to draw the block. */
export default async function main(): Promise<void> {
  render(<OrderBlock />, document.body);
}

const TONES = { low: "success", medium: "caution", high: "warning", critical: "critical" } as const;

function OrderBlock() {
  const orderId = toOrderId(shopify.data.selected[0]?.id);
  const [loaded, setLoaded] = useState<LoadedOrder>({ status: "loading" });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setLoaded({ status: "loading" });
    void loadOrder(orderId).then((found) => isCurrent && setLoaded(found));
    return () => {
      isCurrent = false;
    };
  }, [orderId, tries]);
  return (
    <s-admin-block heading="Holdfast" collapsedSummary={summarize(loaded)}>
      <s-stack direction="block" gap="base">
        <Content loaded={loaded} orderId={orderId} onRetry={() => setTries(tries + 1)} />
      </s-stack>
    </s-admin-block>
  );
}

interface ContentProps {
  readonly loaded: LoadedOrder;
  readonly orderId: string | null;
  readonly onRetry: () => void;
}

function Content({ loaded, orderId, onRetry }: ContentProps) {
  switch (loaded.status) {
    case "loading":
      return <s-spinner accessibilityLabel="Loading" />;
    case "unknown":
      return <s-text color="subdued">Holdfast hasn't received this order.</s-text>;
    case "failed":
      return (
        <>
          <s-banner tone="warning">Can't reach Holdfast. The order isn't affected. Try again.</s-banner>
          <s-button onClick={onRetry}>Try again</s-button>
        </>
      );
    case "known":
      return <Known order={loaded.order} orderId={orderId} />;
  }
}

function Known({ order, orderId }: { readonly order: CheckedOrder; readonly orderId: string | null }) {
  return (
    <>
      <s-stack direction="inline" gap="small" alignItems="center">
        {order.riskLevel !== null && (
          <s-badge tone={TONES[order.riskLevel]}>
            {`${order.riskLevel} risk${order.riskScore === null ? "" : `, ${order.riskScore} of 100`}`}
          </s-badge>
        )}
        <s-text>{describeDecision(order)}</s-text>
      </s-stack>
      <FactorList factors={order.factors} />
      <s-link href="extension:holdfast-order-action/admin.order-details.action.render">
        Approve, decline or check again
      </s-link>
      <s-link href={`app:orders/${orderId}`}>Open in Holdfast</s-link>
    </>
  );
}

function summarize(loaded: LoadedOrder): string {
  if (loaded.status !== "known") return loaded.status === "loading" ? "" : "No result";
  const { riskLevel } = loaded.order;
  const decision = describeDecision(loaded.order);
  return riskLevel === null ? decision : `${riskLevel} risk: ${decision.toLowerCase()}`;
}

import { ActionLabel, LevelBadge } from "../../components/badge.tsx";
import { Failure, Panel, Skeleton } from "../../components/panel.tsx";
import { Ago } from "../../components/time.tsx";
import type { DataOf } from "../../data/api-types.ts";
import { formatMoney, formatPlural } from "../../data/format.ts";
import { OUTCOME_WORDS } from "../../data/replay.ts";
import { toHash } from "../../data/route.ts";
import { useLoad } from "../../data/use-load.ts";

type Linked = DataOf<"GET /orders/:orderId/linked">;
type LinkKind = Linked["links"][number]["kind"];

const KIND_WORDS: Readonly<Record<LinkKind, string>> = {
  mailbox: "Email",
  network: "Network",
  card: "Card",
  phone: "Phone",
  address: "Address",
};

/** Other orders of the same buyer, by what they share, and what became of them. */
export function LinkedPanel({ orderId }: { readonly orderId: string }) {
  const { data, error, reload } = useLoad("GET /orders/:orderId/linked", { params: { orderId } });
  return (
    <Panel title="Linked orders">
      {data === null && error !== null && <Failure error={error} onRetry={reload} />}
      {data === null && error === null && <Skeleton lines={3} label="Loading linked orders" />}
      {data !== null && <Links linked={data} />}
    </Panel>
  );
}

function Links({ linked: { links, orders } }: { readonly linked: Linked }) {
  return (
    <>
      {links.length === 0 && <p class="soft">Nothing is known that this order could share with others.</p>}
      <ul class="links">
        {links.map(({ kind, label, orders: count }) => (
          <li key={kind}>
            <span>
              <b>{KIND_WORDS[kind]}</b> {label}
            </span>
            <span class="soft">{count === 0 ? "no other orders" : formatPlural(count, "other order")}</span>
          </li>
        ))}
      </ul>
      {orders.length > 0 && (
        <ul class="linked" aria-label="Linked orders">
          {orders.map((order) => (
            <li key={order.orderId}>
              <a href={toHash({ view: "orders", id: order.orderId })}>{order.name}</a>
              <span>{formatMoney(order.amount, order.currency)}</span>
              <LevelBadge level={order.riskLevel} />
              {order.action !== null && <ActionLabel action={order.action} />}
              <span>{OUTCOME_WORDS[order.outcome]}</span>
              <span class="soft">
                same {order.links.map((kind) => KIND_WORDS[kind].toLowerCase()).join(", ")} ·{" "}
                <Ago at={order.receivedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

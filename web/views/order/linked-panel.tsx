import { useState } from "preact/hooks";
import { ActionLabel, LevelBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Loading, Panel } from "../../components/panel.tsx";
import { Ago } from "../../components/time.tsx";
import type { DataOf } from "../../data/api-types.ts";
import { formatMoney, formatPlural } from "../../data/format.ts";
import { OUTCOME_WORDS } from "../../data/replay.ts";
import { toPath } from "../../data/route.ts";
import { toRoleReason } from "../../data/session.ts";
import { useLoad } from "../../data/use-load.ts";
import { LINK_WORDS, LIST_WORDS } from "../../data/words.ts";
import { ListDialog, type ListDialogProps } from "./list-dialog.tsx";

type Linked = DataOf<"GET /orders/:orderId/linked">;

/** Other orders of the same buyer, by what they share, with their outcomes. */
export function LinkedPanel({ orderId }: { readonly orderId: string }) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const load = useLoad("GET /orders/:orderId/linked", { params: { orderId } });
  return (
    <Panel title="Linked orders">
      {load.data === null ? (
        <Loading load={load} lines={3} label="Loading linked orders" />
      ) : (
        <Links linked={load.data} onAsk={setAsking} />
      )}
      {asking !== null && (
        <ListDialog
          {...asking}
          orderId={orderId}
          onClose={() => setAsking(null)}
          onDone={() => {
            setAsking(null);
            load.reload();
          }}
        />
      )}
    </Panel>
  );
}

type Asking = Pick<ListDialogProps, "list" | "kind" | "label">;

type LinksProps = { readonly linked: Linked; readonly onAsk: (asking: Asking) => void };

function Links({ linked: { links, orders }, onAsk }: LinksProps) {
  return (
    <>
      {links.length === 0 && <p class="soft">This order has no details to compare with other orders.</p>}
      <ul class="stack gap-1">
        {links.map(({ kind, label, listed, orders: count }) => (
          <li key={kind} class="wrap between anywhere">
            <span>
              <b>{LINK_WORDS[kind]}</b> {label}
            </span>
            <span class="row">
              <span class="soft">
                {listed !== null && `${LIST_WORDS[listed]} · `}
                {count === 0 ? "no other orders" : formatPlural(count, "other order")}
              </span>
              {(["trust", "block"] as const).map((list) => (
                <Button
                  label={list === "trust" ? "Trust" : "Block"}
                  about={LINK_WORDS[kind].toLowerCase()}
                  key={list}
                  small
                  disabledReason={
                    toRoleReason("reviewer") ?? (label === "" ? "The order was erased." : undefined)
                  }
                  onClick={() => onAsk({ list, kind, label })}
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
      {orders.length > 0 && (
        <ul class="linked stack gap-1" aria-label="Linked orders">
          {orders.map((order) => (
            <li key={order.orderId} class="wrap anywhere">
              <a href={toPath({ view: "orders", id: order.orderId })}>{order.name}</a>
              <span>{formatMoney(order.amount, order.currency)}</span>
              <LevelBadge level={order.riskLevel} />
              {order.action !== null && <ActionLabel action={order.action} />}
              <span>{OUTCOME_WORDS[order.outcome]}</span>
              <span class="soft">
                same {order.links.map((kind) => LINK_WORDS[kind].toLowerCase()).join(", ")} ·{" "}
                <Ago at={order.receivedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

import { useEffect, useRef } from "preact/hooks";
import { Select } from "../../components/form.tsx";
import { Loading, Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { formatDay, formatSum, sumMoney } from "../../data/base/format.ts";
import { t } from "../../data/base/texts.ts";
import {
  type Buyer,
  type BuyerOrder,
  compareTwo,
  findAsked,
  findCompared,
  listSpots,
  splitOrders,
} from "../../data/orders/buyer.ts";
import { useLoad } from "../../data/api/use-load.ts";
import { useShortcuts } from "../../data/shell/keyboard.ts";
import { navigate, parseRoute, setQuery, useRoute } from "../../data/shell/route.ts";
import { toOrderPath } from "./buyer-path.ts";
import { BuyerMap } from "./buyer-map.tsx";
import { BuyerTable } from "./buyer-table.tsx";

/** All orders of an order's buyer, in the place of the order. */
export function BuyerView({ orderId }: { readonly orderId: string }) {
  const load = useLoad("GET /orders/:orderId/buyer", { params: { orderId } });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const name = (load.data === null ? undefined : findAsked(load.data))?.name ?? "…";
  const back = t("buyer.back", { name });
  useShortcuts([{ keys: ["Escape"], label: back, run: () => navigate(parseRoute(toOrderPath(orderId))) }], 2);
  return (
    <article class="order-pane stack" aria-labelledby="buyer-title">
      <header class="stack gap-2">
        <h1 id="buyer-title" class="anywhere" ref={heading} tabIndex={-1}>
          {t("buyer.title", { name })}
        </h1>
        <p>
          <a href={toOrderPath(orderId)}>{back}</a>
        </p>
      </header>
      {load.data === null ? (
        <Loading load={load} lines={12} label={t("buyer.loading")} />
      ) : (
        <BuyerBody buyer={load.data} />
      )}
    </article>
  );
}

function BuyerBody({ buyer }: { readonly buyer: Buyer }) {
  const { own, others } = splitOrders(buyer);
  const spots = listSpots(own);
  return (
    <>
      <Panel title={t("buyer.timeline")} lead={summarize(own)}>
        {own.length < 2 && <p class="soft lead">{t("buyer.none")}</p>}
        <BuyerTable caption={t("buyer.timeline-table")} orders={own} />
        {buyer.cut && <p class="hint">{t("buyer.cut")}</p>}
      </Panel>
      {spots.length > 0 && (
        <Panel title={t("buyer.map")}>
          <BuyerMap spots={spots} />
        </Panel>
      )}
      <Comparison buyer={buyer} />
      {others.length > 0 && (
        <Panel title={t("buyer.other-orders")} lead={t("buyer.other-orders-about")}>
          <BuyerTable caption={t("buyer.other-orders-table")} orders={others} />
        </Panel>
      )}
    </>
  );
}

function summarize(orders: readonly BuyerOrder[]): string {
  return t("buyer.summary", {
    count: orders.length,
    total: formatSum(sumMoney(orders)),
    refunded: orders.filter(({ refunded }) => refunded).length,
    disputed: orders.filter(({ disputes }) => disputes.length > 0).length,
  });
}

/** The order beside an earlier one. */
function Comparison({ buyer }: { readonly buyer: Buyer }) {
  const { query } = useRoute();
  const asked = findAsked(buyer);
  const other = findCompared(buyer, query["with"]);
  if (asked === undefined || other === undefined) return null;
  const options = buyer.orders
    .filter((one) => one !== asked)
    .map((one) => [one.orderId, `${one.name}, ${formatDay(one.receivedAt)}`] as const);
  return (
    <Panel title={t("buyer.compared")}>
      <Select
        label={t("buyer.compare")}
        value={other.orderId}
        options={options}
        onChange={(id) => setQuery({ with: id }, { replace: true })}
      />
      <Table
        caption={t("buyer.compared-table")}
        region={t("buyer.compared-table")}
        look="compared"
        columns={[t("buyer.field"), asked.name, other.name]}
        rows={compareTwo(asked, other).map(({ field, values, differs }) => [
          field,
          <>
            {t(`buyer.field-${field}`)}
            {differs && <span class="differs"> {t("buyer.differs")}</span>}
          </>,
          ...values.map((value) => (
            <span class="anywhere" dir="auto">
              {differs ? <mark>{value}</mark> : value || "–"}
            </span>
          )),
        ])}
      />
    </Panel>
  );
}

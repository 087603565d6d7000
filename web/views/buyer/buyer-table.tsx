import type { ComponentChildren } from "preact";
import { ActionLabel, LevelBadge } from "../../components/badge.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatMoney, nameCountry } from "../../data/base/format.ts";
import { t } from "../../data/base/texts.ts";
import { type BuyerOrder, toIpDistance } from "../../data/orders/buyer.ts";
import { OUTCOME_WORDS } from "../../data/policy/replay.ts";
import { toOrderPath } from "./buyer-path.ts";

interface BuyerTableProps {
  readonly caption: string;
  readonly orders: readonly BuyerOrder[];
}

/** A buyer's orders on one time line, oldest first: what was bought, where it went, how it was paid, and what became of it. */
export function BuyerTable({ caption, orders }: BuyerTableProps) {
  return (
    <Table
      caption={caption}
      region={caption}
      look="buyer-orders"
      columns={[
        t("buyer.when"),
        t("buyer.order"),
        [t("buyer.amount"), "number"],
        t("buyer.decision"),
        t("buyer.field-name"),
        t("buyer.ships-to"),
        t("buyer.paid-with"),
        t("buyer.where-from"),
      ]}
      isPlain
      rows={orders.map((order) => [
        order.orderId,
        <span class="no-wrap">
          <Time at={order.receivedAt} />
        </span>,
        <OrderCell order={order} />,
        <span class="number no-wrap">{formatMoney(order.amount, order.currency)}</span>,
        <DecisionCell order={order} />,
        ...toContentCells(order),
      ])}
    />
  );
}

function OrderCell({ order }: { readonly order: BuyerOrder }) {
  const { orderId, name, links } = order;
  if (links.length === 0)
    return (
      <>
        <b>{name}</b> <span class="hint">{t("buyer.this")}</span>
      </>
    );
  const shared = links.map((link) => t(`buyer.link-${link}`)).join(", ");
  return (
    <>
      <a href={toOrderPath(orderId)}>{name}</a>
      <span class="hint block">{t("buyer.because", { links: shared })}</span>
    </>
  );
}

function DecisionCell({ order }: { readonly order: BuyerOrder }) {
  const { riskLevel, action, outcome, refunded, disputes } = order;
  const chargeback = disputes.findLast(({ kind }) => kind === "chargeback");
  const notes = [
    ...(refunded ? [t("buyer.refunded")] : []),
    ...(chargeback !== undefined
      ? [t("buyer.charged-back")]
      : disputes.length > 0
        ? [t("buyer.inquiry")]
        : []),
  ];
  return (
    <span class="stack gap-1">
      <LevelBadge level={riskLevel} />
      <span>
        {action !== null && <ActionLabel action={action} />}{" "}
        <span class="soft">{OUTCOME_WORDS[outcome]}</span>
      </span>
      {notes.length > 0 && <b class="bad">{notes.join(", ")}</b>}
    </span>
  );
}

/** Who bought, where it goes, how it was paid, and from where. */
function toContentCells(order: BuyerOrder): readonly ComponentChildren[] {
  const { contents } = order;
  if (contents === null) return [<span class="soft">{t("buyer.erased")}</span>, "–", "–", "–"];
  const { buyer, card } = contents;
  const paid = [card?.brand, card?.lastFourDigits && `•••• ${card.lastFourDigits}`].filter(Boolean);
  return [
    <span class="anywhere">
      <span dir="auto">{buyer.name ?? "–"}</span>
      <span class="hint block">{buyer.email}</span>
    </span>,
    <Target contents={contents} />,
    <span class="no-wrap">{paid.join(" ") || "–"}</span>,
    <Source order={order} contents={contents} />,
  ];
}

interface PlaceProps {
  readonly contents: NonNullable<BuyerOrder["contents"]>;
}

function Target({ contents: { shippingAddress, countries } }: PlaceProps) {
  const country = countries.shipping ?? countries.billing;
  return (
    <span class="anywhere" dir="auto">
      {[shippingAddress?.street, shippingAddress?.city].filter(Boolean).join(", ")}
      <span class="hint block">{country === undefined ? "–" : nameCountry(country)}</span>
    </span>
  );
}

function Source({ order, contents: { countries, ip } }: PlaceProps & { readonly order: BuyerOrder }) {
  const km = toIpDistance(order);
  const from = countries.ip === undefined ? (ip?.address ?? "–") : nameCountry(countries.ip);
  return <span>{km === null ? from : t("buyer.distance", { country: from, km })}</span>;
}

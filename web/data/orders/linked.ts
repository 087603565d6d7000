import type { DataOf } from "../api/api-types.ts";
import { formatList } from "../base/format.ts";
import { t } from "../base/texts.ts";

export type Linked = DataOf<"GET /orders/:orderId/linked">;
type Link = Linked["links"][number];

/** As many orders as the API lists for each link. */
const MOST = 20;

/** The linked orders in one line: what links most of the bad ones, and what became of those orders. */
export function summarizeLinked({ links, orders }: Linked): string {
  const count = ({ kind }: Link, outcome: string) =>
    orders.filter((one) => one.links.includes(kind) && one.outcome === outcome).length;
  const toBad = (link: Link) => count(link, "charged-back") * (MOST + 1) + count(link, "declined");
  const [link] = links.toSorted((one, other) => toBad(other) - toBad(one) || other.orders - one.orders || 0);
  if (link === undefined || link.orders === 0) return t("order.no-linked-orders");
  const canceled = count(link, "cancelled");
  const known = [
    t("order.linked-declined", { count: count(link, "declined") }),
    ...(canceled === 0 ? [] : [t("order.linked-canceled", { count: canceled })]),
    t("order.linked-charged-back", { count: count(link, "charged-back") }),
  ];
  const total = link.orders >= MOST ? t("order.or-more", { count: MOST }) : String(link.orders);
  return t("order.linked", { total, kind: link.kind, known: formatList(known) });
}

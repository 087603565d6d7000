import type { DataOf } from "../api/api-types.ts";
import { LINK_WORDS } from "../api/words.ts";

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
  if (link === undefined || link.orders === 0) return "No linked orders";
  const canceled = count(link, "cancelled");
  const known = [
    `${count(link, "declined")} declined`,
    ...(canceled === 0 ? [] : [`${canceled} canceled`]),
    `${count(link, "charged-back")} charged back`,
  ];
  const total = link.orders >= MOST ? `${MOST} or more` : String(link.orders);
  return `${total} with this ${LINK_WORDS[link.kind].toLowerCase()}: ${known.join(", ")}`;
}

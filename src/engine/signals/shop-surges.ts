import type { OrderFacts } from "../facts/order-facts.ts";
import type { ShopCounts, ShopShare } from "../facts/shop-counts.ts";
import { hasGiftCards } from "./items.ts";
import type { Observation, Signal } from "./signal.ts";

/**
 * A surge: within six hours, customers without a history place so many orders of one kind, compared with the shop's other
 * orders of those hours and its usual weeks. Who tries out stolen cards has a new name, mailbox, home and card for each order,
 * so only the shop as a whole shows it. None of these points makes an order high by itself, because a sale looks similar.
 */
const SURGE = {
  /** Fewer orders are chance. */
  orders: 6,
  /** This many times what the shop's usual share of its orders of these hours would be. */
  times: 4,
  /** Expect at least this many, because a kind that a shop never had isn't a surge with its first orders. */
  expected: 1.5,
  /** A wave of this many needs no further sign. */
  wave: 15,
} as const;

/**
 * A newsletter, a drop or a sale also reaches people who have bought before. If customers with a history have at least this part
 * of their usual share in the surge, it is one.
 */
const SALE_SHARE = 0.5;

/** Cards are tried out with what a shop's cheapest twentieth of orders costs, and not with more than this. */
const SMALL = { percentile: 5, usd: 25 } as const;

/** How often the shop's orders of these hours would show it, if they were as usual. */
function toExpected({ usual }: ShopShare, { usualOrders, recentOrders }: ShopCounts): number {
  return Math.max(SURGE.expected, (usual / Math.max(1, usualOrders)) * recentOrders);
}

/** Whether customers with a history take part as usual. Shops that hardly have any are judged without them. */
function isSale({ newcomers, known }: ShopShare, { usualKnown, usualOrders }: ShopCounts): boolean {
  const usualShare = usualKnown / Math.max(1, usualOrders);
  return known > 0 && known / (known + newcomers) >= SALE_SHARE * usualShare;
}

/** Somebody with a history isn't part of it. */
function isNewcomer({ firstOrder, fulfilledOrders = 0, accountAgeDays = 0 }: OrderFacts): boolean {
  return firstOrder === true || (fulfilledOrders === 0 && accountAgeDays < 30);
}

/** How many newcomers' orders make a surge that this order is part of; undefined if there is none. */
function findSurge(facts: OrderFacts, kind: "small" | "goods" | "bin" | "network"): number | undefined {
  const shop = facts.velocity?.shop;
  const share = shop?.[kind];
  if (shop === undefined || share === undefined || !isNewcomer(facts)) return undefined;
  const isMany = share.newcomers >= Math.max(SURGE.orders, SURGE.times * toExpected(share, shop));
  return isMany && !isSale(share, shop) ? share.newcomers : undefined;
}

function observeSmall(facts: OrderFacts): Observation | null {
  const percentile = facts.velocity?.shop?.percentile;
  const isSmall = percentile !== undefined && percentile <= SMALL.percentile;
  const count = isSmall && (facts.amountUsd ?? Infinity) < SMALL.usd ? findSurge(facts, "small") : undefined;
  return count === undefined
    ? null
    : {
        points: count >= SURGE.wave ? 26 : 20,
        description: `${count} orders as small as this one by new customers within hours. The shop seldom has any.`,
      };
}

/** Somebody empties stolen cards with goods that are as good as cash. Other goods may just be in fashion. */
function observeGoods(facts: OrderFacts): Observation | null {
  const count = findSurge(facts, "goods");
  return count === undefined
    ? null
    : {
        points: hasGiftCards(facts) ? 20 : 6,
        description: `${count} orders of the same article by new customers within hours.`,
      };
}

function observeBin(facts: OrderFacts): Observation | null {
  const count = findSurge(facts, "bin");
  return count === undefined
    ? null
    : {
        points: count >= SURGE.wave ? 26 : 20,
        description: `${count} orders with cards of one issuer's range by new customers within hours.`,
      };
}

/** Everybody who uses an agent shares its network. */
function observeNetwork(facts: OrderFacts): Observation | null {
  const count = facts.isAgent ? undefined : findSurge(facts, "network");
  return count === undefined
    ? null
    : {
        points: 10,
        description: `${count} orders from one provider's network by new customers within hours.`,
      };
}

/** Signals from what the shop as a whole receives. */
export const SHOP_SURGES: readonly Signal[] = [
  {
    code: "SMALL_SURGE",
    category: "behavioral",
    title: "Many small orders at once",
    isPlace: () => true,
    observe: observeSmall,
  },
  {
    code: "GOODS_SURGE",
    category: "behavioral",
    title: "Many orders of one article at once",
    isPlace: () => true,
    observe: observeGoods,
  },
  {
    code: "BIN_SURGE",
    category: "technical",
    title: "Many cards of one issuer's range at once",
    isPlace: () => true,
    observe: observeBin,
  },
  {
    code: "NETWORK_SURGE",
    category: "technical",
    title: "Many new customers from one network at once",
    isPlace: () => true,
    observe: observeNetwork,
  },
];

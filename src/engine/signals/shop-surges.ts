import { toTitle } from "../facts/masking.ts";
import { findMainItem, type OrderFacts } from "../facts/order-facts.ts";
import type { ShopCounts, ShopShare } from "../facts/shop-counts.ts";
import { hasGiftCards } from "./items.ts";
import type { Observation, Signal } from "./signal.ts";
import { say, type Sentence } from "./sentence.ts";

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

/** `times`: as many as the shop's usual share of these hours. */
interface Surge {
  readonly count: number;
  readonly times: number;
}

/** How many newcomers' orders make a surge that this order is part of; undefined if there is none. */
function findSurge(facts: OrderFacts, kind: "small" | "goods" | "bin" | "network"): Surge | undefined {
  const shop = facts.velocity?.shop;
  const share = shop?.[kind];
  if (shop === undefined || share === undefined || !isNewcomer(facts)) return undefined;
  const isMany = share.newcomers >= Math.max(SURGE.orders, SURGE.times * toExpected(share, shop));
  if (!isMany || isSale(share, shop)) return undefined;
  const { newcomers: count } = share;
  return { count, times: Math.floor(count / toExpected(share, shop)) };
}

/** Who and when is said once, in the sentence of the strongest surge. */
function toBeside(says: Sentence): Observation["beside"] {
  return { codes: ["SMALL_SURGE", "GOODS_SURGE", "BIN_SURGE", "NETWORK_SURGE"], says, isFirst: true };
}

function observeSmall(facts: OrderFacts): Observation | null {
  const percentile = facts.velocity?.shop?.percentile;
  const isSmall = percentile !== undefined && percentile <= SMALL.percentile;
  const surge = isSmall && (facts.amountUsd ?? Infinity) < SMALL.usd ? findSurge(facts, "small") : undefined;
  return surge === undefined
    ? null
    : {
        points: surge.count >= SURGE.wave ? 26 : 20,
        says: say(
          "Customers without a history placed {count} orders as small as this one within six hours, at least {times} times as many as usual here.",
          { ...surge },
        ),
        beside: toBeside(
          say(
            "This order is also in a wave of orders as small as this one: {count}, at least {times} times as many as usual.",
            { ...surge },
          ),
        ),
      };
}

/** Somebody empties stolen cards with goods that are as good as cash. Other goods may just be in fashion. */
function observeGoods(facts: OrderFacts): Observation | null {
  const surge = findSurge(facts, "goods");
  const article = toTitle(findMainItem(facts)?.title ?? "") || "this article";
  return surge === undefined
    ? null
    : {
        points: hasGiftCards(facts) ? 20 : 6,
        says: say(
          "Customers without a history ordered {article} {count} times within six hours, at least {times} times as often as usual here.",
          { ...surge, article },
        ),
        beside: toBeside(
          say(
            "This order is also in a wave of orders of {article}: {count}, at least {times} times as many as usual.",
            {
              ...surge,
              article,
            },
          ),
        ),
      };
}

function observeBin(facts: OrderFacts): Observation | null {
  const surge = findSurge(facts, "bin");
  return surge === undefined
    ? null
    : {
        points: surge.count >= SURGE.wave ? 26 : 20,
        says: say(
          "Customers without a history placed {count} orders with cards of this issuer's range within six hours, at least {times} times as many as usual here.",
          { ...surge },
        ),
        beside: toBeside(
          say(
            "This order is also in a wave of cards of this issuer's range: {count}, at least {times} times as many as usual.",
            { ...surge },
          ),
        ),
      };
}

/** Everybody who uses an agent shares its network. */
function observeNetwork(facts: OrderFacts): Observation | null {
  const surge = facts.isAgent ? undefined : findSurge(facts, "network");
  return surge === undefined
    ? null
    : {
        points: 10,
        says: say(
          "Customers without a history placed {count} orders from this provider's network within six hours, at least {times} times as many as usual here.",
          { ...surge },
        ),
        beside: toBeside(
          say(
            "This order is also in a wave from this provider's network: {count}, at least {times} times as many as usual.",
            { ...surge },
          ),
        ),
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

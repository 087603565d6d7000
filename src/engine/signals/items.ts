import type { ItemFacts, OrderFacts } from "../facts/order-facts.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { say, type Sentence } from "./sentence.ts";
import { namesCashLikeGoods } from "../tables/cash-like-goods.ts";
import { namesAccessory, namesResaleGoods } from "../tables/resale-names.ts";
import { isSharedDomain } from "../facts/disposable-domains.ts";
import { toTitle } from "../facts/masking.ts";
import { toWords } from "../text/text-shape.ts";
import { holderAgrees } from "./card.ts";
import { shipsAmongResidents } from "./counts.ts";
import { shipsAbroad, shipsElsewhere } from "./geo.ts";

const MANY = 5;
const SEVERAL = 2;
/** The gift cards in an order: a single small one is a present, but a stack empties a stolen card. */
const GIFT_CARD_TIERS = [
  { cards: 5, usd: 400, points: 24 },
  { cards: 3, usd: 150, points: 16 },
  { cards: 0, usd: 0, points: 8 },
] as const;

function isGiftCard({ name, kind }: ItemFacts): boolean {
  return kind === "gift-card" || namesCashLikeGoods(name);
}

/**
 * Whether a company buys, as far as a thief can't simply type it: the platform knows the company, or the mailbox is at a domain
 * of its name. The card isn't somebody else's, and the goods stay in the country where the company is billed. They may go to a
 * branch in another region if the platform knows the company, because the shop itself admits companies and their branches. A
 * domain is for sale, so it explains a branch only for goods that thieves don't sell on.
 */
export function buysForItsCompany(facts: OrderFacts): boolean {
  if (holderAgrees(facts) === false || shipsAbroad(facts)) return false;
  if (facts.isCompanyOrder) return true;
  return hasDomainOfCompany(facts) && !(shipsElsewhere(facts) && sellsOn(facts));
}

/** Whether the order has goods that are as good as cash or easy to resell. */
function sellsOn(facts: OrderFacts): boolean {
  return hasGiftCards(facts) || listResaleItems(facts).length > 0;
}

/** Shorter words ("AG", "the", "Inc") are in too many names. */
const SHORTEST_OWN_NAME = 4;

function hasDomainOfCompany({ companyName, email }: OrderFacts): boolean {
  if (companyName === undefined || email === undefined || isSharedDomain(email.domain)) return false;
  const domain = email.registrable.split(".")[0]?.replaceAll(/[^\p{L}\p{N}]/gu, "") ?? "";
  const words = toWords(companyName);
  return (
    words.some((word) => word.length >= SHORTEST_OWN_NAME && domain.includes(word)) ||
    (domain.length >= SHORTEST_OWN_NAME && words.join("").startsWith(domain))
  );
}

/** Whether the order has gift cards or codes, according to the platform, the category or the name. */
export function hasGiftCards({ items, payment }: OrderFacts): boolean {
  return payment.sellsGiftCard || items.some(isGiftCard);
}

/** Whether the order has more gift cards than people give as presents. */
export function hasManyGiftCards(facts: OrderFacts): boolean {
  return (observeGiftCards(facts)?.points ?? 0) > GIFT_CARD_TIERS[2].points;
}

function observeGiftCards(facts: OrderFacts): Observation | null {
  if (!hasGiftCards(facts)) return null;
  const named = facts.items.filter(isGiftCard);
  const cards = named.reduce((sum, { quantity }) => sum + quantity, 0);
  const worth = named.reduce((sum, { price = 0, quantity }) => sum + price * quantity, 0);
  const usd = worth * (facts.usdPerUnit ?? 0);
  const tier = GIFT_CARD_TIERS.find((candidate) => cards >= candidate.cards || usd >= candidate.usd);
  const points = tier?.points ?? 0;
  const count = Math.round(cards);
  const isWhole = named.length === facts.items.length && Math.round(usd) === Math.round(facts.amountUsd ?? 0);
  return {
    // Companies buy them for their staff. The codes can't be called back from them either.
    points: buysForItsCompany(facts) ? GIFT_CARD_TIERS[2].points : points,
    needsCheck: points > GIFT_CARD_TIERS[2].points,
    says: sayGiftCards(named, count, Math.round(usd)),
    beside: {
      codes: isWhole ? ["AMOUNT_HIGH_FIRST", "AMOUNT_FAR_ABOVE_HABIT", "FIRST_ORDER_HIGH_ABROAD"] : [],
      says: sayWholeOrder(named, count),
    },
  };
}

function sayGiftCards(named: readonly ItemFacts[], count: number, worth: number): Sentence {
  if (named.length === 0)
    return say("The platform says that the order contains gift cards or codes, which are as good as cash.");
  const goods = listTitles(named) || "Gift cards or codes";
  const isWorthKnown = worth > 0 && Number.isFinite(worth);
  if (count < SEVERAL)
    return isWorthKnown
      ? say("{goods}, worth about {worth} USD, can be used like cash.", { goods, worth })
      : say("{goods} can be used like cash.", { goods });
  return isWorthKnown
    ? say("{goods}: {count} in all, worth about {worth} USD, which can be used like cash.", {
        goods,
        count,
        worth,
      })
    : say("{goods}: {count} in all, which can be used like cash.", { goods, count });
}

/** The amount has its own signal. */
function sayWholeOrder(named: readonly ItemFacts[], count: number): Sentence {
  const goods = listTitles(named) || "gift cards or codes";
  return count < SEVERAL
    ? say("The whole order is {goods}, which can be used like cash.", { goods })
    : say("The whole order is {goods}: {count} in all, which can be used like cash.", { goods, count });
}

/** The first title, and how many others there are; empty if it has nothing readable. */
function listTitles(items: readonly ItemFacts[]): string {
  const titles = new Map(items.map(({ name, title }) => [name, toTitle(title)]));
  const [first = ""] = titles.values();
  const others = titles.size - 1;
  if (first === "" || others === 0) return first;
  return `${first} and ${others === 1 ? "another item" : `${others} other items`}`;
}

/** Cheaper goods with such a name are cases, cables or games, in any language. */
const LEAST_RESALE_USD = 50;

function isResaleItem({ name, price = 0 }: ItemFacts, usdPerUnit = 0): boolean {
  const usd = price * usdPerUnit;
  return usd >= LEAST_RESALE_USD && namesResaleGoods(name, isTooDear(usd));
}

/**
 * Cases, chargers and bags for such goods cost less. At this price, "laptop with sleeve" is a laptop, and "AirPods with charging
 * case" are AirPods.
 */
const DEAREST_ACCESSORY_USD = 200;

function isTooDear(usd: number): boolean {
  return usd >= DEAREST_ACCESSORY_USD;
}

/**
 * Whether the order has goods with names that are easy to resell. Ignores the category, because it is wider than a name, and
 * combinations give many points.
 */
export function hasResaleItem({ items, usdPerUnit }: OrderFacts): boolean {
  return items.some((item) => isResaleItem(item, usdPerUnit));
}

/** A category is wide, and only its expensive goods are worth a stolen card. */
const DEAR_PIECE_USD = 100;

/** The lines that are easy to resell, by name or by category. */
function listResaleItems({ items, usdPerUnit = 0 }: OrderFacts): readonly ItemFacts[] {
  return items.filter((item) => {
    if (isResaleItem(item, usdPerUnit)) return true;
    const { name, kind, price = 0 } = item;
    const usd = price * usdPerUnit;
    return kind === "resale" && usd >= DEAR_PIECE_USD && (isTooDear(usd) || !namesAccessory(name));
  });
}

/** The resale article with the highest quantity, even if it is spread over several lines. */
function findMostOfResale(facts: OrderFacts): ItemFacts | undefined {
  const articles = new Map<string, ItemFacts>();
  for (const item of listResaleItems(facts)) {
    const before = articles.get(item.name);
    articles.set(item.name, { ...(before ?? item), quantity: (before?.quantity ?? 0) + item.quantity });
  }
  return findMost([...articles.values()]);
}

function findMost(items: readonly ItemFacts[]): ItemFacts | undefined {
  return items.toSorted((a, b) => b.quantity - a.quantity)[0];
}

/** An article within a sentence. */
function toArticle({ title }: ItemFacts): string {
  return toTitle(title) || "the same item";
}

function observeResale(facts: OrderFacts): Observation | null {
  const most = findMostOfResale(facts);
  if (most === undefined || most.quantity < SEVERAL) return null;
  return {
    // Companies equip their staff.
    points: most.quantity >= MANY && !buysForItsCompany(facts) ? 14 : 6,
    says: say("The order has {count} units of {article}.", {
      count: Math.round(most.quantity),
      article: toArticle(most),
    }),
    beside: {
      codes: isGiftCard(most) ? ["GIFT_CARDS"] : [],
      says: say("That many of one kind are easy to sell on."),
    },
  };
}

function observeResaleItem(facts: OrderFacts): Observation | null {
  const all = listResaleItems(facts);
  if (all.length === 0) return null;
  const named = all.filter((item) => isResaleItem(item, facts.usdPerUnit));
  const found = named.length > 0 ? named : all;
  const goods = listTitles(found) || "some of the goods";
  const says =
    named.length > 0
      ? say("Easy to sell on at a good price, by name: {goods}.", { goods })
      : say("Easy to sell on at a good price, by category in the catalog: {goods}.", { goods });
  // Of one article, the signals of its number have said the title.
  const [first] = found;
  const isSole = first !== undefined && found.every(({ name }) => name === first.name);
  const codes = isSole ? ["RESALE_QUANTITY", ...(isGiftCard(first) ? ["GIFT_CARDS"] : [])] : [];
  return { points: 4, says, beside: { codes, says: sayEasyToSell(named.length > 0) } };
}

function sayEasyToSell(isByName: boolean): Sentence {
  return isByName
    ? say("By its name, the item is easy to sell on at a good price.")
    : say("By its category in the catalog, the item is easy to sell on at a good price.");
}

const BULK_PIECES = 10;
/** A household may buy ten of something cheap, but only a trader buys ten of something expensive. */
const BULK_PRICE_USD = 40;

function observeBulk(facts: OrderFacts): Observation | null {
  const { items, usdPerUnit, companyName } = facts;
  if (usdPerUnit === undefined || companyName !== undefined) return null;
  const most = findMost(items.filter(({ price = 0 }) => price * usdPerUnit >= BULK_PRICE_USD));
  if (most === undefined || most.quantity < BULK_PIECES) return null;
  const codes = [
    ...(findMostOfResale(facts)?.name === most.name ? ["RESALE_QUANTITY"] : []),
    ...(isGiftCard(most) ? ["GIFT_CARDS"] : []),
  ];
  return {
    points: 6,
    says: say(
      "The order has {count} units of {article}, each worth {least} USD or more, and names no company.",
      {
        count: Math.round(most.quantity),
        article: toArticle(most),
        least: BULK_PRICE_USD,
      },
    ),
    beside: {
      codes,
      says: say("Each is worth {least} USD or more, and the order names no company.", {
        least: BULK_PRICE_USD,
      }),
    },
  };
}

export const ITEM_SIGNALS: EvidenceGroup = {
  name: "items",
  isKnown: ({ items }) => items.length > 0,
  limitation: "The order's items are not known.",
  signals: [
    {
      code: "GIFT_CARDS",
      category: "behavioral",
      title: "Gift cards or codes",
      observe: observeGiftCards,
    },
    {
      code: "RESALE_QUANTITY",
      category: "behavioral",
      title: "Several of one item that is easy to resell",
      joins: ["RESALE_ITEM"],
      isPlace: shipsAmongResidents,
      observe: observeResale,
    },
    {
      code: "RESALE_ITEM",
      category: "behavioral",
      title: "Goods that are easy to resell",
      isPlace: shipsAmongResidents,
      observe: observeResaleItem,
    },
    {
      code: "BULK_QUANTITY",
      category: "behavioral",
      title: "Many of one expensive item",
      observe: observeBulk,
    },
  ],
};

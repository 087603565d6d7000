import type { ItemFacts, OrderFacts } from "../facts/order-facts.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { say } from "./sentence.ts";
import { namesCashLikeGoods } from "../tables/cash-like-goods.ts";
import { namesAccessory, namesResaleGoods } from "../tables/resale-names.ts";
import { isSharedDomain } from "../facts/disposable-domains.ts";
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
  // Companies buy them for their staff.
  const points = buysForItsCompany(facts) ? GIFT_CARD_TIERS[2].points : (tier?.points ?? 0);
  return {
    points,
    says: say("The order contains gift cards or codes, which are as good as cash."),
  };
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

/** The highest quantity of one resale article, even if it is spread over several lines. */
function countSameResale(facts: OrderFacts): number {
  const counts = new Map<string, number>();
  for (const { name, quantity } of listResaleItems(facts)) {
    counts.set(name, (counts.get(name) ?? 0) + quantity);
  }
  return Math.max(0, ...counts.values());
}

function observeResale(facts: OrderFacts): Observation | null {
  const count = countSameResale(facts);
  if (count < SEVERAL) return null;
  return {
    // Companies equip their staff.
    points: count >= MANY && !buysForItsCompany(facts) ? 14 : 6,
    says: say("The order has {count} units of the same item.", { count: Math.round(count) }),
  };
}

function observeResaleItem(facts: OrderFacts): Observation | null {
  if (listResaleItems(facts).length === 0) return null;
  const says = hasResaleItem(facts)
    ? say("By their names, some of the goods keep their price when they are sold on.")
    : say("By their category in the catalog, some of the goods keep their price when they are sold on.");
  return { points: 4, says };
}

const BULK_PIECES = 10;
/** A household may buy ten of something cheap, but only a trader buys ten of something expensive. */
const BULK_PRICE_USD = 40;

function observeBulk({ items, usdPerUnit, companyName }: OrderFacts): Observation | null {
  if (usdPerUnit === undefined || companyName !== undefined) return null;
  const most = Math.max(
    0,
    ...items
      .filter(({ price }) => price !== undefined && price * usdPerUnit >= BULK_PRICE_USD)
      .map(({ quantity }) => quantity),
  );
  return most >= BULK_PIECES
    ? {
        points: 6,
        says: say("The order has {count} units of the same item and names no company.", {
          count: Math.round(most),
        }),
      }
    : null;
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

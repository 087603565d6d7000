import { ACCESSORY_PATTERN, GIFT_CARD_PATTERN, RESALE_PATTERN } from "../tables/goods.ts";
import type { ItemFacts, OrderFacts } from "../order-facts.ts";
import type { EvidenceGroup, Observation } from "../signal.ts";

const MANY = 5;
const SEVERAL = 2;

function isResaleItem({ name }: ItemFacts): boolean {
  return RESALE_PATTERN.test(name) && !ACCESSORY_PATTERN.test(name);
}

/** Whether the order holds goods that sell again quickly. */
export function hasResaleItem({ items }: OrderFacts): boolean {
  return items.some(isResaleItem);
}

/** The largest number of one and the same resale article, also when it is spread over several lines. */
function countSameResale({ items }: OrderFacts): number {
  const counts = new Map<string, number>();
  for (const item of items) {
    if (isResaleItem(item)) counts.set(item.name, (counts.get(item.name) ?? 0) + item.quantity);
  }
  return Math.max(0, ...counts.values());
}

function observeResale(facts: OrderFacts): Observation | null {
  const count = countSameResale(facts);
  if (count < SEVERAL) return null;
  return {
    points: count >= MANY ? 14 : 6,
    description: `${Math.round(count)} pieces of one article that sells again quickly.`,
  };
}

const BULK_PIECES = 10;
/** Ten of something cheap are a household's; ten of something dear are a trade. */
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
        description: `${Math.round(most)} pieces of one expensive article, and no company is named.`,
      }
    : null;
}

/** What is being bought. */
export const ITEM_SIGNALS: EvidenceGroup = {
  name: "items",
  isKnown: ({ items }) => items.length > 0,
  limitation: "The order's items are not known.",
  signals: [
    {
      code: "GIFT_CARDS",
      category: "behavioral",
      title: "Gift cards or codes",
      observe: ({ items }) =>
        items.some(({ name }) => GIFT_CARD_PATTERN.test(name))
          ? { points: 16, description: "The order holds gift cards or codes, which are money at once." }
          : null,
    },
    {
      code: "RESALE_QUANTITY",
      category: "behavioral",
      title: "Several of one resale article",
      observe: observeResale,
    },
    {
      code: "RESALE_ITEM",
      category: "behavioral",
      title: "Goods that sell again quickly",
      observe: (facts) =>
        hasResaleItem(facts)
          ? { points: 4, description: "The order holds goods that are easily sold on." }
          : null,
    },
    {
      code: "BULK_QUANTITY",
      category: "behavioral",
      title: "Many of one expensive article",
      observe: observeBulk,
    },
  ],
};

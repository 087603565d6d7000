import type { ItemFacts, OrderFacts } from "../facts/order-facts.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { namesAccessory, namesResaleGoods } from "../tables/resale-names.ts";
import { foldText } from "../text/text-shape.ts";
import { shipsAmongResidents } from "./counts.ts";

/** Goods as good as cash: codes and cards (folded item name, Latin letters). */
export const GIFT_CARD_PATTERN =
  /\b(?:e-?)?gift ?-?(?:cards?|vouchers?|certificates?)\b|\b(?:gutschein(?:karte)?|geschenkkarte|geschenkgutschein|carte[ -]cadeau|cheque[ -]cadeau|tarjeta (?:de )?regalo|cartao[ -]presente|vale[ -]presente|carta regalo|buono regalo|cadeaubon|cadeaukaart|presentkort|gavekort|karta podarunkowa|bon podarunkowy|darkovy poukaz|darcekova poukazka|ajandekutalvany|ajandekkartya|card cadou|lahjakortti|kinkekaart|davanu karte|dovanu kuponas|darilni bon|poklon bon|hediye (?:karti|ceki)|kartu hadiah|cheque[ -]prenda|waardebon|cheque[ -]regalo|kad hadiah|the qua tang)\b|\bprepaid (?:card|visa|mastercard)\b|\b(?:steam|itunes|google play|playstation|psn|xbox|roblox|razer gold|apple) (?:gift|code|credit|voucher|card)|\b(?:steam|playstation|psn) wallet\b|\btop-?up (?:card|code|voucher)\b/;

/** The same in other scripts, whose word boundaries a regular expression can't find. */
const GIFT_CARDS_ELSEWHERE = new RegExp(
  [
    "подарочная карта",
    "подарочный сертификат",
    "подарунковий сертифікат",
    "подарункова картка",
    "подаръчен ваучер",
    "поклон картица",
    "δωροκάρτα",
    "δωροεπιταγή",
    "כרטיס מתנה",
    "שובר מתנה",
    "بطاقة هدايا",
    "بطاقة هدية",
    "کارت هدیه",
    "礼品卡",
    "禮品卡",
    "购物卡",
    "禮券",
    "ギフトカード",
    "ギフト券",
    "商品券",
    "상품권",
    "기프트카드",
    "บัตรของขวัญ",
    "उपहार कार्ड",
  ]
    .map(foldText)
    .join("|"),
);

const MANY = 5;
const SEVERAL = 2;
/** The gift cards in an order: a single small one is a present, but a stack empties a stolen card. */
const GIFT_CARD_TIERS = [
  { cards: 5, usd: 400, points: 24 },
  { cards: 3, usd: 150, points: 16 },
  { cards: 0, usd: 0, points: 8 },
] as const;

function isGiftCard({ name, kind }: ItemFacts): boolean {
  return kind === "gift-card" || GIFT_CARD_PATTERN.test(name) || GIFT_CARDS_ELSEWHERE.test(name);
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
  return {
    points: tier?.points ?? 0,
    description: "The order contains gift cards or codes, which are as good as cash.",
  };
}

/** Cheaper goods with such a name are cases, cables or games, in any language. */
const LEAST_RESALE_USD = 50;

function isResaleItem({ name, price = 0 }: ItemFacts, usdPerUnit = 0): boolean {
  return price * usdPerUnit >= LEAST_RESALE_USD && namesResaleGoods(name);
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
    return kind === "resale" && price * usdPerUnit >= DEAR_PIECE_USD && !namesAccessory(name);
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
    points: count >= MANY ? 14 : 6,
    description: `${Math.round(count)} units of one item that is easy to resell.`,
  };
}

function observeResaleItem(facts: OrderFacts): Observation | null {
  if (listResaleItems(facts).length === 0) return null;
  const description = hasResaleItem(facts)
    ? "The order contains goods that are easy to resell."
    : "The catalog files some of the goods under a category that is easy to resell.";
  return { points: 4, description };
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
        description: `${Math.round(most)} units of one expensive item, without a company name.`,
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

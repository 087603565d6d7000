/** What a made-up shop usually sells, and to how many. */
export interface Shop {
  /** Orders a day over the last weeks; none for a new shop. */
  readonly daily: number;
  readonly currency: "USD" | "EUR" | "GBP" | "MYR";
  /** The amounts of every tenth of its orders, from the smallest to the largest. */
  readonly amounts: readonly number[];
  /** Names of what it sells, the most frequent first. */
  readonly goods: readonly string[];
  /** The share of orders by customers who have ordered before. */
  readonly known: number;
}

/** Shops of the stories. Amounts are chosen by hand, to look like the shops that people describe. */
export const SHOPS = {
  clothes: {
    daily: 24,
    currency: "USD",
    amounts: [18, 26, 34, 42, 51, 62, 76, 94, 128, 240],
    goods: ["Cotton T-shirt", "Linen shirt", "Wool socks", "Jeans", "Rain jacket"],
    known: 0.45,
  },
  coffee: {
    daily: 15,
    currency: "USD",
    amounts: [12, 15, 18, 22, 26, 30, 35, 42, 54, 90],
    goods: ["Espresso beans 1 kg", "Filter coffee", "Decaf beans", "Coffee filters", "Mug"],
    known: 0.6,
  },
  electronics: {
    daily: 40,
    currency: "USD",
    amounts: [15, 25, 45, 70, 110, 180, 320, 620, 1_050, 2_200],
    goods: ["USB-C cable", "Headphones", "Keyboard", "Monitor 27 inch", "Laptop 14 inch"],
    known: 0.35,
  },
  elektronik: {
    daily: 30,
    currency: "EUR",
    amounts: [12, 22, 40, 65, 99, 160, 290, 560, 980, 1_900],
    goods: ["USB-C-Kabel", "Kopfhörer", "Tastatur", "Monitor 27 Zoll", "Notebook 14 Zoll"],
    known: 0.35,
  },
  jewelry: {
    daily: 6,
    currency: "USD",
    amounts: [35, 55, 80, 110, 150, 210, 290, 420, 680, 1_500],
    goods: ["Silver earrings", "Pearl necklace", "Wedding band", "Bracelet", "Gold ring"],
    known: 0.2,
  },
  gamecodes: {
    daily: 50,
    currency: "USD",
    amounts: [10, 10, 15, 20, 20, 25, 30, 50, 50, 100],
    goods: ["Game key", "Game pass 1 month", "Console top-up 20", "Console top-up 50", "Mobile game coins"],
    known: 0.55,
  },
  furniture: {
    daily: 8,
    currency: "USD",
    amounts: [120, 190, 260, 340, 450, 590, 780, 1_050, 1_600, 3_200],
    goods: ["Oak chair", "Side table", "Bookshelf", "Desk", "Sofa"],
    known: 0.15,
  },
  bridal: {
    daily: 3,
    currency: "USD",
    amounts: [300, 520, 760, 900, 1_050, 1_200, 1_400, 1_700, 2_100, 3_000],
    goods: ["Wedding dress", "Veil", "Bridal shoes"],
    known: 0.05,
  },
  charity: {
    daily: 20,
    currency: "USD",
    amounts: [5, 10, 10, 20, 25, 25, 50, 50, 100, 250],
    goods: ["Donation", "Calendar", "Postcards"],
    known: 0.5,
  },
  stickers: {
    daily: 30,
    currency: "USD",
    amounts: [1.5, 1.9, 2.5, 3, 4, 5, 6, 8, 12, 20],
    goods: ["Sticker", "Pin badge", "Patch"],
    known: 0.3,
  },
  maison: {
    daily: 12,
    currency: "EUR",
    amounts: [15, 22, 30, 38, 47, 58, 72, 95, 140, 260],
    goods: ["Bougie parfumée", "Coussin", "Tasse", "Nappe"],
    known: 0.4,
  },
  kedai: {
    daily: 20,
    currency: "MYR",
    amounts: [25, 40, 60, 80, 110, 150, 200, 280, 400, 900],
    goods: ["Baju", "Kasut", "Beg", "Tudung"],
    known: 0.4,
  },
  opening: { daily: 0, currency: "USD", amounts: [], goods: [], known: 0 },
} as const satisfies Readonly<Record<string, Shop>>;

export type ShopName = keyof typeof SHOPS;

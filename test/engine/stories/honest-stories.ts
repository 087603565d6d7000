import {
  at,
  first,
  goods,
  HOUR_MS,
  IPHONE,
  IPS,
  known,
  many,
  MINUTE_MS,
  NO_PHONE,
  one,
  PLACES,
  stranger,
  who,
  type Story,
} from "./story.ts";

const CLUB = { street: "200 Stadium Road", city: "Denver", state: "CO", postalCode: "80204", country: "US" };
const SCHOOL = { street: "45 School Lane", city: "Boise", state: "ID", postalCode: "83704", country: "US" };
const DORM = { street: "900 College Ave", city: "Austin", state: "TX", postalCode: "78705", country: "US" };
const HOUSE = { street: "31 Birch Street", city: "Tampa", state: "FL", postalCode: "33602", country: "US" };
const HOTEL = { street: "1 Beach Boulevard", city: "Tampa", state: "FL", postalCode: "33606", country: "US" };
const family = (index: number, surname: string) =>
  `${["Anna", "Ben", "Clara", "Dennis", "Ellen", "Fred"][index] ?? "Gina"} ${surname}`;
const toMail = (name: string): string => `${name.toLowerCase().replace(" ", ".")}@gmail.com`;

/**
 * Honest people. Many look like a thief at first sight. The stories were written before the rules that they measure,
 * and weren't changed for them.
 */
export const HONEST_STORIES: readonly Story[] = [
  // Sales and other rushes.
  {
    what: "a flash sale: sixty newcomers buy one article in an hour",
    shop: "clothes",
    orders: many(60, (index) => stranger(index, goods("Rain jacket", 1, 59))),
    apartMs: MINUTE_MS,
  },
  {
    what: "a drop: fifty newcomers buy one pair of sneakers each",
    shop: "clothes",
    orders: many(50, (index) => stranger(index, goods("Runner sneakers limited", 1, 180))),
    apartMs: 30_000,
  },
  {
    what: "gift-card season: thirty people buy one each in a day",
    shop: "clothes",
    orders: many(30, (index) =>
      index % 2 === 0
        ? stranger(index, goods("Gift card", 1, 25 + 25 * (index % 3), "USD", 0))
        : { ...stranger(index, goods("Gift card", 1, 50, "USD", 0)), ...repeat(4, 55, 300) },
    ),
    apartMs: 25 * MINUTE_MS,
  },
  {
    what: "a newsletter to regular customers: thirty buy one coffee in an hour",
    shop: "coffee",
    orders: many(30, (index) => ({
      ...stranger(index, goods("New harvest beans", 1, 19)),
      ...repeat(6, 30, 400),
    })),
  },
  {
    what: "samples for 1 USD, half of the buyers are regular customers",
    shop: "coffee",
    orders: many(30, (index) =>
      index % 2 === 0
        ? stranger(index, goods("Sample bag", 1, 1, "USD", 0))
        : { ...stranger(index, goods("Sample bag", 1, 1, "USD", 0)), ...repeat(5, 30, 200) },
    ),
    apartMs: 4 * MINUTE_MS,
  },
  {
    what: "a shop's first day",
    shop: "opening",
    orders: many(40, (index) => stranger(index, goods("Candle", 1, 12 + (index % 9)))),
    apartMs: 12 * MINUTE_MS,
  },
  {
    what: "a new shop whose first orders cost 1 USD",
    shop: "opening",
    orders: many(15, (index) => stranger(index, goods("Sticker", 1, 1, "USD", 0))),
    apartMs: 20 * MINUTE_MS,
  },
  {
    what: "a video makes a sticker popular",
    shop: "stickers",
    orders: many(50, (index) => stranger(index, goods("Sticker", 1, 1.9, "USD", 0))),
    apartMs: MINUTE_MS,
  },
  {
    what: "a fundraiser: forty small donations in an evening",
    shop: "charity",
    orders: many(40, (index) => stranger(index, goods("Donation", 1, 5 + 5 * (index % 4), "USD", 0))),
    apartMs: 4 * MINUTE_MS,
  },
  {
    what: "a bank's many customers on one day",
    shop: "clothes",
    orders: many(10, (index) => stranger(index, goods("Jeans", 1, 74)), { bin: "415974" }),
    apartMs: 50 * MINUTE_MS,
  },
  {
    what: "a new game: forty people buy its key",
    shop: "gamecodes",
    orders: many(40, (index) => stranger(index, goods("Game key", 1, 30, "USD", 0))),
    apartMs: 2 * MINUTE_MS,
  },

  // People at one place.
  {
    what: "a baby registry: seven friends send presents to one house",
    shop: "clothes",
    orders: many(7, (index) =>
      stranger(index, goods("Baby blanket", 1, 38 + 9 * index), { shippingAddress: HOUSE }),
    ),
    apartMs: 9 * HOUR_MS,
  },
  {
    what: "a sports club: fourteen parents order jerseys to the club",
    shop: "clothes",
    orders: many(14, (index) => stranger(index, goods("Team jersey", 1, 45), { shippingAddress: CLUB })),
    apartMs: 4 * HOUR_MS,
  },
  {
    what: "six parents send a teacher a present",
    shop: "coffee",
    orders: many(6, (index) =>
      stranger(index, goods("Coffee gift box", 1, 28), {
        billingAddress: { ...SCHOOL, street: `${12 + index} Elm St` },
        shippingAddress: SCHOOL,
      }),
    ),
    apartMs: 6 * HOUR_MS,
  },
  {
    what: "a family of five with one card",
    shop: "clothes",
    orders: many(5, (index) =>
      first(
        goods("Wool socks", 2, 12),
        who(family(index, "Ingram"), toMail(family(index, "Ingram")), "Anna Ingram", "4410"),
        at(HOUSE),
        NO_PHONE,
      ),
    ),
    apartMs: 10 * HOUR_MS,
  },
  {
    what: "four of a family with their own cards, before Christmas",
    shop: "clothes",
    orders: many(4, (index) =>
      first(
        goods("Linen shirt", 1, 48),
        who(family(index, "Mercer"), toMail(family(index, "Mercer")), undefined, String(5100 + index)),
        at(HOUSE),
        NO_PHONE,
      ),
    ),
    apartMs: 20 * HOUR_MS,
  },
  {
    what: "a student's laptop for the dormitory on a parent's card",
    shop: "electronics",
    orders: [
      ...many(6, (index) => stranger(index, goods("Desk lamp", 1, 32), { shippingAddress: DORM })),
      {
        order: first(
          goods("Laptop 14 inch", 1, 949),
          who("Emma Turner", "emma.turner07@gmail.com", "Paula Turner"),
          at(PLACES.denver),
          { shippingAddress: DORM },
          NO_PHONE,
        ),
      },
    ],
    apartMs: 3 * HOUR_MS,
  },
  {
    what: "eight colleagues at one office",
    shop: "coffee",
    orders: many(8, (index) =>
      stranger(index, goods("Espresso beans 1 kg", 1, 24), {
        ipAddress: "73.40.5.6",
        shippingAddress: { ...PLACES.chicago, street: "300 W Adams Street Floor 4" },
      }),
    ),
    apartMs: 2 * HOUR_MS,
  },
  one(
    "a hotel guest buys a jacket on a journey",
    "clothes",
    first(goods("Rain jacket", 1, 129), { shippingAddress: HOTEL, userAgent: IPHONE }),
  ),

  // Companies.
  one(
    "a company's ten laptops",
    "electronics",
    first(goods("Laptop 14 inch", 10, 949), who("Susan Palmer", "susan.palmer@northwind-tools.com"), {
      companyName: "Northwind Tools Inc",
    }),
  ),
  one(
    "a company's gift cards for its staff",
    "clothes",
    first(goods("Gift card", 20, 50, "USD", 0), who("Susan Palmer", "susan.palmer@northwind-tools.com"), {
      companyName: "Northwind Tools Inc",
    }),
  ),
  one(
    "a café stocks up",
    "coffee",
    first(goods("Espresso beans 1 kg", 32, 22), who("Carla Foster", "orders@corner-cafe.com"), {
      companyName: "Corner Cafe LLC",
    }),
  ),
  one(
    "a school in Germany buys twenty-five notebooks",
    "elektronik",
    known(
      5,
      2_500,
      700,
      goods("Notebook 14 Zoll", 25, 620, "EUR", 0),
      who("Heike Brandt", "brandt@gymnasium-nord.de"),
      at(PLACES.munich),
      { ipAddress: IPS.de, companyName: "Gymnasium Nord", customerPhone: "+4989123450" },
    ),
  ),
  one(
    "a regular customer buys gift cards for the team",
    "clothes",
    known(16, 120, 900, goods("Gift card", 6, 50, "USD", 0)),
  ),

  // Larger and smaller than usual.
  one("from 8 to 42 USD", "stickers", known(6, 8, 200, goods("Patch", 4, 9.4))),
  one("a regular customer's grill", "furniture", known(9, 45, 800, goods("Garden grill", 1, 439))),
  one("a wedding dress", "bridal", first(goods("Wedding dress", 1, 1_450, "USD", 0))),
  one("a sofa as a first order", "furniture", first(goods("Sofa", 1, 1_890, "USD", 59))),
  one("clothes for a whole family's holiday", "clothes", first(goods("Rain jacket", 4, 129))),
  one("an espresso machine", "coffee", first(goods("Espresso machine", 1, 649))),
  one("engagement ring", "jewelry", first(goods("Gold ring", 1, 1_250, "USD", 0), { userAgent: IPHONE })),
  one("a sticker", "stickers", first(goods("Sticker", 1, 1.5, "USD", 0))),
  one(
    "a regular customer's spare part for 1.20 USD",
    "electronics",
    known(4, 90, 300, goods("Screw", 1, 1.2, "USD", 0)),
  ),
  one("a donation of 500 USD", "charity", known(4, 60, 900, goods("Donation", 1, 500, "USD", 0))),
  one(
    "a phone for home that the bank confirms",
    "electronics",
    first(goods("iPhone 17 Pro", 1, 1_099), { userAgent: IPHONE }),
    { avs: "Y", cvv: "M", wallet: "apple_pay" },
  ),
  one("a laptop for home", "electronics", known(5, 300, 500, goods("Laptop 14 inch", 1, 1_149))),

  // Codes and accessories.
  one("Robux for a child", "gamecodes", first(goods("Robux 800", 1, 9.99, "USD", 0))),
  one("an eGift for a birthday", "clothes", known(3, 60, 200, goods("eGift card", 1, 50, "USD", 0))),
  one(
    "a Paysafecard for a teenager",
    "elektronik",
    known(
      3,
      30,
      200,
      goods("Paysafecard 25 €", 1, 25, "EUR", 0),
      who("Heike Brandt", "heike.brandt@gmx.de"),
      at(PLACES.munich),
      { ipAddress: IPS.de, customerPhone: "+4989123450" },
    ),
  ),
  one("a case for AirPods", "electronics", first(goods("Case for AirPods Pro", 1, 15.9))),
  one("two laptop bags", "electronics", first(goods("Laptop bag 15 inch", 2, 79))),
  one("a controller for a console", "electronics", first(goods("Controller for PlayStation 5", 1, 69))),

  // Places, networks and devices.
  one(
    "a customer in Kuala Lumpur",
    "kedai",
    first(
      goods("Baju", 2, 80, "MYR", 8),
      who("Aisyah Rahman", "aisyah.rahman@gmail.com"),
      at(PLACES.kualaLumpur),
      {
        ipAddress: IPS.my,
        customerPhone: "+60123456701",
      },
    ),
  ),
  one(
    "a soldier overseas",
    "clothes",
    first(goods("Wool socks", 6, 12), {
      billingAddress: PLACES.denver,
      shippingAddress: {
        street: "PSC 1005 Box 42",
        city: "APO",
        state: "AE",
        postalCode: "09128",
        country: "US",
      },
      ipAddress: IPS.de,
    }),
  ),
  one(
    "a Brazilian with a forwarder",
    "electronics",
    known(
      6,
      140,
      400,
      goods("Headphones", 1, 199),
      who("Ana Souza", "ana.souza@uol.com.br"),
      at(PLACES.saoPaulo),
      {
        shippingAddress: {
          street: "8345 NW 66th St Suite 10423",
          city: "Miami",
          state: "FL",
          postalCode: "33166",
          country: "US",
        },
        ipAddress: IPS.br,
        customerPhone: "+5511987654321",
      },
    ),
  ),
  one(
    "a private relay and a hidden mailbox",
    "clothes",
    first(goods("Jeans", 1, 84), {
      customerEmail: "x9k2-qzxt.0f@privaterelay.appleid.com",
      ipAddress: IPS.relay,
      userAgent: IPHONE,
    }),
  ),
  one(
    "a student in Leeds on a VPN",
    "clothes",
    first(goods("Jeans", 1, 45, "GBP"), who("Grace Cole", "grace.cole@gmail.com"), at(PLACES.leeds), {
      ipAddress: IPS.vpn,
      ...NO_PHONE,
    }),
  ),
  one(
    "a regular customer in a hotel in Spain",
    "clothes",
    known(8, 60, 600, goods("Linen shirt", 1, 52), { ipAddress: IPS.es }),
  ),
  one(
    "a German who lives in Madrid",
    "maison",
    first(goods("Coussin", 2, 30, "EUR"), who("Jens Vogel", "jens.vogel@web.de"), at(PLACES.madrid), {
      ipAddress: IPS.es,
      customerPhone: "+4915123456789",
    }),
  ),
  one(
    "a Swiss customer has it sent across the border",
    "elektronik",
    first(
      goods("Monitor 27 Zoll", 1, 329, "EUR"),
      who("Urs Keller", "urs.keller@bluewin.ch"),
      at(PLACES.zurich),
      {
        shippingAddress: {
          street: "Hauptstraße 9",
          city: "Konstanz",
          state: "Baden-Württemberg",
          postalCode: "78462",
          country: "DE",
        },
        ipAddress: "85.0.0.10",
        customerPhone: "+41446681800",
      },
    ),
  ),
  one(
    "a nurse's order at three in the morning",
    "clothes",
    first(goods("Wool socks", 3, 12), { orderTimestamp: "2026-11-10T11:10:00Z", userAgent: IPHONE }),
  ),
  one(
    "a present to a grandchild in another state",
    "clothes",
    first(goods("Linen shirt", 2, 48), who("Martha Sample", "martha.sample@aol.com"), {
      shippingAddress: PLACES.austin,
    }),
  ),
  one(
    "an order to a PO box in the country",
    "clothes",
    first(goods("Rain jacket", 2, 129), {
      shippingAddress: { ...PLACES.boise, street: "PO Box 118" },
      billingAddress: { ...PLACES.boise, street: "PO Box 118" },
    }),
  ),
  one(
    "overnight for a birthday",
    "clothes",
    known(3, 80, 250, goods("Linen shirt", 3, 48), { shippingAddress: PLACES.tampa }),
    { shippingMethods: ["Overnight"] },
  ),
  one("overnight as a first order", "clothes", first(goods("Jeans", 2, 74)), {
    shippingMethods: ["Next day air"],
  }),

  // Names.
  one(
    "a customer whose name is Mickey Sample",
    "clothes",
    first(goods("Jeans", 1, 74), who("Mickey Sample", "mickey.sample@gmail.com")),
  ),
  one(
    "a real Harry Potter",
    "coffee",
    first(goods("Mug", 2, 14), who("Harry Potter", "harry.potter@gmail.com")),
  ),
  one("a one-word name", "clothes", first(goods("Jeans", 1, 74), who("Suharto", "suharto1977@gmail.com"))),
  one(
    "Joy and Hope are names",
    "clothes",
    first(goods("Jeans", 1, 74), who("Hope Joy", "hope.joy@yahoo.com")),
  ),
  one(
    "a Vietnamese name",
    "clothes",
    first(goods("Jeans", 1, 74), who("Nguyễn Thị Hồng", "hongnguyen.thi@gmail.com", "Nguyen Thi Hong")),
  ),
  one(
    "a Japanese name in its own script",
    "clothes",
    first(
      goods("Jeans", 1, 74),
      who("山田 花子", "yamada.hanako@gmail.com", "Hanako Yamada"),
      at(PLACES.tokyo),
      {
        ipAddress: "126.0.0.10",
        customerPhone: "+81312345670",
      },
    ),
  ),
  {
    what: "somebody who forgot the belt orders again after ten minutes",
    shop: "clothes",
    orders: [{ order: first(goods("Jeans", 1, 74)) }, { order: first(goods("Leather belt", 1, 29)) }],
    apartMs: 10 * MINUTE_MS,
  },
  one(
    "a partner's card",
    "clothes",
    first(goods("Jeans", 1, 74), who("Jane Sample", "jane.sample@gmail.com", "Tom Baker")),
  ),
  one(
    "a Canadian first order",
    "clothes",
    first(goods("Jeans", 2, 74), who("Emily Roy", "emily.roy@rogers.com"), at(PLACES.toronto), {
      ipAddress: IPS.ca,
      customerPhone: "+14163922489",
    }),
  ),
];

/** Somebody who has ordered before. */
function repeat(orders: number, average: number, days: number) {
  return {
    isFirstTimeCustomer: false,
    accountAgeInDays: days,
    totalOrders: orders,
    fulfilledOrders: orders,
    averageOrderValue: average,
  };
}

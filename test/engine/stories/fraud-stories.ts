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

const RESHIPPER = {
  street: "8345 NW 66th St Suite 104233",
  city: "Doral",
  state: "FL",
  postalCode: "33166",
  country: "US",
};
const OREGON_UNIT = {
  street: "13325 NE Airport Way Suite 20417",
  city: "Portland",
  state: "OR",
  postalCode: "97230",
  country: "US",
};
const HOUSE = { street: "31 Birch Street", city: "Tampa", state: "FL", postalCode: "33602", country: "US" };
const NIGHT_IN_BERLIN = { orderTimestamp: "2026-11-10T02:14:00Z" };

/**
 * What thieves do, as merchants, payment providers and researchers describe it. Written before the rules that are measured
 * by them, and not changed for them.
 */
export const FRAUD_STORIES: readonly Story[] = [
  // Cards tried out: each order with a new name, mailbox, home, card and line.
  {
    what: "thirty cards tried out with 1.50 USD",
    shop: "clothes",
    orders: many(30, (index) => stranger(index, goods("Gift wrap", 1, 1.5, "USD", 0))),
  },
  {
    what: "twenty-five cards tried out with donations of 1 USD",
    shop: "charity",
    orders: many(25, (index) => stranger(index, goods("Donation", 1, 1, "USD", 0))),
    apartMs: 3 * MINUTE_MS,
  },
  {
    what: "thirty cards tried out on a shop's cheapest article",
    shop: "clothes",
    orders: many(30, (index) => stranger(index, goods("Shoe laces", 1, 3.95, "USD", 0))),
    apartMs: 90_000,
  },
  {
    what: "twenty-four cards of one issuer's range tried out",
    shop: "coffee",
    orders: many(24, (index) => stranger(index, goods("Filter coffee", 1, 14 + (index % 5))), {
      bin: "415974",
    }),
    apartMs: 4 * MINUTE_MS,
  },
  {
    what: "twenty pairs of sneakers with cards of one issuer's range",
    shop: "clothes",
    orders: many(20, (index) => stranger(index, goods("Runner sneakers", 1, 180)), { bin: "483316" }),
    apartMs: 6 * MINUTE_MS,
  },
  {
    what: "forty cards tried out through VPNs over a night",
    shop: "coffee",
    orders: many(40, (index) =>
      stranger(index, goods("Mug", 1, 1.9, "USD", 0), { ipAddress: `146.70.${100 + (index % 20)}.10` }),
    ),
    apartMs: 10 * MINUTE_MS,
  },
  {
    what: "twelve cards tried out from one line",
    shop: "clothes",
    orders: many(12, (index) => stranger(index, goods("Wool socks", 1, 9.9), { ipAddress: "73.32.10.11" })),
  },
  {
    what: "six cards of one mailbox within half an hour",
    shop: "electronics",
    orders: many(6, (index) =>
      first(
        goods("Headphones", 1, 129),
        who("Frank Keller", "frank.keller@gmail.com", undefined, String(4101 + index)),
      ),
    ),
    apartMs: 5 * MINUTE_MS,
  },
  {
    what: "thirty new mailboxes buy one gift card of 25 USD each",
    shop: "clothes",
    orders: many(30, (index) => stranger(index, goods("Gift card", 1, 25, "USD", 0))),
    apartMs: 3 * MINUTE_MS,
  },
  {
    what: "twenty-five card testers with 0.99 EUR",
    shop: "elektronik",
    orders: many(25, (index) =>
      stranger(index, goods("USB-C-Kabel", 1, 0.99, "EUR", 0), {
        ...at({ ...PLACES.berlin, street: `Lindenweg ${index + 3}` }),
        ipAddress: `91.64.${index}.10`,
      }),
    ),
  },
  {
    what: "a tiny order, and ten minutes later a phone from the same mailbox with another card",
    shop: "electronics",
    orders: [
      {
        order: first(
          goods("USB-C cable", 1, 1.2, "USD", 0),
          who("Oscar Norris", "oscar.norris@gmail.com", undefined, "5521"),
        ),
      },
      {
        order: first(
          goods("Galaxy S26 Ultra", 1, 1_199),
          who("Oscar Norris", "oscar.norris@gmail.com", "Helen Garner", "7740"),
        ),
      },
    ],
    apartMs: 10 * MINUTE_MS,
  },

  // Far more than the shop's customers spend.
  one(
    "nine hundred dollars of coffee to another state",
    "coffee",
    first(goods("Espresso beans 1 kg", 36, 24.5), { shippingAddress: PLACES.tampa }, NO_PHONE),
  ),
  one(
    "a guest's eleven jackets to another state",
    "clothes",
    first(goods("Rain jacket", 11, 129), { shippingAddress: PLACES.austin, ...NO_PHONE }),
  ),
  one(
    "a first order of 640 USD where people buy socks, with somebody else's card",
    "clothes",
    first(
      goods("Leather jacket", 2, 318),
      who("Peter Osborn", "peter.osborn@gmail.com", "Karen Mercer"),
      NO_PHONE,
    ),
  ),
  one(
    "half a kilo of tea money: 780 EUR in a shop for candles, to another town, at night",
    "maison",
    first(
      goods("Bougie parfumée", 20, 39, "EUR", 0),
      who("Luc Moreau", "luc.moreau@gmail.com", "Claire Petit"),
      { billingAddress: PLACES.paris, shippingAddress: PLACES.lyon, ipAddress: IPS.fr },
      NIGHT_IN_BERLIN,
      NO_PHONE,
    ),
  ),

  // Accounts taken over.
  one(
    "a customer of years who always spent 40 USD buys gold for 3,800",
    "jewelry",
    known(12, 40, 900, goods("Gold bar 1 oz", 1, 3_800, "USD", 0)),
  ),
  one(
    "the same, to another state",
    "jewelry",
    known(12, 40, 900, goods("Gold chain 14k", 2, 1_900, "USD", 0), { shippingAddress: PLACES.tampa }),
  ),
  one(
    "a customer of years buys gift cards for 600 USD",
    "clothes",
    known(9, 55, 640, goods("Gift card", 6, 100, "USD", 0)),
  ),
  one(
    "a taken account buys a camera for another address",
    "electronics",
    known(14, 65, 820, goods("Mirrorless camera body", 1, 1_349), {
      shippingAddress: PLACES.denver,
      ipAddress: IPS.usOther,
    }),
  ),
  one(
    "a taken account buys a laptop from a network abroad",
    "electronics",
    known(20, 45, 900, goods("Laptop 14 inch", 1, 1_180), {
      shippingAddress: PLACES.boise,
      ipAddress: IPS.vn,
    }),
  ),
  one(
    "a taken account buys Robux for 400 USD",
    "gamecodes",
    known(18, 15, 500, goods("Robux 10,000", 4, 99.99, "USD", 0), { ipAddress: IPS.usOther }),
  ),

  // As good as cash.
  one(
    "three Paysafecards at night",
    "elektronik",
    first(
      goods("Paysafecard 100 €", 3, 100, "EUR", 0),
      who("Uwe Lehmann", "uwe.lehmann@gmx.de", "Petra Vogel"),
      at(PLACES.berlin),
      { ipAddress: IPS.de },
      NIGHT_IN_BERLIN,
      NO_PHONE,
    ),
  ),
  one(
    "Guthabenkarten from somebody on a VPN",
    "elektronik",
    first(
      goods("Google Play Guthabenkarte 100 €", 4, 100, "EUR", 0),
      who("Jan Richter", "jan.richter@web.de"),
      at(PLACES.munich),
      { ipAddress: IPS.vpn },
      NO_PHONE,
    ),
  ),
  one(
    "bons d'achat with somebody else's card",
    "maison",
    first(
      goods("Bon d'achat 150 €", 4, 150, "EUR", 0),
      who("Luc Moreau", "luc.moreau@gmail.com", "Claire Petit"),
      at(PLACES.paris),
      { ipAddress: IPS.fr },
      NO_PHONE,
    ),
  ),
  one(
    "five Razer Gold PINs from a new account",
    "kedai",
    first(
      goods("Razer Gold PIN RM200", 5, 200, "MYR", 0),
      who("Farid Osman", "fosman88213@gmail.com"),
      at(PLACES.kualaLumpur),
      { ipAddress: IPS.vn },
      NO_PHONE,
    ),
  ),
  one(
    "eGifts of 500 USD for a stranger's card",
    "electronics",
    first(
      goods("Amazon eGift 250", 2, 250, "USD", 0),
      who("Brian Foster", "brian.foster@gmail.com", "Nina Lambert"),
      NO_PHONE,
    ),
  ),
  one(
    "six PlayStation codes at night",
    "gamecodes",
    first(
      goods("Código PlayStation Store 50 €", 6, 50, "EUR", 0),
      who("Pablo Ruiz", "pablo.ruiz@gmail.com", "Ana Torres"),
      at(PLACES.madrid),
      { ipAddress: IPS.es },
      NIGHT_IN_BERLIN,
      NO_PHONE,
    ),
  ),
  one(
    "ten gift cards at 3:40 through a VPN",
    "clothes",
    first(
      goods("Gift card", 10, 100, "USD", 0),
      { ipAddress: IPS.vpn, orderTimestamp: "2026-11-10T11:40:00Z" },
      NO_PHONE,
    ),
  ),

  // Goods that are easy to sell.
  one(
    "two MacBooks with sleeves to another state",
    "electronics",
    first(goods('MacBook Pro 14" with sleeve', 2, 1_999), { shippingAddress: PLACES.tampa }, NO_PHONE),
  ),
  one(
    "five AirPods with charging case, somebody else's card",
    "electronics",
    first(
      goods("AirPods Pro with charging case", 5, 249),
      who("Carl Young", "carl.young@gmail.com", "Susan Ellis"),
      NO_PHONE,
    ),
  ),
  one(
    "a phone overnight to another state, another holder",
    "electronics",
    first(
      goods("iPhone 17 Pro Max 512 GB incl. charger", 1, 1_399),
      who("Victor Reeves", "victor.reeves@gmail.com", "Irene Sawyer"),
      { shippingAddress: PLACES.chicago },
      NO_PHONE,
    ),
    { shippingMethods: ["Overnight"] },
  ),
  one(
    "two graphics cards to a forwarder",
    "electronics",
    first(goods("GeForce RTX 5090", 2, 2_199), { shippingAddress: RESHIPPER }, NO_PHONE),
  ),
  one(
    "two graphics cards from Vietnam to a unit in Oregon",
    "electronics",
    first(goods("GeForce RTX 5090", 2, 2_199), at(PLACES.chicago), {
      shippingAddress: OREGON_UNIT,
      ipAddress: IPS.vn,
    }),
  ),
  one(
    "three handbags from Chicago to Dubai",
    "clothes",
    first(
      goods("Designer leather handbag", 3, 690),
      at(PLACES.chicago),
      { shippingAddress: PLACES.dubai },
      NO_PHONE,
    ),
  ),
  one(
    "six pairs of sneakers in one size, another holder",
    "clothes",
    first(
      goods("Jordan 4 Retro sneakers size 10", 6, 215),
      who("Henry Jensen", "henry.jensen@gmail.com", "Emma Weaver"),
      NO_PHONE,
    ),
  ),
  one(
    "a week-old account sends a console to another state on somebody else's card",
    "electronics",
    first(
      goods("PlayStation 5 Pro console", 2, 749),
      who("Louis Turner", "lturner5519@gmail.com", "Grace Palmer"),
      { accountAgeInDays: 4, shippingAddress: PLACES.austin },
      NO_PHONE,
    ),
  ),
  one(
    "a German phone order from Romania to another town",
    "elektronik",
    first(
      goods("Galaxy S26 256 GB", 1, 899, "EUR"),
      who("Sabine Krause", "skrause77412@gmail.com", "Dieter Hahn"),
      at(PLACES.munich),
      { shippingAddress: PLACES.berlin, ipAddress: "86.120.0.10" },
      NO_PHONE,
    ),
  ),

  // Made-up people.
  one(
    "Mickey Mouse buys headphones",
    "electronics",
    first(
      goods("Noise cancelling headphones", 1, 329),
      who("Mickey Mouse", "mickey.mouse@gmail.com"),
      NO_PHONE,
    ),
  ),
  one(
    "Batman buys two watches",
    "jewelry",
    first(goods("Automatic watch", 2, 340), who("Bat Man", "batman@gmail.com", "Robert Garner"), NO_PHONE),
  ),
  one(
    "a name from the keyboard's rows",
    "clothes",
    first(goods("Rain jacket", 2, 129), who("Asdfgh Jklzxc", "asdfghjk@gmail.com", "Paula Ingram"), NO_PHONE),
  ),
  one(
    "Nobody Nowhere",
    "electronics",
    first(goods("Tablet 11 inch", 1, 499), who("Nobody Nowhere", "nobody@gmail.com", "Adam Dixon"), NO_PHONE),
  ),

  // Many accounts.
  {
    what: "an invented family: ten new accounts of one name at one house, each with its own card, for phones",
    shop: "electronics",
    orders: many(10, (index) => {
      const given = ["Al", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ira", "Jo"][index] ?? "";
      return first(
        goods("Pixel 10 phone", 1, 699),
        who(
          `${given} Brown`,
          `${given}brown${200 + index}@gmail.com`.toLowerCase(),
          undefined,
          String(3300 + index),
        ),
        at(HOUSE),
        { ipAddress: "73.55.20.11" },
        NO_PHONE,
      );
    }),
    apartMs: 5 * HOUR_MS,
  },
  {
    what: "eight welcome coupons of one surname at one house",
    shop: "clothes",
    orders: many(8, (index) => {
      const given = ["Ann", "Ben", "Cal", "Dan", "Eve", "Fay", "Gil", "Hans"][index] ?? "";
      return first(
        goods("Linen shirt", 1, 46),
        who(`${given} Fields`, `${given}.fields@gmail.com`.toLowerCase(), undefined, String(6600 + index)),
        at(HOUSE),
        { ipAddress: "73.55.20.12" },
        NO_PHONE,
      );
    }),
    apartMs: HOUR_MS,
  },
  {
    what: "a reseller's mailbox pays with strangers' cards for six addresses",
    shop: "clothes",
    orders: many(6, (index) =>
      stranger(index, goods("Jeans", 1, 74), {
        customerEmail: "topdeals.store@gmail.com",
        ipAddress: "73.77.1.9",
      }),
    ),
    apartMs: 7 * HOUR_MS,
  },
  {
    what: "one card, four mailboxes in two days",
    shop: "coffee",
    orders: many(4, (index) => {
      const person = stranger(index, goods("Espresso beans 1 kg", 2, 24));
      return {
        ...person,
        paymentInfo: { brand: "visa", lastFourDigits: "4321", expiry: "12/28", holderName: "SAM BAKER" },
      };
    }),
    apartMs: 11 * HOUR_MS,
  },

  // Far away, hidden, or refused by the bank.
  one(
    "Idaho to Lagos",
    "electronics",
    first(goods("Laptop 16 inch", 3, 1_830), who("Tom Garner", "asdkf12495@gmail.com", "Nina Ellis"), {
      billingAddress: PLACES.boise,
      shippingAddress: PLACES.lagos,
    }),
  ),
  one(
    "a clean first order through Tor",
    "clothes",
    first(goods("Rain jacket", 1, 205), { ipAddress: IPS.tor }, NO_PHONE),
  ),
  one(
    "a British card, a disposable mailbox, goods to France",
    "clothes",
    first(
      goods("Linen shirt", 4, 48, "GBP"),
      who("Harry Cole", "harry.cole@yopmail.com"),
      at(PLACES.london),
      {
        shippingAddress: PLACES.lyon,
        ipAddress: IPS.fr,
      },
    ),
  ),
  one(
    "the bank knows neither the address nor the security code",
    "electronics",
    first(goods("Tablet 11 inch", 1, 549), { shippingAddress: PLACES.tampa }, NO_PHONE),
    { avs: "N", cvv: "N" },
  ),
  one(
    "a first order of 300 USD from Nigeria, everything else American",
    "clothes",
    first(goods("Leather jacket", 1, 298), { ipAddress: IPS.ng }, NO_PHONE),
  ),
  one(
    "a script's order of three pairs of headphones",
    "electronics",
    first(goods("Headphones", 3, 129), { userAgent: "python-requests/2.32.3", ipAddress: IPS.aws }, NO_PHONE),
  ),
  one(
    "seven of twelve orders canceled, three sent back",
    "clothes",
    first(
      {
        isFirstTimeCustomer: false,
        accountAgeInDays: 200,
        totalOrders: 12,
        cancelledOrders: 7,
        returnedOrders: 3,
        fulfilledOrders: 2,
        averageOrderValue: 80,
      },
      goods("Jeans", 2, 74),
      { userAgent: IPHONE },
    ),
  ),
];

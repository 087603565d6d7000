import { IPS } from "../stories/story.ts";
import {
  at,
  basket,
  gather,
  member,
  named,
  NEWCOMER,
  placeIn,
  to,
  type Gathering,
  type Plan,
} from "./members.ts";

type Changes = Parameters<typeof member>[2];
type Goods = readonly [name: string, quantity: number, usd: number];

const RESHIPPER = {
  street: "8345 NW 66th St Suite 104233",
  city: "Doral",
  state: "FL",
  postalCode: "33166",
  country: "US",
};

/** Victims' cards, each under a new account, for goods to one mule. */
function mule(
  what: string,
  plan: Plan,
  goods: Goods,
  change: (index: number) => Changes = () => ({}),
): Gathering {
  const house = placeIn(plan.code, 1, "64 Quarry Road");
  return gather(what, plan, (index) =>
    member(plan.code, index + 300, NEWCOMER, basket(plan.code, ...goods), to(house), change(index) ?? {}),
  );
}

/** New accounts whose cards are all billed to the house where they live, as far as they say. */
function house(
  what: string,
  plan: Plan,
  goods: Goods,
  change: (index: number) => Changes = () => ({}),
): Gathering {
  const home = placeIn(plan.code, 1, "64 Quarry Road");
  return gather(what, plan, (index) =>
    member(plan.code, index + 300, NEWCOMER, basket(plan.code, ...goods), at(home), change(index) ?? {}),
  );
}

/** One order of a thief. */
function single(
  what: string,
  plan: Plan,
  goods: readonly [string, number, number],
  ...changes: readonly Changes[]
): Gathering {
  return gather(what, plan, () =>
    member(plan.code, 333, NEWCOMER, basket(plan.code, ...goods), ...changes.map((change) => change ?? {})),
  );
}

const surname = (family: string) => (index: number) => {
  const given = "Al Bo Cy Di Ed Flo Gus Hal Ira Jo Kay Lee".split(" ")[index] ?? "Max";
  return named(
    `${given} ${family}`,
    `${given}.${family}${index + 3}@gmail.com`.toLowerCase(),
    undefined,
    String(3300 + index * 13),
  );
};

const LISTS: readonly Gathering[] = [
  mule(
    "a baby list of victims: strollers to a mule",
    { code: "US", circle: "registry", count: 8, hours: 6 },
    ["Stroller", 1, 430],
  ),
  mule(
    "a wedding list of victims in Britain: mixers",
    { code: "GB", circle: "registry", count: 8, hours: 8 },
    ["Stand mixer", 1, 390],
  ),
  mule("small presents to a mule", { code: "US", circle: "registry", count: 10, hours: 5 }, [
    "Silk scarf",
    1,
    72,
  ]),
  mule("sneakers to a mule within two days", { code: "DE", circle: "registry", count: 9, hours: 5 }, [
    "Runner sneakers",
    1,
    160,
  ]),
  mule("phones to a mule", { code: "US", circle: "registry", count: 7, hours: 9, shop: "electronics" }, [
    "Galaxy S26 smartphone",
    1,
    720,
  ]),
  mule(
    "baby monitors to a mule, from one line",
    { code: "CA", circle: "registry", count: 9, hours: 3 },
    ["Baby monitor", 1, 210],
    () => ({
      ipAddress: "174.93.16.77",
    }),
  ),
  mule(
    "presents to a mule, through VPNs",
    { code: "FR", circle: "registry", count: 8, hours: 4 },
    ["Service de table", 1, 260],
    (index) => ({
      ipAddress: `146.70.${100 + index}.10`,
    }),
  ),
  mule(
    "a list of victims of one town",
    { code: "ES", circle: "registry", count: 8, hours: 5 },
    ["Cuna", 1, 240],
    (index) => ({
      billingAddress: placeIn("ES", 1, `Calle Real ${index * 3 + 2}`),
    }),
  ),
];

const HOUSES: readonly Gathering[] = [
  house(
    "ten new accounts live at one house: shoes",
    { code: "US", circle: "neighbors", count: 10, hours: 4 },
    ["Running shoes", 2, 120],
  ),
  house(
    "twelve new accounts live at one house: headphones",
    { code: "GB", circle: "neighbors", count: 12, hours: 3 },
    ["Headphones", 1, 210],
  ),
  house(
    "nine new accounts live at one house: jackets from one line",
    { code: "DE", circle: "neighbors", count: 9, hours: 6 },
    ["Winterjacke", 1, 260],
    () => ({
      ipAddress: "80.143.0.44",
    }),
  ),
  house(
    "ten new accounts live at one house: expensive coats",
    { code: "US", circle: "neighbors", count: 10, hours: 8 },
    ["Down coat", 1, 480],
  ),
  house(
    "an invented family of ten: perfume",
    { code: "US", circle: "neighbors", count: 10, hours: 5 },
    ["Eau de parfum 100 ml", 2, 110],
    surname("Brown"),
  ),
  house(
    "an invented family of twelve: phones",
    { code: "US", circle: "neighbors", count: 12, hours: 7, shop: "electronics" },
    ["Pixel 10 phone", 1, 640],
    surname("Fields"),
  ),
  house(
    "an invented family of eight: shirts",
    { code: "GB", circle: "neighbors", count: 8, hours: 2 },
    ["Linen shirt", 3, 60],
    surname("Marsh"),
  ),
];

/** Whether the `index`th account lives at the house, as far as it says. The others' cards are billed all over. */
function mixed(
  what: string,
  plan: Plan,
  [atHouse, elsewhere]: readonly [resident: Goods, other: Goods],
  livesThere: (index: number) => boolean,
): Gathering {
  const home = placeIn(plan.code, 1, "64 Quarry Road");
  return gather(what, plan, (index) => {
    const goods = livesThere(index) ? atHouse : elsewhere;
    const places = livesThere(index) ? at(home) : to(home);
    return member(plan.code, index + 400, NEWCOMER, basket(plan.code, ...goods), places);
  });
}

const MIXED: readonly Gathering[] = [
  mixed(
    "six new accounts that live at a house, then six cards billed all over",
    { code: "US", circle: "neighbors", count: 12, hours: 5 },
    [
      ["Winter jacket", 1, 140],
      ["Winter jacket", 1, 190],
    ],
    (index) => index < 6,
  ),
  mixed(
    "every other account lives at the house",
    { code: "US", circle: "neighbors", count: 12, hours: 4 },
    [
      ["Coffee machine", 1, 180],
      ["Coffee machine", 1, 180],
    ],
    (index) => index % 2 === 0,
  ),
  mixed(
    "five new accounts that live at a house, then phones",
    { code: "GB", circle: "neighbors", count: 10, hours: 6 },
    [
      ["Desk chair", 1, 150],
      ["Pixel 10 phone", 1, 640],
    ],
    (index) => index < 5,
  ),
  mixed(
    "four new accounts that live at a house, then gift cards",
    { code: "US", circle: "neighbors", count: 9, hours: 5 },
    [
      ["Down pillow", 2, 70],
      ["Gift card", 2, 100],
    ],
    (index) => index < 4,
  ),
  mixed(
    "every third account lives at the house",
    { code: "FR", circle: "neighbors", count: 12, hours: 5 },
    [
      ["Manteau", 1, 220],
      ["Manteau", 1, 220],
    ],
    (index) => index % 3 === 0,
  ),
];

const CLUBHOUSE = "Clubhouse, 7 Dock Road";
const CLUBS: readonly Gathering[] = [
  single(
    "an organizer's fifteen sneakers on somebody else's card",
    { code: "US", circle: "club" },
    ["Basketball sneakers", 15, 130],
    {
      ...named("Victor Hale", "victor.hale8841@gmail.com", "Nina Ellis"),
      ...to(placeIn("US", 2, CLUBHOUSE)),
    },
  ),
  single("a club's name at a forwarder", { code: "US", circle: "club" }, ["Team jacket", 20, 95], {
    ...to(RESHIPPER),
    companyName: "Riverside Athletic Club",
  }),
  single(
    "a German club's watches to another town",
    { code: "DE", circle: "club" },
    ["Sportuhr Smartwatch", 12, 220],
    {
      ...named("Jan Weber", "jweber77412@gmail.com", "Petra Vogel"),
      ...to(placeIn("DE", 3, "Vereinsheim, Am Sportplatz 7")),
      companyName: "SV Neudorf",
    },
  ),
  mule(
    "ten victims buy watches to a clubhouse",
    { code: "US", circle: "club", count: 10, hours: 5 },
    ["Sports smartwatch", 1, 220],
    () => ({
      shippingAddress: placeIn("US", 2, CLUBHOUSE),
    }),
  ),
  mule(
    "one card, six members",
    { code: "US", circle: "club", count: 6, hours: 6 },
    ["Team jersey", 2, 45],
    () => ({
      shippingAddress: placeIn("US", 2, CLUBHOUSE),
      paymentInfo: { brand: "visa", lastFourDigits: "4321", expiry: "12/28", holderName: "SAM BAKER" },
    }),
  ),
  single(
    "an organizer abroad buys rackets",
    { code: "FR", circle: "club" },
    ["Raquette de tennis", 14, 190],
    {
      ...to(placeIn("FR", 2, "Club House, 4 rue du Stade")),
      ipAddress: IPS.vn,
    },
  ),
];

const SCHOOL = "School House, 9 Station Lane";
const TEACHERS: readonly Gathering[] = [
  mule(
    "six victims give a teacher gift cards",
    { code: "US", circle: "teacher", count: 6, hours: 0.3 },
    ["Gift card", 1, 100],
    () => ({
      shippingAddress: placeIn("US", 0, SCHOOL),
    }),
  ),
  mule(
    "six victims give a teacher tablets, from abroad",
    { code: "US", circle: "teacher", count: 6, hours: 4 },
    ["Tablet 11 inch", 1, 480],
    (index) => ({
      shippingAddress: placeIn("US", 0, SCHOOL),
      ipAddress: `113.161.1.${10 + index}`,
    }),
  ),
  mule(
    "one parent's mailbox, five cards",
    { code: "GB", circle: "teacher", count: 5, hours: 3 },
    ["Tea hamper", 1, 90],
    () => ({
      customerEmail: "classgift.collect@gmail.com",
      shippingAddress: placeIn("GB", 0, SCHOOL),
    }),
  ),
  mule(
    "eight victims under the teacher's name",
    { code: "US", circle: "teacher", count: 8, hours: 5 },
    ["Wireless headphones", 1, 180],
    () => ({
      customerName: "Dorothy Whitman",
      shippingAddress: placeIn("US", 0, SCHOOL),
    }),
  ),
  mule(
    "seven victims send watches to a school in France",
    { code: "FR", circle: "teacher", count: 7, hours: 6 },
    ["Montre automatique", 1, 280],
    () => ({
      shippingAddress: placeIn("FR", 0, SCHOOL),
    }),
  ),
];

const COMPANIES: readonly Gathering[] = [
  single(
    "a forwarder with a company's name and laptops",
    { code: "US", circle: "company", shop: "electronics" },
    ["Laptop 14 inch", 6, 980],
    {
      ...named("Brian Foster", "brian.foster.sales@gmail.com", "Nina Lambert"),
      ...to(RESHIPPER),
      companyName: "Global Trade Supplies LLC",
    },
  ),
  single(
    "gift cards in bulk, a new mailbox and a card of another country",
    { code: "US", circle: "company" },
    ["Gift card", 20, 100],
    {
      ...named("Owen Price", "owenprice.hr@gmail.com"),
      billingAddress: placeIn("GB", 2, "15 Church Road"),
      companyName: "Price Holdings",
    },
  ),
  single(
    "gift cards in bulk on a server's network",
    { code: "US", circle: "company" },
    ["Gift card", 30, 50],
    {
      ...named("Leah Cross", "staffrewards2211@outlook.com", "Paul Adler"),
      companyName: "Staff Rewards Inc",
      ipAddress: IPS.aws,
    },
  ),
  single(
    "a typed company's phones to another state",
    { code: "US", circle: "company", shop: "electronics" },
    ["iPhone 17 Pro", 10, 1_050],
    {
      ...named("Dean Lowry", "dlowry@mail-orders.net"),
      ...to(placeIn("US", 3, "Unit 4, 200 Dock Road")),
      companyName: "Lowry Partners",
    },
  ),
  single(
    "a staff's vouchers on somebody else's card",
    { code: "DE", circle: "company" },
    ["Geschenkgutschein", 20, 50],
    {
      ...named("Uwe Lehmann", "uwe.lehmann@gmx.de", "Petra Vogel"),
      companyName: "Lehmann Handel",
    },
  ),
  single("a company's laptops through a VPN", { code: "GB", circle: "company" }, ["Laptop 15 inch", 8, 900], {
    ...named("Harvey Cole", "harveycole.trading@gmail.com", "Irene Sawyer"),
    ipAddress: IPS.vpn,
    companyName: "Cole Trading",
  }),
  single(
    "a company whose domain the thief bought, another holder",
    { code: "FR", circle: "company" },
    ["Galaxy S26 smartphone", 8, 760],
    {
      ...named("Luc Garnier", "achats@garnier-distribution.fr", "Claire Petit"),
      companyName: "Garnier Distribution",
    },
  ),
  single(
    "a company whose domain the thief bought, to another region",
    { code: "US", circle: "company", shop: "electronics" },
    ["Laptop 14 inch", 10, 990],
    {
      ...named("Carl Mercer", "carl@mercerwholesale.com"),
      ...to(placeIn("US", 4, "Dock 12, 900 Port Road")),
      companyName: "Mercer Wholesale",
    },
  ),
  single(
    "a company's phones that go abroad",
    { code: "GB", circle: "company" },
    ["iPhone 17 Pro", 5, 1_050],
    {
      ...named("Ruth Dale", "ruth@dale-imports.co.uk"),
      ...to(placeIn("NG", 0, "12 Marina Road")),
      companyName: "Dale Imports",
      ipAddress: IPS.ng,
    },
  ),
  single(
    "a company's gift cards, and the bank knows no such address",
    { code: "US", circle: "company", context: { avs: "N", cvv: "N" } },
    ["Gift card", 15, 50],
    {
      ...named("Joel Frost", "joel@frostpartners.com"),
      companyName: "Frost Partners",
    },
  ),
  single(
    "a lookalike company's projectors to a warehouse",
    { code: "US", circle: "company" },
    ["Projector", 6, 420],
    {
      ...named("Glen Archer", "purchasing@archer-university.org"),
      ...to(placeIn("US", 1, "Bay 3, 77 Freight Way")),
      companyName: "Archer University",
    },
  ),
  single(
    "a lookalike company's drills to another region, another holder",
    { code: "DE", circle: "company" },
    ["Akkuschrauber", 12, 190],
    {
      ...named("Tim Brandt", "einkauf@brandt-bau.de", "Rosa Winkler"),
      ...to(placeIn("DE", 1, "Lagerstraße 9")),
      companyName: "Brandt Bau GmbH",
    },
  ),
  single(
    "a lookalike company's gift cards to another state",
    { code: "US", circle: "company" },
    ["Gift card", 20, 50],
    {
      ...named("Ivy Lennox", "ivy@lennoxclinics.com"),
      ...to(placeIn("US", 3, "Suite 4, 12 River Road")),
      companyName: "Lennox Clinics",
    },
  ),
  single(
    "a typed company's toner through a VPN",
    { code: "GB", circle: "company" },
    ["Toner cartridge", 25, 95],
    {
      ...named("Ross Tate", "rosstate.office@outlook.com"),
      ipAddress: IPS.vpn,
      companyName: "Tate Office",
    },
  ),
  single(
    "a lookalike company orders from abroad",
    { code: "FR", circle: "company" },
    ["Écran 27 pouces", 10, 280],
    {
      ...named("Marc Valois", "marc@valois-conseil.fr"),
      ...to(placeIn("FR", 2, "Entrepôt 5, rue du Port")),
      ipAddress: IPS.vn,
      companyName: "Valois Conseil",
    },
  ),
];

/** Thieves who use what excuses honest gatherings. Written before anybody looked at what the engine makes of them. */
export const IMITATIONS: readonly Gathering[] = [
  ...LISTS,
  ...HOUSES,
  ...MIXED,
  ...CLUBS,
  ...TEACHERS,
  ...COMPANIES,
];

import { COMPANIES } from "./companies.ts";
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

type Goods = readonly (readonly [name: string, usd: number])[];

/** Lives in the `town`th place of the country, like the others. */
const local = (code: string, town: number, index: number) => ({
  billingAddress: placeIn(code, town, `${11 + 3 * index} Garden Lane`),
});

const BABY: Goods = [
  ["Baby blanket", 38],
  ["Stroller", 420],
  ["Crib mattress", 130],
  ["Diaper bag", 65],
  ["Baby carrier", 110],
  ["Wooden rattle", 19],
];
const WEDDING: Goods = [
  ["Dutch oven", 240],
  ["Linen bed set", 160],
  ["Cutlery for twelve", 320],
  ["Wine glasses", 75],
  ["Stand mixer", 390],
  ["Picnic basket", 55],
];
const HOUSEHOLD: Goods = [
  ["Toaster", 60],
  ["Table lamp", 45],
  ["Bath towels", 35],
  ["Salad bowl", 28],
];

/** Friends and relatives from all over send what is on a list to one home. Every fifth order is of those who live there. */
function registry(what: string, plan: Omit<Plan, "circle">, goods: Goods, isLocal = false): Gathering {
  const home = placeIn(plan.code, 1, "27 Rose Street");
  return gather(what, { ...plan, circle: "registry" }, (index) => {
    const [name, usd] = goods[index % goods.length] ?? ["Towel", 30];
    return member(
      plan.code,
      index + 20,
      basket(plan.code, name, 1, usd),
      isLocal ? local(plan.code, 1, index) : {},
      index % 5 === 4 ? at(home) : to(home),
    );
  });
}

const REGISTRIES: readonly Gathering[] = [
  registry("a baby list in the United States", { code: "US", count: 9, hours: 11 }, BABY),
  registry("a wedding list in the United States", { code: "US", count: 14, hours: 9 }, WEDDING),
  registry("a wedding list in Britain", { code: "GB", count: 10, hours: 14 }, WEDDING),
  registry("a baby list in Germany", { code: "DE", count: 8, hours: 16 }, BABY),
  registry("a wedding list in France", { code: "FR", count: 12, hours: 10 }, WEDDING),
  registry("a baby list in Spain", { code: "ES", count: 7, hours: 20 }, BABY),
  registry("a baby list in Canada", { code: "CA", count: 9, hours: 12 }, BABY),
  registry("a wedding list in Australia", { code: "AU", count: 8, hours: 18 }, WEDDING),
  registry("a bridal shower in Mexico", { code: "MX", count: 8, hours: 9 }, HOUSEHOLD),
  registry("a baby shower in Brazil", { code: "BR", count: 10, hours: 8 }, BABY),
  registry("a wedding list in India", { code: "IN", count: 10, hours: 7 }, HOUSEHOLD),
  registry(
    "a housewarming in the Netherlands, friends of one town",
    { code: "NL", count: 7, hours: 5 },
    HOUSEHOLD,
    true,
  ),
  registry("a baby list in Sweden", { code: "SE", count: 6, hours: 20 }, BABY),
  registry("a wedding list in Poland, guests of one town", { code: "PL", count: 9, hours: 8 }, WEDDING, true),
];

/** Members of one town order their own to the club's house. */
function clubOfMany(what: string, plan: Omit<Plan, "circle">, goods: Goods): Gathering {
  const house = placeIn(plan.code, 2, "Clubhouse, 2 Stadium Road");
  return gather(what, { ...plan, circle: "club" }, (index) => {
    const [name, usd] = goods[index % goods.length] ?? ["Jersey", 45];
    return member(
      plan.code,
      index + 50,
      basket(plan.code, name, index % 4 === 3 ? 2 : 1, usd),
      local(plan.code, 2, index),
      to(house),
    );
  });
}

/** One organizer buys for everybody. */
function organizer(
  what: string,
  code: string,
  [name, quantity, usd]: readonly [string, number, number],
  changes: Parameters<typeof member>[2],
): Gathering {
  const home = placeIn(code, 2, "16 Garden Lane");
  return gather(what, { code, circle: "club" }, () =>
    member(code, 61, NEWCOMER, basket(code, name, quantity, usd), at(home), changes ?? {}),
  );
}

const CLUBS: readonly Gathering[] = [
  clubOfMany("a soccer club's parents order jerseys", { code: "US", count: 14, hours: 5 }, [
    ["Team jersey", 45],
  ]),
  clubOfMany("a hockey club's sticks and bags", { code: "CA", count: 10, hours: 7 }, [
    ["Hockey stick", 140],
    ["Hockey bag", 85],
  ]),
  clubOfMany("a rowing club's jackets", { code: "GB", count: 12, hours: 6 }, [["Rowing jacket", 95]]),
  clubOfMany("a running club's shoes", { code: "DE", count: 9, hours: 8 }, [["Laufschuhe", 130]]),
  clubOfMany("a tennis club's rackets", { code: "FR", count: 8, hours: 10 }, [
    ["Raquette de tennis", 180],
    ["Balles", 15],
  ]),
  clubOfMany("a judo school's suits", { code: "JP", count: 8, hours: 9 }, [["柔道着", 70]]),
  clubOfMany("a surf club's wetsuits", { code: "AU", count: 7, hours: 12 }, [["Wetsuit", 220]]),
  clubOfMany("a cricket club's bats", { code: "IN", count: 10, hours: 4 }, [["Cricket bat", 60]]),
  organizer("a coach buys twenty jerseys to the clubhouse", "US", ["Team jersey", 20, 42], {
    ...to(placeIn("US", 2, "Clubhouse, 2 Stadium Road")),
  }),
  organizer("a German club's treasurer buys eighteen tracksuits", "DE", ["Trainingsanzug", 18, 65], {
    ...named("Sabine Köhler", "kasse@tsv-lindental.de", "Sabine Köhler"),
    companyName: "TSV Lindental e.V.",
  }),
  organizer(
    "a French club's secretary buys twelve pairs of shoes",
    "FR",
    ["Chaussures de football", 12, 85],
    {
      ...named("Amélie Moreau", "amelie.moreau@orange.fr"),
      companyName: "AS Saint-Martin",
      ...to(placeIn("FR", 2, "Gymnase, 4 rue du Stade")),
    },
  ),
  organizer("a scout leader buys fifteen headlamps", "NL", ["Hoofdlamp", 15, 48], {
    ...named("Daan Visser", "daan.visser@ziggo.nl"),
  }),
  organizer(
    "a gym in Brazil buys ten yoga mats and pays with the owner's card",
    "BR",
    ["Tapete de yoga", 10, 55],
    {
      ...named("Thiago Ferreira", "contato@studio-ferreira.com.br"),
      companyName: "Studio Ferreira Ltda",
    },
  ),
  organizer("a basketball coach buys twelve pairs of sneakers", "ES", ["Zapatillas de baloncesto", 12, 95], {
    ...named("Lucía Ortega", "lucia.ortega@gmail.com"),
    ...to(placeIn("ES", 2, "Polideportivo, Calle Estadio 2")),
    companyName: "CB Ribera",
  }),
];

/** Parents of one town, some of them grandparents elsewhere, send a present to the school. */
function presents(
  what: string,
  plan: Omit<Plan, "circle">,
  goods: Goods,
  changes: Parameters<typeof member>[2] = {},
): Gathering {
  const school = placeIn(plan.code, 0, "School House, 45 School Lane");
  return gather(what, { ...plan, circle: "teacher" }, (index) => {
    const [name, usd] = goods[index % goods.length] ?? ["Coffee", 30];
    return member(
      plan.code,
      index + 80,
      basket(plan.code, name, 1, usd),
      index % 5 === 4 ? {} : local(plan.code, 0, index),
      to(school),
      changes,
    );
  });
}

const TEACHERS: readonly Gathering[] = [
  presents("parents send a teacher coffee", { code: "US", count: 7, hours: 4 }, [["Coffee gift box", 32]]),
  presents("parents send a teacher small gift cards", { code: "US", count: 6, hours: 5 }, [
    ["Gift card", 25],
  ]),
  presents("a nursery's parents send presents", { code: "GB", count: 8, hours: 6 }, [
    ["Scented candle", 24],
    ["Tea tin", 18],
  ]),
  presents("a class in Germany says goodbye", { code: "DE", count: 6, hours: 8 }, [
    ["Buch", 22],
    ["Blumenvase", 48],
  ]),
  presents("a class in France", { code: "FR", count: 7, hours: 6 }, [
    ["Bougie parfumée", 39],
    ["Foulard", 70],
  ]),
  presents("a school in Canada", { code: "CA", count: 8, hours: 5 }, [
    ["Mug", 18],
    ["Blanket", 60],
  ]),
  presents("a school in Australia", { code: "AU", count: 6, hours: 9 }, [["Chocolate box", 35]]),
  presents("a school in Mexico", { code: "MX", count: 7, hours: 4 }, [
    ["Taza", 15],
    ["Bufanda", 40],
  ]),
  presents("a school in Italy", { code: "IT", count: 6, hours: 7 }, [["Penna stilografica", 75]]),
  presents("a school in Poland", { code: "PL", count: 9, hours: 3 }, [
    ["Kubek", 14],
    ["Pióro", 55],
  ]),
  presents("a coach's larger present in Spain", { code: "ES", count: 6, hours: 10 }, [
    ["Reloj de pared", 110],
    ["Mochila", 80],
  ]),
  presents(
    "parents write the teacher's name as the customer's",
    { code: "US", count: 5, hours: 6 },
    [["Coffee gift box", 32]],
    {
      customerName: "Dorothy Whitman",
    },
  ),
  presents("a school in South Africa", { code: "ZA", count: 6, hours: 6 }, [["Picture frame", 28]]),
];

/** Neighbors, who are nobody's excuse and nobody's fault: each flat orders for itself. */
function flats(what: string, plan: Omit<Plan, "circle">, isOneDoor = false): Gathering {
  return gather(what, { ...plan, circle: "neighbors" }, (index) => {
    const street = isOneDoor ? "410 Mill Street" : `410 Mill Street Apt ${index + 1}`;
    return member(
      plan.code,
      index + 120,
      basket(plan.code, index % 3 === 0 ? "Desk lamp" : "Winter jacket", 1, 30 + ((index * 41) % 210)),
      at(placeIn(plan.code, 1, street)),
    );
  });
}

const NEIGHBORS: readonly Gathering[] = [
  flats("flats of a house in the United States", { code: "US", count: 10, hours: 5 }),
  flats(
    "flats of a house in Germany, whose addresses name no flat",
    { code: "DE", count: 10, hours: 9 },
    true,
  ),
  flats("a student hall in Britain", { code: "GB", count: 14, hours: 4 }),
  flats("a student hall in France, whose rooms aren't written", { code: "FR", count: 12, hours: 6 }, true),
  flats("a tower in Spain, whose flats aren't written", { code: "ES", count: 9, hours: 12 }, true),
];

/** Written before anybody looked at what the engine makes of them, and not changed for a rule. */
export const HONEST_GATHERINGS: readonly Gathering[] = [
  ...REGISTRIES,
  ...CLUBS,
  ...TEACHERS,
  ...COMPANIES,
  ...NEIGHBORS,
];

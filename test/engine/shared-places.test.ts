import { describe, expect, it } from "vitest";
import type { LocalAssessment } from "../../src/engine/engine.ts";
import type { RiskLevel } from "../../src/order/result.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { play } from "./play.ts";
import { orderWith } from "./sample-order.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Changes = Partial<VerificationRequest>;
const GIVEN =
  "Anna Peter Lucy Tom Mary Robert Linda James Karen Brian Susan David Nancy Paul Carol Mark".split(" ");
const FAMILY =
  "Smith Jones Brown Davis Wilson Moore Taylor White Hall King Hill Green Baker Adams Nelson Carter Reed Cook".split(
    " ",
  );
const CITIES = [
  ["Austin", "TX", "78701"],
  ["Tampa", "FL", "33602"],
  ["Seattle", "WA", "98101"],
  ["Denver", "CO", "80202"],
  ["Boston", "MA", "02108"],
] as const;
const CAMPUS = { street: "200 College Ave", city: "Ithaca", state: "NY", postalCode: "14850", country: "US" };

/** A person with a card, a home and a mailbox of their own; two of three have ordered before. */
function person(index: number, changes: Changes = {}): VerificationRequest {
  const given = GIVEN[index % GIVEN.length] ?? "";
  const family = FAMILY[(index * 5) % FAMILY.length] ?? "";
  const [city, state, postalCode] = CITIES[index % CITIES.length] ?? CITIES[0];
  const home = { street: `${index + 3} Oak Street`, city, state, postalCode, country: "US" };
  const isNew = index % 3 === 0;
  return orderWith({
    orderAmount: 35 + ((index * 37) % 150),
    items: [{ name: "Desk lamp", quantity: 1, price: 35 + ((index * 37) % 150) }],
    customerName: `${given} ${family}`,
    customerEmail: `${given}.${family}${index}@gmail.com`.toLowerCase(),
    isFirstTimeCustomer: isNew,
    accountAgeInDays: isNew ? 0 : 200,
    totalOrders: isNew ? 0 : 4,
    fulfilledOrders: isNew ? 0 : 4,
    averageOrderValue: isNew ? 0 : 80,
    billingAddress: home,
    shippingAddress: home,
    paymentInfo: {
      brand: "visa",
      lastFourDigits: String(3000 + index * 7),
      expiry: "08/28",
      holderName: `${given} ${family}`,
    },
    ipAddress: `73.158.${index}.15`,
    ...changes,
  });
}

const NEW: Changes = {
  isFirstTimeCustomer: true,
  accountAgeInDays: 0,
  totalOrders: 0,
  fulfilledOrders: 0,
  averageOrderValue: 0,
};
const KNOWN: Changes = {
  isFirstTimeCustomer: false,
  accountAgeInDays: 200,
  totalOrders: 4,
  fulfilledOrders: 4,
  averageOrderValue: 80,
};
const people = (count: number, change: (index: number) => Changes): readonly VerificationRequest[] =>
  Array.from({ length: count }, (_, index) => person(index, change(index)));
const card = (holderName: string, lastFourDigits = "4567") => ({
  brand: "visa",
  lastFourDigits,
  expiry: "08/28",
  holderName,
});
const family = (index: number): Changes => {
  const given = GIVEN[index] ?? "";
  return {
    customerName: `${given} Miller`,
    customerEmail: `${given.toLowerCase()}.miller@gmail.com`,
    shippingAddress: CAMPUS,
    billingAddress: CAMPUS,
    ipAddress: "73.158.64.15",
  };
};

/** Places that many honest people share. */
const SHARED: readonly (readonly [what: string, orders: readonly VerificationRequest[], apartMs: number])[] =
  [
    [
      "a family with one card and one line, in two hours",
      people(4, (index) => ({ ...family(index), paymentInfo: card("PETER MILLER") })),
      30 * MINUTE_MS,
    ],
    [
      "a family that is new to the shop",
      people(4, (index) => ({ ...family(index), ...NEW, paymentInfo: card("PETER MILLER") })),
      12 * HOUR_MS,
    ],
    [
      "an office at lunch",
      people(10, (index) => ({
        shippingAddress: CAMPUS,
        billingAddress: CAMPUS,
        customerEmail: `p${index}.${FAMILY[(index * 5) % FAMILY.length]}@acme-widgets.com`.toLowerCase(),
        ipAddress: "50.76.10.21",
      })),
      6 * MINUTE_MS,
    ],
    [
      "an office with one card",
      people(6, (index) => ({
        shippingAddress: CAMPUS,
        billingAddress: CAMPUS,
        companyName: "Acme Widgets",
        customerEmail: `p${index}.${FAMILY[(index * 5) % FAMILY.length]}@acme-widgets.com`.toLowerCase(),
        paymentInfo: card("ACME WIDGETS"),
        ipAddress: "50.76.10.21",
      })),
      HOUR_MS,
    ],
    [
      "a dormitory",
      people(24, () => ({ shippingAddress: CAMPUS, billingAddress: CAMPUS, ipAddress: "128.84.10.21" })),
      5 * HOUR_MS,
    ],
    [
      "a dormitory in September, everybody new",
      people(16, () => ({
        ...NEW,
        shippingAddress: CAMPUS,
        billingAddress: CAMPUS,
        ipAddress: "128.84.10.21",
      })),
      5 * HOUR_MS,
    ],
    [
      "a dormitory of which more than half are new, every other one with their parents' address on the bill",
      people(30, (index) => ({
        ...(index % 5 < 3 ? NEW : KNOWN),
        shippingAddress: CAMPUS,
        ...(index % 2 === 0 ? { billingAddress: CAMPUS } : {}),
        ...(index % 3 === 0 ? { customerEmail: `bluesky${index}@gmail.com` } : {}),
        ipAddress: "128.84.10.21",
      })),
      4 * HOUR_MS,
    ],
    [
      "a university's network",
      people(80, (index) => ({
        customerEmail: `st${index}.${FAMILY[(index * 5) % FAMILY.length]}@cornell.edu`.toLowerCase(),
        ipAddress: "128.84.10.22",
      })),
      15 * MINUTE_MS,
    ],
    [
      "a family's dear presents, all of them new to the shop",
      people(4, (index) => ({ ...family(index), ...NEW, orderAmount: 380 })),
      12 * HOUR_MS,
    ],
    [
      "a dormitory in a sale, everybody new, eight in an hour",
      people(16, () => ({ ...NEW, ipAddress: "128.84.10.21" })),
      7.5 * MINUTE_MS,
    ],
    [
      "a carrier's network where everybody orders as a guest, one in six something dear",
      people(100, (index) => ({
        ...NEW,
        ipAddress: "172.58.10.20",
        ...(index % 6 === 5 ? { orderAmount: 380 } : {}),
      })),
      10 * MINUTE_MS,
    ],
    ["a carrier's network", people(100, () => ({ ipAddress: "172.58.10.20" })), 10 * MINUTE_MS],
    [
      "a locker",
      people(30, () => ({ shippingAddress: { ...CAMPUS, street: "Amazon Locker Jade, 5 Main Street" } })),
      2 * HOUR_MS,
    ],
    [
      "a locker in Chinese",
      people(30, () => ({
        billingAddress: {
          street: "菜鸟驿站 12号",
          city: "杭州",
          state: "浙江",
          postalCode: "310000",
          country: "CN",
        },
        shippingAddress: {
          street: "菜鸟驿站 12号",
          city: "杭州",
          state: "浙江",
          postalCode: "310000",
          country: "CN",
        },
        ipAddress: "36.16.0.10",
        customerPhone: "+8613812345678",
      })),
      2 * HOUR_MS,
    ],
    [
      "a Ukrainian post office",
      people(30, () => ({
        billingAddress: {
          street: "Нова Пошта, відділення №12",
          city: "Київ",
          state: "Київ",
          postalCode: "01001",
          country: "UA",
        },
        shippingAddress: {
          street: "Нова Пошта, відділення №12",
          city: "Київ",
          state: "Київ",
          postalCode: "01001",
          country: "UA",
        },
        ipAddress: "46.211.0.10",
        customerPhone: "+380671234567",
      })),
      2 * HOUR_MS,
    ],
  ];

const random = "xkq7vbt2 qzt9wrm1 bvk2xpl8 wqk3trd9 zxp4lmn7 hjk5wqr2 mnb6zxt1 pqw8kzv3".split(" ");

/** Orders that only show beside each other what they are. The first ones of each can't be told apart from honest ones. */
const RINGS: readonly (readonly [what: string, orders: readonly VerificationRequest[], apartMs: number])[] = [
  [
    "many names and cards at one address, billed all over",
    people(8, () => ({ ...NEW, shippingAddress: CAMPUS })),
    5 * HOUR_MS,
  ],
  [
    "many names and cards at one address, for dear goods",
    people(8, () => ({ ...NEW, shippingAddress: CAMPUS, billingAddress: CAMPUS, orderAmount: 380 })),
    5 * HOUR_MS,
  ],
  [
    "many cards of one mailbox",
    people(8, (index) => ({
      ...NEW,
      customerName: "Ann Fox",
      customerEmail: "ann.fox@gmail.com",
      billingAddress: CAMPUS,
      shippingAddress: CAMPUS,
      paymentInfo: card("ANN FOX", String(1234 + index)),
    })),
    HOUR_MS,
  ],
  [
    "many addresses of one mailbox",
    people(8, (index) => ({
      ...NEW,
      customerName: "Ann Fox",
      customerEmail: "ann.fox@gmail.com",
      billingAddress: CAMPUS,
      shippingAddress: { ...CAMPUS, street: `${index + 1} Elm Street` },
      paymentInfo: card("ANN FOX"),
    })),
    8 * HOUR_MS,
  ],
  [
    "many names of one mailbox",
    people(8, () => ({ ...NEW, customerEmail: "shopper.one@gmail.com" })),
    5 * HOUR_MS,
  ],
  ["many people with one card", people(8, () => ({ ...NEW, paymentInfo: card("ANN FOX") })), 5 * HOUR_MS],
  [
    "one person with many mailboxes and one card",
    people(8, (index) => ({
      ...NEW,
      customerName: "Ann Fox",
      customerEmail: `ann.fox+${index}@gmail.com`,
      billingAddress: CAMPUS,
      shippingAddress: CAMPUS,
      paymentInfo: card("ANN FOX"),
    })),
    5 * HOUR_MS,
  ],
  [
    "cards tried out from one line",
    people(8, (index) => ({
      ...NEW,
      orderAmount: 1,
      customerEmail: `${random[index]}@gmail.com`,
      ipAddress: "73.158.64.99",
    })),
    6 * MINUTE_MS,
  ],
  [
    "one mailbox in a hurry",
    people(8, () => ({
      ...NEW,
      customerName: "Ann Fox",
      customerEmail: "ann.fox@gmail.com",
      billingAddress: CAMPUS,
      shippingAddress: CAMPUS,
      paymentInfo: card("ANN FOX"),
    })),
    4 * MINUTE_MS,
  ],
];

function countLevels(answers: readonly LocalAssessment[]): Readonly<Partial<Record<RiskLevel, number>>> {
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ riskLevel }) => riskLevel)].map(([level, of]) => [level, of.length]),
  );
}

describe("createLocalEngine with counts", () => {
  it.each(SHARED)("leaves alone %s", async (_what, orders, apartMs) => {
    const { low = 0, medium = 0, ...worse } = countLevels(await play(orders, apartMs));

    expect(worse).toEqual({});
    expect(medium).toBeLessThanOrEqual(0.05 * (low + medium));
  });

  it.each(RINGS)("finds %s, from the fifth order on", async (_what, orders, apartMs) => {
    const late = (await play(orders, apartMs)).slice(4);

    expect(countLevels(late).low ?? 0).toBe(0);
  });
});

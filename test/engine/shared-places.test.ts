import { describe, expect, it } from "vitest";
import type { VerificationRequest } from "../../src/order/request.ts";
import { CAMPUS, card, countLevels, family, FAMILY, KNOWN, NEW, people } from "./people.ts";
import { play } from "./play.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

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
      "three generations with four surnames, one card and one address, all new",
      people(4, () => ({
        ...NEW,
        shippingAddress: CAMPUS,
        billingAddress: CAMPUS,
        ipAddress: "73.158.64.15",
        paymentInfo: card("ANNA SMITH"),
      })),
      20 * HOUR_MS,
    ],
    [
      "an office that is new to the shop, with one card",
      people(7, (index) => ({
        ...NEW,
        shippingAddress: CAMPUS,
        billingAddress: CAMPUS,
        companyName: "Acme Widgets",
        customerEmail: `p${index}.${FAMILY[(index * 5) % FAMILY.length]}@acme-widgets.com`.toLowerCase(),
        paymentInfo: card("ACME WIDGETS"),
        ipAddress: "50.76.10.21",
      })),
      12 * HOUR_MS,
    ],
    [
      "a hotel where two of five guests have ordered before",
      people(30, (index) => ({
        ...(index % 5 < 2 ? KNOWN : NEW),
        shippingAddress: { ...CAMPUS, street: "Grand Hotel, 5 Main Street" },
        ipAddress: "50.76.10.21",
      })),
      5 * HOUR_MS,
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
      "the same with accounts that are two days old",
      people(40, () => ({
        ...NEW,
        accountAgeInDays: 2,
        shippingAddress: CAMPUS,
        billingAddress: CAMPUS,
        ipAddress: "128.84.10.21",
      })),
      2 * HOUR_MS,
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
      "a dormitory at term start, everybody new, four of five with their parents' address on the bill",
      people(40, (index) => ({
        ...NEW,
        orderAmount: 20 + ((index * 37) % 100),
        items: [{ name: "Desk lamp", quantity: 1, price: 20 + ((index * 37) % 100) }],
        shippingAddress: CAMPUS,
        ...(index % 5 === 0 ? { billingAddress: CAMPUS } : {}),
        ...(index % 4 === 0 ? { customerEmail: `bluesky${index}@gmail.com` } : {}),
        ...(index % 2 === 0 ? { ipAddress: "128.84.10.21" } : {}),
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
      "a family's expensive presents, all of them new to the shop",
      people(4, (index) => ({ ...family(index), ...NEW, orderAmount: 380 })),
      12 * HOUR_MS,
    ],
    [
      "a dormitory in a sale, everybody new, eight in an hour",
      people(16, () => ({ ...NEW, ipAddress: "128.84.10.21" })),
      7.5 * MINUTE_MS,
    ],
    [
      "a carrier's network where everybody orders as a guest, one in six something expensive",
      people(100, (index) => ({
        ...NEW,
        ipAddress: "172.58.10.20",
        ...(index % 6 === 5 ? { orderAmount: 380 } : {}),
      })),
      10 * MINUTE_MS,
    ],
    [
      "a carrier's network in a German shop for phone cases, everybody new",
      people(100, () => ({
        ...NEW,
        orderAmount: 25,
        items: [{ name: "Schutzhülle für iPhone 17", quantity: 1, price: 20 }],
        ipAddress: "172.58.10.20",
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

/** Orders that show what they are only together. The first ones of each can't be told apart from honest ones. */
const RINGS: readonly (readonly [what: string, orders: readonly VerificationRequest[], apartMs: number])[] = [
  [
    "many names and cards at one address, billed all over",
    people(8, () => ({ ...NEW, shippingAddress: CAMPUS })),
    5 * HOUR_MS,
  ],
  [
    "many names and cards at one address, for expensive goods",
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
    "one mailbox with a burst of orders",
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

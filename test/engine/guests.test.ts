import { describe, expect, it } from "vitest";
import type { OrderContext } from "../../src/order/order-context.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { CAMPUS, card, countLevels, FAMILY, GIVEN, NEW, people, type Changes } from "./people.ts";
import { play } from "./play.ts";

const HOUR_MS = 3_600_000;
const STUDENT: Changes = { ...NEW, accountAgeInDays: 2, shippingAddress: CAMPUS };
const GUEST: Changes = { ...NEW, shippingAddress: { ...CAMPUS, street: "Grand Hotel, 5 Main Street" } };
const ABROAD = [
  { street: "Torstraße 12", city: "Berlin", state: "Berlin", postalCode: "10119", country: "DE" },
  { street: "12 rue de Rivoli", city: "Paris", state: "Paris", postalCode: "75001", country: "FR" },
  { street: "Av. Paulista, 123", city: "São Paulo", state: "SP", postalCode: "01310-100", country: "BR" },
  { street: "8 Park Street", city: "Kolkata", state: "WB", postalCode: "700016", country: "IN" },
  { street: "12 King Street", city: "Leeds", state: "Leeds", postalCode: "LS1 2HL", country: "GB" },
] as const;
const GERMANY = [
  "Kiel 24103",
  "Köln 50667",
  "Mainz 55116",
  "Passau 94032",
  "Erfurt 99084",
  "Stuttgart 70173",
];
const toGerman = (city: string, postalCode: string) =>
  ({ street: "Gartenweg 3", city, state: city, postalCode, country: "DE" }) as const;
const toName = (given: number, family: number) =>
  `${GIVEN[given % GIVEN.length]} ${FAMILY[family % FAMILY.length]}`.toUpperCase();

/** Everybody is new and billed elsewhere: honest people, and a ring. The place alone can't tell them apart. */
const NEWCOMERS: readonly (readonly [
  what: string,
  orders: readonly VerificationRequest[],
  apartMs: number,
  /** How many are low after the fourth. */
  low: number,
])[] = [
  [
    "students who move in within two days and pay with their parents' cards",
    people(48, (index) => ({
      ...STUDENT,
      orderAmount: 20 + ((index * 53) % 400),
      ipAddress: "128.84.10.21",
      paymentInfo: card(toName(index + 5, index * 5), String(4000 + index)),
    })),
    HOUR_MS,
    1,
  ],
  [
    "students of all countries who move in",
    people(20, (index) => ({
      ...STUDENT,
      billingAddress: ABROAD[index % ABROAD.length] ?? ABROAD[0],
      ipAddress: "128.84.10.21",
    })),
    2 * HOUR_MS,
    0,
  ],
  ["guests of a hotel", people(16, () => ({ ...GUEST, ipAddress: "50.76.10.21" })), 10 * HOUR_MS, 0],
  [
    "guests of a hotel from abroad",
    people(16, (index) => ({
      ...GUEST,
      billingAddress: ABROAD[index % ABROAD.length] ?? ABROAD[0],
      ipAddress: "50.76.10.21",
    })),
    10 * HOUR_MS,
    0,
  ],
  [
    "patients whose children pay",
    people(12, (index) => ({
      ...NEW,
      shippingAddress: CAMPUS,
      paymentInfo: card(toName(index + 5, index * 5 + 3), String(4000 + index)),
    })),
    12 * HOUR_MS,
    0,
  ],
  ["a ring", people(16, () => ({ ...NEW, shippingAddress: CAMPUS })), 5 * HOUR_MS, 0],
];

const random = "xkq7vbt2 qzt9wrm1 bvk2xpl8 wqk3trd9 zxp4lmn7 hjk5wqr2 mnb6zxt1 pqw8kzv3".split(" ");
const items = (name: string, price: number) => ({
  orderAmount: price,
  items: [{ name, quantity: 1, price }],
});

/** What the place doesn't explain. */
const REASONS: readonly {
  readonly what: string;
  readonly change?: (index: number) => Changes;
  readonly context?: OrderContext;
}[] = [
  { what: "Tor", change: (index) => ({ ipAddress: `185.220.101.${index + 10}` }) },
  { what: "a hosting company's network", change: (index) => ({ ipAddress: `45.33.32.${index + 10}` }) },
  { what: "throw-away mail", change: (index) => ({ customerEmail: `anna.p${index}@mailinator.com` }) },
  { what: "random mail", change: (index) => ({ customerEmail: `${random[index]}@gmail.com` }) },
  { what: "a script", change: () => ({ userAgent: "python-requests/2.32" }) },
  { what: "a name of random letters", change: () => ({ customerName: "Xkqvb Wrtzp" }) },
  { what: "gift cards", change: () => items("Gift card", 400) },
  { what: "phones", change: () => items("Galaxy S26 smartphone", 700) },
  { what: "wrong address and wrong security code", context: { avs: "N", cvv: "N" } },
];

describe("createLocalEngine at places where everybody is new and billed elsewhere", () => {
  it.each(NEWCOMERS)("sends an order to review, and no further: %s", async (_what, orders, apartMs, low) => {
    const answers = await play(orders, apartMs);

    const { low: _low, medium: _medium, ...worse } = countLevels(answers);
    expect(worse).toEqual({});
    expect(countLevels(answers.slice(4)).low ?? 0).toBe(low);
  });

  it.each(REASONS)("finds a ring by a sign beyond the place: $what", async ({ change, context }) => {
    const orders = people(8, (index) => ({ ...STUDENT, ...change?.(index) }));

    const last = (await play(orders, 5 * HOUR_MS, context)).at(-1);
    expect(["high", "critical"]).toContain(last?.riskLevel);
    expect(last?.scorecard.placeOnly).toBe(false);
  });

  it("doesn't suspect a customer who is billed at the place, although the others are billed at home", async () => {
    const orders = people(24, (index) => ({
      ...STUDENT,
      ...(index % 2 === 0 ? { billingAddress: CAMPUS } : {}),
      ipAddress: "128.84.10.21",
    }));
    const answers = await play(orders, 2 * HOUR_MS);

    expect(countLevels(answers.filter((_, index) => index % 2 === 0))).toEqual({ low: 12 });
    // Half of the others spend 100 USD or more.
    expect(countLevels(answers.filter((_, index) => index % 2 === 1))).toEqual({ low: 9, medium: 3 });
    // Expensive goods among the others' are different.
    const dear = orders.map((order, index) => (index % 2 === 1 ? { ...order, orderAmount: 380 } : order));
    expect(countLevels((await play(dear, 2 * HOUR_MS)).slice(10)).low ?? 0).toBe(0);
  });

  it("leaves alone people who move in and spend little, and finds a ring that copies them", async () => {
    const toOrders = (toMail: (index: number) => string | undefined) =>
      people(40, (index) => {
        const customerEmail = toMail(index);
        return {
          ...STUDENT,
          ...items("Desk lamp", 25 + ((index * 37) % 70)),
          ...(index % 3 === 0 ? { billingAddress: CAMPUS } : {}),
          ...(customerEmail !== undefined && { customerEmail }),
        };
      });
    const students = await play(
      toOrders(() => undefined),
      3 * HOUR_MS,
    );
    expect(countLevels(students)).toEqual({ low: 40 });

    const ring = await play(
      toOrders((index) => `bluesky${index}@gmail.com`),
      3 * HOUR_MS,
    );
    expect(countLevels(ring.filter((_, index) => index % 3 !== 0)).medium).toBeGreaterThan(20);
  });

  it("finds a ring by its billing codes if a country names no region, and leaves alone new residents", async () => {
    const toOrders = (toUsd: (index: number) => number) =>
      people(16, (index) => {
        const [city = "", postalCode = ""] = GERMANY[index % GERMANY.length]?.split(" ") ?? [];
        const price = toUsd(index);
        return {
          ...NEW,
          orderAmount: price,
          items: [{ name: "Desk lamp", quantity: 1, price }],
          shippingAddress: toGerman("Leipzig", "04109"),
          billingAddress: toGerman(city, postalCode),
          customerPhone: "+4915112345670",
          ipAddress: `80.143.0.${index + 10}`,
        };
      });
    const ring = await play(
      toOrders((index) => 120 + ((index * 37) % 150)),
      5 * HOUR_MS,
    );
    expect(countLevels(ring.slice(4))).toEqual({ medium: 12 });

    const students = await play(
      toOrders((index) => 20 + ((index * 37) % 130)),
      5 * HOUR_MS,
    );
    expect(countLevels(students)).toEqual({ low: 16 });
  });

  it("sends a new student's laptop to review, and no further, where the others aren't strangers", async () => {
    const laptop = { ...items("Gaming laptop", 1_160), billingAddress: ABROAD[0] };
    // From enough others, some of them odd, to be counted.
    const toOrders = (others: Changes) =>
      people(13, (index) => ({
        ...STUDENT,
        ...(index === 12 ? laptop : index % 4 === 0 ? {} : others),
      }));
    const among = async (others: Changes) => (await play(toOrders(others), 5 * HOUR_MS)).at(-1);

    const student = await among({ billingAddress: CAMPUS });
    expect(student?.riskLevel).toBe("medium");
    expect(student?.scorecard.placeOnly).toBe(true);
    expect(student?.scorecard.total).toBeGreaterThan(60);
    expect((await among({ orderAmount: 150 }))?.riskLevel).toBe("critical");
  });

  it("sends a known student's sudden large order to review, and no further, where the others aren't strangers", async () => {
    const known = { accountAgeInDays: 400, totalOrders: 5, fulfilledOrders: 5, averageOrderValue: 50 };
    const furniture = { ...items("Sofa bed", 700), ...known, isFirstTimeCustomer: false };
    const among = async (others: Changes, changes: Changes = {}) => {
      const orders = people(25, (index) => ({
        ...STUDENT,
        ...(index === 24 ? { ...furniture, ...changes } : index % 4 === 0 ? { orderAmount: 310 } : others),
      }));
      return (await play(orders, 5 * HOUR_MS)).at(-1);
    };

    const student = await among({ billingAddress: CAMPUS });
    expect(student?.scorecard.contributions.map(({ code }) => code)).toContain("ACCOUNT_TAKEOVER");
    expect(student?.scorecard).toMatchObject({ score: 60, placeOnly: true });
    expect((await among({ orderAmount: 150 }))?.riskScore).toBeGreaterThan(60);
    // Who has moved in isn't online in a third country.
    const thief = await among({ billingAddress: CAMPUS }, { ipAddress: "14.160.1.5" });
    expect(thief?.scorecard.placeOnly).toBe(false);
  });

  it("leaves a new student's laptop low among many residents, and sends it to review elsewhere", async () => {
    const laptop = items("Gaming laptop", 290);
    const among = async (others: Changes, count = 8) => {
      const orders = people(count, (index) => ({ ...STUDENT, ...(index === count - 1 ? laptop : others) }));
      return (await play(orders, 5 * HOUR_MS)).at(-1);
    };

    const elsewhere = { shippingAddress: { ...CAMPUS, street: "12 Elm Street" } };
    const toCodes = (answer: Awaited<ReturnType<typeof among>>) =>
      answer?.scorecard.contributions.map(({ code }) => code);
    const student = await among({ billingAddress: CAMPUS });
    expect(student?.riskLevel).toBe("low");
    expect(toCodes(student)).not.toContain("NEW_ACCOUNT_RESALE_ELSEWHERE");
    const alone = await among(elsewhere);
    expect(alone?.riskLevel).toBe("medium");
    expect(toCodes(alone)).toContain("NEW_ACCOUNT_RESALE_ELSEWHERE");
    // Among people who may be a ring, and few that it may have invented, it counts too.
    expect(toCodes(await among({ orderAmount: 150 }))).toContain("NEW_ACCOUNT_RESALE_ELSEWHERE");
    expect((await among({ billingAddress: CAMPUS, orderAmount: 5 }, 7))?.riskLevel).toBe("medium");
  });

  it("leaves a student's sneakers low among students who have just moved in", async () => {
    const orders = people(16, (index) => ({
      ...STUDENT,
      ...(index === 15 ? items("Running sneakers", 79) : { billingAddress: CAMPUS }),
      accountAgeInDays: 0,
    }));

    expect(countLevels(await play(orders, 2 * HOUR_MS))).toEqual({ low: 16 });
  });

  it("rates an office that pays with one card no higher than medium", async () => {
    const orders = people(14, (index) => ({
      ...STUDENT,
      billingAddress: CAMPUS,
      customerEmail: `${GIVEN[index % GIVEN.length]}.p${index}@acme-widgets.com`.toLowerCase(),
      paymentInfo: card("ANNA SMITH"),
      ipAddress: "50.76.10.21",
    }));
    const answers = await play(orders, 4 * HOUR_MS);

    expect(Object.keys(countLevels(answers)).toSorted()).toEqual(["low", "medium"]);
    const apart = orders.map((order, index) => ({
      ...order,
      shippingAddress: { ...CAMPUS, street: `${index + 1} Elm Street` },
    }));
    expect((await play(apart, 4 * HOUR_MS)).at(-1)?.riskLevel).toBe("high");
  });

  it("says why it goes no further", async () => {
    const [, orders = [], apartMs = 0] = NEWCOMERS[0] ?? [];
    const held = (await play(orders, apartMs)).filter(({ scorecard }) => scorecard.placeOnly);

    expect(held.length).toBeGreaterThan(0);
    for (const { reasoning, scorecard } of held) {
      expect(reasoning).toContain("number of people at one place");
      expect(scorecard.total).toBeGreaterThan(60);
    }
  });
});

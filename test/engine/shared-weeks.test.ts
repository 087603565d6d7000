import { describe, expect, it } from "vitest";
import type { VerificationRequest } from "../../src/order/request.ts";
import { orderWith } from "./sample-order.ts";
import { play } from "./play.ts";

const HOUR_MS = 3_600_000;
const SCHOOL = {
  street: "1 Schoolhouse Lane",
  city: "Madison",
  state: "WI",
  postalCode: "53703",
  country: "US",
};
const NAMES =
  "Ada Berg,Ben Cole,Cleo Dunn,Dora Epps,Eli Frost,Fay Gold,Gus Hart,Ida Irwin,Jon Jarvis,Kit Lowe".split(
    ",",
  );
const SYLLABLES = "Bar Cor Del Fen Gar Hol Jas Kel Lar Mor Nor Per Ros Sel Tor Vin Wal Yar Zel Dan".split(
  " ",
);
const REGIONS = [
  ["Madison", "WI", "53711"],
  ["Dayton", "OH", "45402"],
  ["Mobile", "AL", "36602"],
  ["Fargo", "ND", "58102"],
] as const;

function toHome(person: number) {
  const [city, state, postalCode] = REGIONS[person % REGIONS.length] ?? REGIONS[0];
  return { street: `${person + 7} Garden Street`, city, state, postalCode, country: "US" };
}

/** A person's first order, with their own mailbox, home and card. */
function firstOrderOf(person: number, name: string): VerificationRequest {
  const home = toHome(person);
  return orderWith({
    orderAmount: 20 + ((person * 29) % 120),
    items: [{ name: "Paper and pens", quantity: 1, price: 20 + ((person * 29) % 120) }],
    customerName: name,
    customerEmail: `${name.replace(" ", ".").toLowerCase()}${person}@gmail.com`,
    isFirstTimeCustomer: true,
    accountAgeInDays: 0,
    totalOrders: 0,
    fulfilledOrders: 0,
    averageOrderValue: 0,
    billingAddress: home,
    shippingAddress: home,
    paymentInfo: {
      brand: "mastercard",
      lastFourDigits: String(2000 + person * 13),
      expiry: "04/29",
      holderName: name,
    },
    ipAddress: `24.16.${person}.9`,
  });
}

/** A teacher buys for the school, billed there, and for the garden, billed at home; the name on the school's card is the school's. */
function teach(index: number, isSchoolsCard: boolean): VerificationRequest {
  const person = index % NAMES.length;
  const order = firstOrderOf(person * REGIONS.length, NAMES[person] ?? "");
  if (Math.floor(index / NAMES.length) % 2 === 0) return order;
  const paymentInfo = {
    brand: "visa",
    lastFourDigits: String(8100 + Math.floor(person / 4)),
    expiry: "02/30",
    holderName: "Hilltop School",
  };
  const atSchool = { ...order, billingAddress: SCHOOL, shippingAddress: SCHOOL, ipAddress: "65.30.10.5" };
  return isSchoolsCard ? { ...atSchool, companyName: "Hilltop School", paymentInfo } : atSchool;
}

/** One of many strangers who use a café's network, each with their own names; some send a present to another region. */
function drinkCoffee(index: number, isGift: boolean): VerificationRequest {
  const [first = "", second = ""] = [SYLLABLES[index % 20], SYLLABLES[Math.floor(index / 20) % 20]];
  const name = `${first}${second.toLowerCase()}a ${second}${first.toLowerCase()}son`;
  const order = { ...firstOrderOf(index, name), ipAddress: "24.17.5.9" };
  return isGift ? { ...order, shippingAddress: toHome(index + 1) } : order;
}

const repeat = (count: number, make: (index: number) => VerificationRequest) =>
  Array.from({ length: count }, (_, index) => make(index));
const countMedium = (answers: Awaited<ReturnType<typeof play>>) =>
  answers.filter(({ riskLevel }) => riskLevel === "medium").length;

describe("createLocalEngine over weeks", () => {
  it.each([
    ["teachers, billed at school and at home, with their own cards", false],
    ["teachers, billed at school and at home, with a card of the school", true],
  ])("leaves alone %s", async (_what, isSchoolsCard) => {
    const answers = await play(
      repeat(60, (index) => teach(index, isSchoolsCard)),
      5 * HOUR_MS,
    );

    expect(answers.every(({ riskLevel }) => riskLevel === "low" || riskLevel === "medium")).toBe(true);
    expect(countMedium(answers)).toBeLessThanOrEqual(0.05 * answers.length);
  });

  it("suspects at most one in twenty café guests, although a fifth send presents in groups", async () => {
    // Three in a row, then none for a day and a half, for five weeks.
    const answers = await play(
      repeat(300, (index) => drinkCoffee(index, index % 15 >= 12)),
      3 * HOUR_MS,
    );

    expect(answers.every(({ riskLevel }) => riskLevel === "low" || riskLevel === "medium")).toBe(true);
    expect(countMedium(answers)).toBeLessThanOrEqual(0.05 * answers.length);
  });

  it("finds thieves who send everything elsewhere, on their own line and in a café on one day", async () => {
    const alone = await play(
      repeat(60, (index) => drinkCoffee(index, true)),
      3 * HOUR_MS,
    );
    // One order later than if all of them were from 100 USD: of cheaper ones, each five count as one.
    expect(countMedium(alone.slice(5))).toBe(55);

    const thieves = repeat(20, (index) => ({ ...drinkCoffee(300 + index, true), orderAmount: 180 }));
    const guests = repeat(60, (index) => drinkCoffee(index, index % 15 >= 12));
    const inCafe = (await play([...guests, ...thieves], 2 * HOUR_MS)).slice(60);
    expect(countMedium(inCafe.slice(8))).toBe(12);
  });

  it("recognizes a mailbox that pays with two victims' cards", async () => {
    const [name = "", first = "", second = ""] = NAMES;
    const { customerName, customerEmail, shippingAddress } = firstOrderOf(4, name);
    const answers = await play(
      repeat(8, (index) => {
        const victim = index % 2 === 0 ? firstOrderOf(9, first) : firstOrderOf(14, second);
        return { ...victim, customerName, customerEmail, shippingAddress };
      }),
      10 * HOUR_MS,
    );

    expect(
      answers.slice(1).every(({ signals }) => signals.seen.some(({ code }) => code === "MULTI_BILLING")),
    ).toBe(true);
  });
});

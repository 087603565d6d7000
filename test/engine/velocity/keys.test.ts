import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSharedDomain } from "../../../src/engine/facts/disposable-domains.ts";
import { toLinkKeys, toVelocityKeys, type VelocityKeys } from "../../../src/engine/velocity/keys.ts";
import type { PartialVerificationRequest } from "../../../src/order/request.ts";
import { createKeyring } from "../../../src/store/sealing/keyring.ts";
import { orderArbitrary } from "../arbitrary-order.ts";

const keyring = createKeyring(Buffer.alloc(32, 7));
const keysOf = (order: PartialVerificationRequest, tenant = "shop"): VelocityKeys =>
  toVelocityKeys(order, (purpose, text) => keyring.digest(tenant, purpose, text));

const ADDRESS = {
  street: "121 N LaSalle St",
  city: "Chicago",
  state: "IL",
  postalCode: "60602",
  country: "US",
};
const CARD = { brand: "visa", lastFourDigits: "4242", expiry: "08/27", holderName: "Jane Example" };
const ORDER: PartialVerificationRequest = {
  customerEmail: "jane@shop.example",
  ipAddress: "73.158.64.15",
  paymentInfo: CARD,
  shippingAddress: ADDRESS,
  billingAddress: ADDRESS,
};

/** Addresses in two cities with postal codes, and no region. */
function toGermans(shipping: string, billing: string): PartialVerificationRequest {
  const toAddress = (place: string) => {
    const [city = "", postalCode = ""] = place.split(" ");
    return { street: "Gartenweg 3", city, state: city, postalCode, country: "DE" };
  };
  return { shippingAddress: toAddress(shipping), billingAddress: toAddress(billing) };
}

const ELSEWHERE = {
  customerName: "Jane Miller",
  shippingAddress: { ...ADDRESS, state: "AK" },
  billingAddress: ADDRESS,
  currency: "USD",
};

const REGULAR = { isFirstTimeCustomer: false, accountAgeInDays: 400, averageOrderValue: 200 };

/** A card of this holder, for an order of Jane Miller. */
const paidBy = (holderName: string) => ({
  customerName: "Jane Miller",
  customerEmail: "j.miller@gmail.com",
  paymentInfo: { holderName },
});

describe("toVelocityKeys", () => {
  it("makes a digest of everything that identifies an order", () => {
    const { kin, manner, isPlain, isDear, shop, ...keys } = keysOf(ORDER);
    expect(shop?.network).toMatch(/^[\w-]{12}$/);

    for (const key of Object.values(keys)) expect(key).toMatch(/^[\w-]{22}$/);
    expect(new Set(Object.values(keys)).size).toBe(6);
    expect(kin).toMatch(/^\+[\w-]{8}$/);
    expect({ manner, isPlain, isDear }).toEqual({ manner: "resident", isPlain: true, isDear: false });
  });

  it("makes none for what an order doesn't say", () => {
    const { manner, isPlain, isDear, shop, ...keys } = keysOf({});
    expect(shop).toEqual({ step: 0, isKnown: false });
    expect(Object.values(keys).filter((key) => key !== undefined)).toEqual([]);
    expect({ manner, isPlain, isDear }).toEqual({ manner: "ordinary", isPlain: false, isDear: false });
    const blank = { customerEmail: "none", shippingAddress: {}, billingAddress: {}, paymentInfo: {} };
    expect(keysOf(blank)).toEqual(keysOf({}));
  });

  it("counts for the shop an article, an issuer's range and a provider's network, but nobody's own", () => {
    const digest = (purpose: string, text: string) => `${purpose}/${text}`.padEnd(40, ".");
    const shopOf = (order: PartialVerificationRequest, bin?: string) =>
      toVelocityKeys(order, digest, bin).shop;
    const order = {
      ...ORDER,
      orderAmount: 64.5,
      currency: "usd",
      items: [
        { name: "Belt", quantity: 1, price: 10 },
        { name: "Jeans", quantity: 1, price: 54.5 },
      ],
    };

    expect(shopOf(order, "415974123")).toEqual(shopOf({ ...order, customerEmail: "x@y.example" }, "415974"));
    expect(shopOf(order)).toMatchObject({ currency: "USD", step: 24, bin: undefined });
    expect(shopOf({ ...order, ipAddress: "73.158.1.1" })?.network).toBe(shopOf(order)?.network);
    expect(shopOf({ ...order, ipAddress: "10.0.0.1" })?.network).toBeUndefined();
    expect(shopOf(order, "41597")?.bin).toBeUndefined();
  });

  it("makes different ones for another tenant", () => {
    const [ours, theirs] = [keysOf(ORDER, "a"), keysOf(ORDER, "b")];
    for (const name of Object.keys(ours) as (keyof VelocityKeys)[]) {
      if (typeof ours[name] === "string" && name !== "manner")
        expect(ours[name], name).not.toBe(theirs[name]);
    }
  });

  it("recognizes relatives by a word in their names, and colleagues by a private domain", () => {
    const kinOf = (customerName: string, customerEmail: string) =>
      keysOf({ customerName, customerEmail }).kin?.split(" ") ?? [];
    const shared = (one: readonly string[], other: readonly string[]) =>
      one.filter((part) => other.includes(part)).length;
    const jane = kinOf("Jane Miller", "jane@gmail.com");

    expect(shared(jane, kinOf("MILLER, Tom", "tom@gmail.com"))).toBe(1);
    expect(shared(jane, kinOf("Tom Hill", "tom@gmail.com"))).toBe(0);
    expect(shared(kinOf("Jane Miller", "j@acme.example"), kinOf("Tom Hill", "t@acme.example"))).toBe(1);
    expect(jane).toHaveLength(2);
  });

  it("ignores a domain that is too long for one, and never reads its thousands of parts", () => {
    const kinAt = (domain: string) =>
      keysOf({ customerName: "Jane Miller", customerEmail: `j@${domain}` }).kin;

    expect(kinAt(`${"b.".repeat(2000)}com`)).toBe(kinAt("gmail.com"));
    expect(kinAt(`${"b.".repeat(100)}com`)).toContain("+");
    expect(isSharedDomain(`${"b.".repeat(100)}yopmail.com`)).toBe(true);
    expect(isSharedDomain(`${"b.".repeat(2000)}yopmail.com`)).toBe(false);
  });

  it.each([
    ["known", { isFirstTimeCustomer: false, accountAgeInDays: 400, totalOrders: 4 }],
    ["ordinary", { isFirstTimeCustomer: true }],
    ["resident", { shippingAddress: ADDRESS, billingAddress: ADDRESS }],
    ["knownAway", { ...ELSEWHERE, ...REGULAR, orderAmount: 250 }],
    // A regular customer who buys something odd isn't an example of those who are billed elsewhere.
    ["known", { ...ELSEWHERE, ...REGULAR, orderAmount: 350 }],
    [
      "smallResident",
      { shippingAddress: ADDRESS, billingAddress: ADDRESS, orderAmount: 99, currency: "USD" },
    ],
    ["odd", { shippingAddress: ADDRESS, billingAddress: ADDRESS, orderAmount: 900, currency: "USD" }],
    ["related", { ...ELSEWHERE, ...paidBy("PETER MILLER"), orderAmount: 250 }],
    ["away", { ...ELSEWHERE, ...paidBy("J. MILLER"), orderAmount: 250 }],
    ["away", { ...ELSEWHERE, ...paidBy("MILLER JANE"), orderAmount: 250 }],
    ["odd", { ...ELSEWHERE, ...paidBy("PETER FOX"), orderAmount: 250 }],
    ["ordinary", { isFirstTimeCustomer: true, ...paidBy("PETER MILLER") }],
    ["away", { shippingAddress: { country: "FR" }, billingAddress: { country: "US" } }],
    ["away", { shippingAddress: { ...ADDRESS, state: "AK" }, billingAddress: ADDRESS }],
    ["away", { ...toGermans("Kiel 24103", "Köln 50667"), orderAmount: 100, currency: "USD" }],
    ["smallOrdinary", { ...toGermans("Kiel 24103", "Köln 50667"), orderAmount: 99, currency: "USD" }],
    ["ordinary", { ...toGermans("Kiel 24103", "Bremen 28195"), orderAmount: 100, currency: "USD" }],
    ["ordinary", { ...toGermans("Berlin 10115", "Berlin 20095"), orderAmount: 100, currency: "USD" }],
    ["ordinary", { ...toGermans("Kiel 24103", "Köln N/A"), orderAmount: 100, currency: "USD" }],
    ["ordinary", { ...toGermans("Kiel 24103", "BFPO 50667"), orderAmount: 100, currency: "USD" }],
    [
      "odd",
      { shippingAddress: { country: "FR" }, billingAddress: { country: "US" }, ipAddress: "91.64.0.10" },
    ],
    [
      "odd",
      {
        shippingAddress: { country: "FR" },
        billingAddress: { country: "US" },
        customerEmail: "j@yopmail.com",
      },
    ],
    ["odd", { isFirstTimeCustomer: true, orderAmount: 1, currency: "USD" }],
    ["odd", { isFirstTimeCustomer: true, orderAmount: 900, currency: "USD" }],
    ["odd", { customerName: "Tom Hill", paymentInfo: { holderName: "Jane Example" } }],
    ["odd", { accountAgeInDays: 400, isFirstTimeCustomer: false, customerEmail: "jane@yopmail.com" }],
    ["odd", { accountAgeInDays: 400, isFirstTimeCustomer: false, userAgent: "curl/8.9.1" }],
    [
      "modest",
      {
        accountAgeInDays: 400,
        totalOrders: 9,
        averageOrderValue: 30,
        orderAmount: 95,
        currency: "USD",
        shippingAddress: { country: "FR" },
        billingAddress: { country: "US" },
      },
    ],
    ["modest", { ...ELSEWHERE, orderAmount: 99, customerEmail: "j.miller@gmail.com" }],
    ["modest", { ...ELSEWHERE, orderAmount: 99, customerEmail: "84013377@qq.com" }],
    ["away", { ...ELSEWHERE, orderAmount: 100, customerEmail: "j.miller@gmail.com" }],
    ["away", { ...ELSEWHERE, orderAmount: 99, customerEmail: "peter.fox@gmail.com" }],
    ["away", { ...ELSEWHERE, customerEmail: "j.miller@gmail.com" }],
  ])("calls an order %s: %j", (manner, changes) => {
    expect(keysOf(changes).manner).toBe(manner);
  });

  it("calls an order plain if it goes where it's billed and shows nothing odd, from a known customer or not", () => {
    const isPlain = (changes: PartialVerificationRequest) => keysOf({ ...ORDER, ...changes }).isPlain;
    const known = { isFirstTimeCustomer: false, accountAgeInDays: 400 };

    expect(isPlain({})).toBe(true);
    expect(isPlain(known)).toBe(true);
    expect(isPlain({ billingAddress: { ...ADDRESS, street: ADDRESS.street.toUpperCase() } })).toBe(true);
    expect(isPlain({ billingAddress: { ...ADDRESS, street: "7 Elm Street" } })).toBe(false);
    expect(isPlain({ billingAddress: { ...ADDRESS, city: "Elsewhere" } })).toBe(false);
    expect(isPlain({ billingAddress: { country: "US" }, shippingAddress: { country: "US" } })).toBe(false);
    expect(isPlain({ ...known, orderAmount: 900, currency: "USD" })).toBe(false);
    expect(isPlain({ ...known, customerEmail: "jane@yopmail.com" })).toBe(false);
  });

  it("calls an order dear from 300 USD, whoever places it", () => {
    const isDear = (changes: PartialVerificationRequest) => keysOf({ ...ORDER, ...changes }).isDear;

    expect(isDear({ orderAmount: 299, currency: "USD" })).toBe(false);
    expect(isDear({ orderAmount: 300, currency: "USD" })).toBe(true);
    expect(isDear({ orderAmount: 300, currency: "USD", customerEmail: "jane@yopmail.com" })).toBe(true);
    expect(isDear({ orderAmount: 300, currency: "JPY" })).toBe(false);
  });

  it("treats spellings of one mailbox as different addresses, but as one mailbox", () => {
    const [one, other] = ["a.lex+4@gmail.com", "Alex@gmail.com"].map((customerEmail) =>
      keysOf({ customerEmail }),
    );
    expect(one?.mailbox).toBe(other?.mailbox);
    expect(one?.email).not.toBe(other?.email);
    expect(keysOf({ customerEmail: "ALEX@gmail.com" }).email).toBe(other?.email);
  });

  describe("card", () => {
    const card = (changes: Partial<typeof CARD>) => keysOf({ paymentInfo: { ...CARD, ...changes } }).card;

    it.each<[string, Partial<typeof CARD>]>([
      ["letter case and accents", { brand: "Visa", holderName: "JANÉ  Example" }],
      ["the form of the expiry", { expiry: "8/2027" }],
      ["the year first", { expiry: "2027-08" }],
    ])("is one whatever %s", (_what, changes) => {
      expect(card(changes)).toBe(card({}));
    });

    it.each<[string, Partial<typeof CARD>]>([
      ["brand", { brand: "mastercard" }],
      ["last digits", { lastFourDigits: "4243" }],
      ["expiry", { expiry: "09/27" }],
      ["holder", { holderName: "John Example" }],
    ])("is another by %s", (_what, changes) => {
      expect(card(changes)).not.toBe(card({}));
    });

    it.each([{ holderName: "Cardholder" }, { holderName: "n/a" }, { lastFourDigits: "" }])(
      "isn't recognized from %o: too many share the rest",
      (changes) => {
        expect(card(changes)).toBeUndefined();
      },
    );
  });

  describe("network", () => {
    const network = (ipAddress: string) => keysOf({ ipAddress }).network;

    it("is the IPv4 address, or the /64 of an IPv6 address", () => {
      expect(network("2600:1700:1:2::1")).toBe(network("2600:1700:1:2:ffff::9"));
      expect(network("2600:1700:1:2::1")).not.toBe(network("2600:1700:1:3::1"));
      expect(network("73.158.64.15")).toBe(network("::ffff:73.158.64.15"));
      expect(network("73.158.64.15")).not.toBe(network("73.158.64.16"));
    });

    it.each([
      ["a private network", "10.1.2.3"],
      ["carrier-grade NAT", "100.64.1.2"],
      ["loopback", "::1"],
      ["a relay that many strangers share", "104.28.28.5"],
      ["a VPN service", "146.70.100.10"],
      ["no address", "unknown"],
      ["a short spelling", "10.1"],
    ])("isn't recognized for %s", (_what, ip) => {
      expect(network(ip)).toBeUndefined();
    });
  });

  describe("address", () => {
    const address = (changes: Partial<typeof ADDRESS>) =>
      keysOf({ shippingAddress: { ...ADDRESS, ...changes } }).address;

    it.each<[string, Partial<typeof ADDRESS>]>([
      ["abbreviations and punctuation", { street: "121 North LaSalle Street." }],
      ["the order of its parts", { street: "LaSalle St N, 121" }],
      ["the four digits that a ZIP may have more", { postalCode: "60602-1234" }],
      ["how the country is written", { country: "United States" }],
      ["how the city is written", { city: "CHICAGO" }],
    ])("is one whatever %s", (_what, changes) => {
      expect(address(changes)).toBe(address({}));
    });

    it.each<[string, Partial<typeof ADDRESS>]>([
      ["number", { street: "122 N LaSalle St" }],
      ["flat", { street: "121 N LaSalle St Apt 4" }],
      ["postcode", { postalCode: "60603" }],
      ["country", { country: "CA" }],
    ])("is another by %s", (_what, changes) => {
      expect(address(changes)).not.toBe(address({}));
    });

    it.each([
      ["a parcel forwarder", "MyUS, 4283 Express Lane Suite 100"],
      ["a parcel locker", "Packstation 145"],
      ["a whole street", "Main Street"],
      ["nothing", "n/a"],
    ])("isn't recognized for %s", (_what, street) => {
      expect(address({ street })).toBeUndefined();
    });

    it("uses the city if there is no postcode", () => {
      const inCity = (city: string) => address({ postalCode: "n/a", country: "HK", city });
      expect(inCity("Kowloon")).toBeDefined();
      expect(inCity("Kowloon")).not.toBe(inCity("Central"));
    });
  });

  it("distinguishes billing postcodes by country, not by spaces", () => {
    const billing = (postalCode: string, country = "GB") =>
      keysOf({ billingAddress: { postalCode, country } }).billingPostcode;
    expect(billing("SW1A 1AA")).toBe(billing("sw1a1aa"));
    expect(billing("10115", "DE")).not.toBe(billing("10115", "US"));
    expect(billing("60602-1234", "US")).toBe(billing("60602", "US"));
  });

  const fail = (): never => {
    throw new Error("somebody's code was run");
  };
  const hostile = new Proxy({}, { get: fail, has: fail, getOwnPropertyDescriptor: fail, ownKeys: fail });

  it.each([
    ["a number", 5],
    ["a big number", 10n],
    ["a flag", true],
    ["a function", fail],
    ["a symbol", Symbol("x")],
    ["null", null],
    ["an object that throws", hostile],
  ])("treats %s as a missing field, in any position", (_what, value) => {
    const digest = (purpose: string, text: string) => keyring.digest("shop", purpose, text);
    const whole = { ...ORDER, customerPhone: "+15038234018" };
    const check = (given: object, without: object) => {
      const [order, other] = [given, without] as PartialVerificationRequest[];
      expect(toVelocityKeys(order ?? {}, digest)).toEqual(toVelocityKeys(other ?? {}, digest));
      expect(toLinkKeys(order ?? {}, digest)).toEqual(toLinkKeys(other ?? {}, digest));
    };

    check(hostile, {});
    for (const field of Object.keys(whole))
      check({ ...whole, [field]: value }, { ...whole, [field]: undefined });
    for (const part of ["shippingAddress", "billingAddress", "paymentInfo"] as const)
      for (const field of Object.keys(whole[part] ?? {})) {
        const put = (what: unknown) => ({ ...whole, [part]: { ...whole[part], [field]: what } });
        check(put(value), put(undefined));
      }
  });

  it("never throws, and never shows its source", () => {
    fc.assert(
      fc.property(orderArbitrary, (order) => {
        const { kin = "", manner, isPlain, isDear, shop, ...keys } = keysOf(order);
        const { currency = "", step, isKnown, ...shared } = shop ?? { step: NaN, isKnown: false };
        expect([currency.length <= 3, Number.isInteger(step), typeof isKnown]).toEqual([
          true,
          true,
          "boolean",
        ]);
        expect(JSON.stringify(shared)).toMatch(/^\{(?:"\w+":"[\w-]{12}",?)*\}$/);
        const written = JSON.stringify(keys);
        expect(kin).toMatch(/^(?: ?\+?[\w-]{8})*$/);
        expect([
          "known",
          "knownAway",
          "resident",
          "smallResident",
          "ordinary",
          "smallOrdinary",
          "related",
          "modest",
          "away",
          "odd",
        ]).toContain(manner);
        expect([typeof isPlain, typeof isDear]).toEqual(["boolean", "boolean"]);
        expect(written).toMatch(/^\{(?:"\w+":"[\w-]{22}",?)*\}$/);
      }),
    );
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createLocalEngine, ENGINE_VERSION } from "../../src/engine/engine.ts";
import { listDataVersions } from "../../src/engine/tables/data-sources.ts";
import type { PartialVerificationRequest, VerificationRequest } from "../../src/order/request.ts";
import { orderWith, PLAIN_ORDER, SAMPLE_TIME } from "./sample-order.ts";

const SCENARIOS = JSON.parse(
  readFileSync(new URL("../fixtures/local/scenarios.json", import.meta.url), "utf8"),
) as readonly { readonly id: string; readonly order: VerificationRequest }[];

const FRAUD: VerificationRequest = orderWith({
  customerName: "asdf qwer",
  customerEmail: "test123@yopmail.com",
  customerPhone: "5555555555",
  isFirstTimeCustomer: true,
  accountAgeInDays: 0,
  totalOrders: 0,
  userAgent: "curl/8.9.1",
});

const KNOWN_CUSTOMER = orderWith({
  accountAgeInDays: 400,
  totalOrders: 8,
  fulfilledOrders: 8,
  averageOrderValue: 40,
});
const COUNTED_ONCE = {
  emailOrders1h: 1,
  ipEmails24h: 1,
  cardEmails7d: 1,
  addressEmails7d: 1,
  emailCards24h: 1,
  emailBillingPostcodes7d: 1,
  cardBillingPostcodes7d: 1,
};

describe("createLocalEngine", () => {
  const engine = createLocalEngine({ now: () => 0 });

  it("names its version and those of its data", () => {
    expect(ENGINE_VERSION).toBe("3.17.0");
    expect(engine.assess(PLAIN_ORDER).engine).toEqual({
      version: ENGINE_VERSION,
      dataVersions: listDataVersions(),
    });
  });

  it("lists the strongest factors first, with the code at the end of the description", () => {
    const { riskFactors, scorecard } = engine.assess(FRAUD);
    const codes = riskFactors.map(({ description }) => /\[([A-Z_0-9]+)\]$/.exec(description)?.[1]);

    expect(riskFactors[0]).toEqual({
      factor: "Disposable email domain",
      severity: "critical",
      description:
        "The email address is at yopmail.com, which provides disposable inboxes. They soon end, so a later message may reach nobody. [EMAIL_DISPOSABLE]",
      category: "customer",
    });
    expect(codes).toEqual(
      scorecard.contributions.filter(({ points }) => points >= 3).map(({ code }) => code),
    );
  });

  it("leaves out factors that are too small to explain anything", () => {
    const assessment = engine.assess(
      orderWith({ shippingAddress: { ...PLAIN_ORDER.shippingAddress, city: "Salem" } }),
    );

    expect(assessment.scorecard.contributions.map(({ code }) => code)).toEqual(["BILL_SHIP_CITY"]);
    expect(assessment.riskFactors).toEqual([]);
  });

  it("explains what counts and what speaks for the customer", () => {
    const { reasoning } = engine.assess({ ...FRAUD, customerEmail: "test123@comcast.net" });

    expect(reasoning).toMatch(/^(?:High|Critical) risk: \d+ of 100\. Against the order: Automated client; /);
    expect(reasoning).toMatch(
      /In the customer's favor: [^.]*the email address comes with a paid contract or an institution/,
    );
  });

  it("says when too few signs agree for critical", () => {
    const { riskScore, reasoning } = engine.assess(
      orderWith({ customerEmail: "test@yopmail.com", ipAddress: "185.220.101.1" }),
    );

    expect(riskScore).toBe(85);
    expect(reasoning).toContain("Kept below critical because too few independent signals agree.");
  });

  it("bases its confidence on the share that it could look at", () => {
    // Twelve of thirteen sides: nobody counted other orders.
    expect(engine.assess(PLAIN_ORDER).confidence).toBe(0.92);
    expect(engine.assess(PLAIN_ORDER, COUNTED_ONCE).confidence).toBe(1);
    expect(engine.assess({}).confidence).toBe(0);
    expect(engine.assess({ customerEmail: "jane.sample@gmail.com" }).confidence).toBe(0.08);
  });

  it("returns only the base for an order that says nothing, and says what is missing", () => {
    const { riskScore, limitations } = engine.assess({});

    expect(riskScore).toBe(10);
    expect(limitations).toHaveLength(15);
    expect(limitations).toContain("The order has no email address.");
    expect(limitations).toContain("The order has no time of its own; the clock's was used.");
  });

  it("doesn't count placeholders as known", () => {
    const blank = { street: "N/A", city: "-", state: "none", postalCode: "N/A", country: "unknown" };
    const order = {
      customerPhone: "n/a",
      shippingAddress: blank,
      billingAddress: blank,
      paymentInfo: { holderName: "--" },
    };

    expect(engine.assess(order)).toMatchObject({ riskScore: 10, confidence: 0 });
  });

  it("uses the order's time, and the clock only without one", () => {
    const expiry = { paymentInfo: { expiry: "06/26" } };
    const codes = (order: PartialVerificationRequest, clock: string): readonly string[] =>
      createLocalEngine({ now: () => Date.parse(clock) })
        .assess(order)
        .scorecard.contributions.map(({ code }) => code);

    expect(codes({ ...expiry, orderTimestamp: SAMPLE_TIME }, "2026-01-01T00:00:00Z")).toEqual([
      "CARD_EXPIRED",
    ]);
    expect(codes(expiry, "2026-01-01T00:00:00Z")).toEqual([]);
    expect(codes(expiry, SAMPLE_TIME)).toEqual(["CARD_EXPIRED"]);
    // Without an offset the answer would depend on the machine's zone.
    expect(codes({ ...expiry, orderTimestamp: "2026-11-18T15:20:00" }, "2026-01-01T00:00:00Z")).toEqual([]);
  });

  it("recommends checks that fit the strongest factors, no more than three", () => {
    const levels = 3;
    const advice = (order: PartialVerificationRequest): readonly string[] =>
      engine.assess(order).recommendations.slice(levels);

    expect(advice(FRAUD).join(" ")).toContain("wait for a reply before you ship");
    expect(advice({ ...FRAUD, customerEmail: "asdf@gmail.com" }).join(" ")).toContain(
      "authentication result",
    );
    expect(engine.assess(FRAUD).recommendations).toHaveLength(7);
    expect(new Set(engine.assess(FRAUD).recommendations).size).toBe(7);
  });

  it("says that trust counts for less when the account may be in other hands", () => {
    const takenOver = { ...KNOWN_CUSTOMER, orderAmount: 501, ipAddress: "113.161.1.10" };
    const { reasoning, scorecard, recommendations } = engine.assess(takenOver);

    // Four tenths of the shop's own facts: 15 for the account and 8 for its orders.
    expect(scorecard.trust).toBe(-9.2);
    expect(reasoning).toContain("That counts for less here, because someone else may be using the account.");
    expect(recommendations.join(" ")).toContain("of earlier orders, not of this order");
    expect(engine.assess({ ...KNOWN_CUSTOMER, orderAmount: 41 }).reasoning).not.toContain("counts for less");
  });

  it("says that nothing speaks for a customer who hides", () => {
    const hidden = engine.assess({ ...KNOWN_CUSTOMER, ipAddress: "185.220.101.1" });

    expect(hidden.scorecard.trust).toBe(0);
    expect(hidden.riskLevel).toBe("medium");
    expect(hidden.reasoning).toContain("None of that lowers the risk here");
    expect(hidden.reasoning).not.toContain("counts for less");
  });

  it("says that it knows no single Tor exits", () => {
    expect(engine.assess(PLAIN_ORDER).limitations.join(" ")).toContain("No current list of Tor exits");
    const { ipAddress: _ip, ...withoutIp } = PLAIN_ORDER;
    expect(engine.assess(withoutIp).limitations.join(" ")).not.toContain("Tor");
  });

  it("says when the network of an address says nothing", () => {
    const { limitations, scorecard } = engine.assess(orderWith({ ipAddress: "172.225.243.63" }));

    expect(limitations.join(" ")).toContain("relay, a company gateway or a satellite");
    expect(scorecard.contributions).toEqual([]);
  });

  it.each(SCENARIOS)("repeats no personal data of $id", ({ order }) => {
    const text = JSON.stringify(engine.assess(order)).toLowerCase();
    const personal = [
      ...[order.customerName, order.paymentInfo?.holderName ?? ""].flatMap((name) => name.split(" ")),
      order.customerEmail.split("@")[0] ?? "",
      order.customerPhone ?? "",
      (order.customerPhone ?? "").slice(-7),
      order.ipAddress ?? "",
      order.paymentInfo?.lastFourDigits ?? "",
      ...[order.shippingAddress, order.billingAddress].flatMap(({ street, city, postalCode }) => [
        street,
        city,
        postalCode,
      ]),
    ].filter((part) => part.length >= 4);

    expect(personal.length).toBeGreaterThan(5);
    expect(personal.filter((part) => text.includes(part.toLowerCase()))).toEqual([]);
  });

  it("finishes megabytes of hostile text quickly", () => {
    const size = 1024 * 1024;
    const texts = [
      "a",
      "1",
      " ",
      "a.",
      "a-",
      "a@",
      "-a",
      "🦊",
      "\ud800",
      "o\u0301",
      "p.o. ",
      "suite #",
      "a/1.0; ",
      "((",
      "555",
    ];
    const startedAt = performance.now();
    for (const text of texts.map((unit) => unit.repeat(size / unit.length))) {
      const address = { street: text, city: text, state: text, postalCode: text, country: text };
      const order = {
        orderAmount: Number.NaN,
        currency: text,
        orderTimestamp: text,
        customerName: text,
        customerEmail: text,
        customerPhone: text,
        companyName: text,
        ipAddress: text,
        userAgent: text,
        accountAgeInDays: -1,
        items: Array.from({ length: 50 }, () => ({
          name: text,
          quantity: Number.POSITIVE_INFINITY,
          price: -1,
        })),
        shippingAddress: address,
        billingAddress: address,
        paymentInfo: { brand: text, lastFourDigits: text, expiry: text, holderName: `${text}x` },
      };
      engine.assess(order);
    }

    // Fifteen orders; a regular expression that backtracks would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it("isn't misled by keys of the prototype", () => {
    const order = JSON.parse(
      `{"__proto__":{"customerEmail":"low@risk.example"},"constructor":1,"currency":"__proto__","customerName":"constructor",
        "shippingAddress":{"country":"constructor","state":"toString"},"billingAddress":{"country":"US","state":"constructor"}}`,
    ) as PartialVerificationRequest;

    expect(engine.assess(order)).toMatchObject({ riskScore: 10, riskFactors: [] });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BASE_POINTS, combineSignals } from "../../src/engine/combine-signals.ts";
import { createLocalEngine, type LocalAssessment } from "../../src/engine/engine.ts";
import { withoutDevice } from "../../src/order/agent-orders.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { RISK_LEVELS, toRiskLevel } from "../../src/order/risk-level.ts";
import type { VelocityCounts } from "../../src/engine/velocity/velocity-store.ts";
import { orderArbitrary, velocityArbitrary } from "./arbitrary-order.ts";
import { HOMELANDS, toLegitimateOrder } from "./legitimate/legitimate-orders.ts";
import { card, NEW, people } from "./people.ts";
import { play } from "./play.ts";
import { orderWith, PLAIN_ORDER, SAMPLE_TIME } from "./sample-order.ts";

const engine = createLocalEngine({ now: () => Date.parse(SAMPLE_TIME) });
const AGENT = { channel: "agent" };
const WEB = { channel: "web" };
/** In Oregon, where {@link PLAIN_ORDER} is billed. */
const NIGHT = "2026-11-18T11:20:00Z";

const asAgent = (order: VerificationRequest, counts?: VelocityCounts) =>
  engine.assess(order, counts, [], AGENT);
const onWeb = (order: VerificationRequest, counts?: VelocityCounts) => engine.assess(order, counts, [], WEB);
const codesOf = ({ scorecard }: LocalAssessment) => scorecard.contributions.map(({ code }) => code);
const levelOf = (score: number) => RISK_LEVELS.indexOf(toRiskLevel(score));

/** Signals that use nothing but the device, the network or the hour. */
const OF_DEVICE = new Set(
  `UA_BOT UA_EMPTY UA_MALFORMED UA_INCONSISTENT UA_OLD NIGHT IP_TOR IP_DATACENTER IP_VPN IP_MULTI_EMAIL IP_MULTI_EMAIL_6
    IP_COUNTRY_MISMATCH IP_MATCHES_SHIPPING_ONLY IP_MATCHES_BILLING_ONLY STRANGER_OVERSEAS STRANGER_TO_CARD`.split(
    /\s+/,
  ),
);
/** Signals that the network can turn on, where the rest of the order doesn't. */
const PARTLY_OF_DEVICE = new Set(["ACCOUNT_TAKEOVER", "SUITE_5_DIGITS", "RESHIPPER_AREA"]);

const RUNS = { numRuns: 1_000, seed: Number(process.env["PROPERTY_SEED"] ?? 20_261_129) };

describe("the local engine on an agent's order", () => {
  it.each([
    ["a data center", { ipAddress: "3.80.0.10" }, "IP_DATACENTER"],
    ["Tor", { ipAddress: "185.220.101.1" }, "IP_TOR"],
    ["another country", { ipAddress: "113.161.1.10" }, "IP_COUNTRY_MISMATCH"],
    ["a script", { userAgent: "curl/8.9.1" }, "UA_BOT"],
    ["an empty user agent", { userAgent: "" }, "UA_EMPTY"],
    ["the night", { orderTimestamp: NIGHT }, "NIGHT"],
  ])("doesn't count %s", (_what, fields, code) => {
    const order = orderWith(fields);

    expect(codesOf(onWeb(order))).toContain(code);
    expect(codesOf(asAgent(order))).toEqual(codesOf(onWeb(withoutDevice(PLAIN_ORDER))));
  });

  it("doesn't count strangers on the agent's network", () => {
    const counts = { ipEmails24h: 40, ipStrangers24h: 40 } as VelocityCounts;

    expect(codesOf(onWeb(PLAIN_ORDER, counts))).toContain("IP_MULTI_EMAIL_6");
    expect(codesOf(asAgent(PLAIN_ORDER, counts))).toEqual(codesOf(onWeb(PLAIN_ORDER)));
  });

  it("says that it didn't", () => {
    expect(asAgent(PLAIN_ORDER).limitations[0]).toContain("An AI agent placed the order");
    expect(onWeb(PLAIN_ORDER).limitations.join()).not.toContain("agent placed");
  });

  it.each(["Agent", " AGENT "])("reads the channel in any spelling: %j", (channel) => {
    expect(engine.assess(orderWith({ userAgent: "curl/8.9.1" }), undefined, [], { channel }).riskScore).toBe(
      asAgent(PLAIN_ORDER).riskScore,
    );
  });

  it("gives the same answer whatever the device is, and without one", () => {
    fc.assert(
      fc.property(orderArbitrary, velocityArbitrary, (order, counts) => {
        expect(asAgent(withoutDevice(order), counts)).toEqual(asAgent(order, counts));
      }),
      RUNS,
    );
  });

  it("is never milder than on the web, except for the device, the network and the hour", () => {
    let milder = 0;
    fc.assert(
      fc.property(orderArbitrary, velocityArbitrary, fc.boolean(), (placed, counts, isNight) => {
        const order = isNight ? { ...placed, orderTimestamp: NIGHT } : placed;
        const [agent, web] = [asAgent(order, counts), onWeb(order, counts)];
        const seen = new Set(codesOf(agent));
        const rest = web.signals.seen.filter(
          ({ code }) => !OF_DEVICE.has(code) && (seen.has(code) || !PARTLY_OF_DEVICE.has(code)),
        );
        const least = combineSignals(rest, BASE_POINTS).score;

        expect(agent.riskScore).toBeGreaterThanOrEqual(least);
        expect(levelOf(agent.riskScore)).toBeGreaterThanOrEqual(levelOf(least));
        if (agent.riskScore < web.riskScore) milder += 1;
      }),
      RUNS,
    );
    // Otherwise this compares nothing.
    expect(milder).toBeGreaterThan(100);
  });

  it("is never milder than on the web without the device, and knows no more", () => {
    fc.assert(
      fc.property(orderArbitrary, velocityArbitrary, (order, counts) => {
        const known = { ...counts, ipEmails24h: undefined };
        const [agent, web] = [asAgent(order, known), onWeb(withoutDevice(order), known)];

        expect(agent.riskScore).toBeGreaterThanOrEqual(web.riskScore);
        expect(agent.confidence).toBe(web.confidence);
        expect(agent.missing).toEqual(web.missing);
      }),
      RUNS,
    );
  });
});

/** The machine of an agent: a script in a data center. */
const MACHINE = { ipAddress: "3.80.0.10", userAgent: "python-requests/2.32.3" };

describe("honest people's orders through an agent", () => {
  const orders = HOMELANDS.flatMap((home) =>
    Array.from({ length: 100 }, (_, number) => ({ ...toLegitimateOrder(home, number), ...MACHINE })),
  );
  const toShareOfLow = (judge: (order: VerificationRequest) => LocalAssessment) =>
    orders.filter((order) => judge(order).riskLevel === "low").length / orders.length;

  it("are low in at least 99 of 100 cases, gifts, journeys and partners' cards included", () => {
    expect(orders.length).toBeGreaterThan(3_000);
    expect(toShareOfLow(asAgent)).toBeGreaterThanOrEqual(0.99);
    // On the web, all of them look like a bot's.
    expect(toShareOfLow(onWeb)).toBe(0);
  });

  it("aren't linked by their agent's network", async () => {
    const strangers = people(40, () => ({ ...NEW, ...MACHINE }));
    const apart = await play(strangers.map(withoutDevice), 60_000, AGENT);

    expect(apart.filter(({ riskLevel }) => riskLevel !== "low")).toEqual([]);
    expect(codesOf((await play(strangers, 60_000, WEB)).at(-1)!)).toContain("IP_MULTI_EMAIL_6");
  });

  it("are found where one card pays for many mailboxes, as on the web", async () => {
    const thieves = people(12, () => ({ ...NEW, ...MACHINE, paymentInfo: card("Sam Baker") }));
    const last = (await play(thieves.map(withoutDevice), 60_000, AGENT)).at(-1)!;

    expect(codesOf(last)).toContain("CARD_MULTI_EMAIL");
    expect(last.riskLevel).not.toBe("low");
  });
});

import { describe, expect, it } from "vitest";
import { decisionStatements } from "../../../../src/server/api/evidence/decision-statements.ts";
import { deliveryStatements } from "../../../../src/server/api/evidence/delivery-statements.ts";
import { matchStatements } from "../../../../src/server/api/evidence/match-statements.ts";
import type { Shipping } from "../../../../src/platform/evidence.ts";
import type { OrderRecord, TimelineEntry } from "../../../../src/store/store.ts";
import { decision, T0 } from "../../../store/samples.ts";

const MINUTE_MS = 60_000;
type Contents = Parameters<typeof matchStatements>[0];

describe("decisionStatements", () => {
  const decided = (atMs: number, source: "service" | "local" | "person"): TimelineEntry => {
    const event = { kind: "decided", action: "hold", source, reasons: [] } as const;
    return { atMs, kind: "decided", detail: "", event, actor: "holdfast" };
  };
  const say = (changes: Parameters<typeof decision>[0], timeline: readonly TimelineEntry[] = []) =>
    decisionStatements(
      { decision: decision(changes), result: null, decidedAtMs: T0 + 9 * MINUTE_MS } as OrderRecord,
      timeline,
    ).map(({ text }) => text);
  const machine = { ...decision(), action: "hold" } as const;

  it("names when the service checked it, and not when the local engine did before", () => {
    const timeline = [
      decided(T0, "local"),
      decided(T0 + MINUTE_MS, "service"),
      decided(T0 + 2 * MINUTE_MS, "service"),
      decided(T0 + 9 * MINUTE_MS, "person"),
    ];
    const [checked] = say({ source: "person", action: "allow", machine }, timeline);
    expect(checked).toContain("An order verification service checked the order on 2026-11-20 12:02 UTC.");
  });

  it("doesn't give the time of a person's decision for that of the check", () => {
    const [checked] = say({ source: "person", action: "allow", machine });
    expect(checked).toContain("An order verification service checked the order. Its risk level");
  });

  it.each([
    ["an approval", { action: "allow" }, "approved"],
    ["a decline", { action: "cancel" }, "declined"],
  ] as const)("says what a person did: %s", (_act, changes, word) => {
    expect(say({ source: "person", machine, ...changes }).at(-1)).toMatch(new RegExp(`staff .* ${word} it`));
  });

  it("says nothing of a person who gave no verdict", () => {
    expect(say({ source: "person", machine, action: "allow", handled: true }).join()).not.toContain("staff");
  });
});

describe("deliveryStatements", () => {
  const parcel = { sentAtMs: T0, deliveredAtMs: null, carrier: null, trackingNumbers: [] };
  const say = (changes: Partial<Shipping>) =>
    deliveryStatements({ shipments: [parcel], hasMore: false, unsentUnits: 0, ...changes }).map(
      ({ text }) => text,
    );

  it("names each parcel, so that one delivered parcel isn't the order", () => {
    const shipments = [parcel, { ...parcel, deliveredAtMs: T0 }];
    expect(say({ shipments, unsentUnits: 2 })).toEqual([
      "Parcel 1 of 2 was sent on 2026-11-20.",
      "Parcel 2 of 2 was sent on 2026-11-20.",
      "Parcel 2 of 2 was delivered on 2026-11-20.",
      "Not sent yet: 2 items of the order.",
    ]);
    expect(say({ hasMore: true })[0]).toBe("Parcel 1 of at least 1 was sent on 2026-11-20.");
  });

  it.each([
    [0, "No item of the order is left to send."],
    [1, "Not sent yet: 1 item of the order."],
  ])("says how much wasn't sent: %d", (unsentUnits, text) => {
    expect(say({ unsentUnits })).toEqual(["One parcel was sent on 2026-11-20.", text]);
  });

  it("says nothing of what isn't known", () => {
    expect(say({ unsentUnits: null })).toEqual(["One parcel was sent on 2026-11-20."]);
    expect(say({ shipments: [] })).toEqual([]);
    expect(deliveryStatements(null)).toEqual([]);
  });
});

describe("matchStatements", () => {
  it.each<[Contents["countries"], string]>([
    [{ ip: "US" }, "registered in the country US."],
    [{ ip: "US", billing: "US" }, "US. That is the country of the billing address."],
    [{ ip: "US", shipping: "CA" }, "US. That isn't the country of the shipping address."],
    [
      { ip: "US", billing: "US", shipping: "CA" },
      "That is the country of the billing address. That isn't the country of the shipping address.",
    ],
    [{ ip: "US", billing: "US", shipping: "US" }, "That is the country of the billing and shipping address."],
    [
      { ip: "US", billing: "CA", shipping: "CA" },
      "That isn't the country of the billing or shipping address.",
    ],
  ])("compares the IP address only with known countries: %j", (countries, expected) => {
    const ip = { address: "203.0.113.7" };
    const contents = { buyer: {}, items: [], checks: {}, unread: {}, signs: [], ip, countries } as Contents;
    const [text = ""] = matchStatements(contents, []).map((statement) => statement.text);
    expect(text.endsWith(expected), text).toBe(true);
  });
});

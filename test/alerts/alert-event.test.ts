import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toAlertEvent } from "../../src/alerts/alert-event.ts";
import { toAlertMessage } from "../../src/alerts/alert-message.ts";
import { HoldfastError } from "../../src/base/errors.ts";
import { anyText } from "../support/any-text.ts";

const SENDER = { version: "1.2.3", instance: "abcd1234" };

describe("toAlertEvent", () => {
  it("includes fields that are known to be free of personal data, and no others", () => {
    const error = new HoldfastError("PLATFORM_REFUSED", "refused for jane@shop.example", {
      retryable: false,
    });

    const event = toAlertEvent({
      alert: "enforcement_failed",
      tenant: "shopify:one.example",
      orderId: "7700000000000000001",
      problem: "cancel:already-fulfilled",
      found: 3,
      keyId: "environment",
      err: error,
      customerName: "Jane Example",
      topic: "orders/create",
    });

    expect(event).toMatchObject({ kind: "raised", name: "enforcement_failed" });
    expect(event?.facts).toEqual({
      tenant: "shopify:one.example",
      orderId: "7700000000000000001",
      code: "PLATFORM_REFUSED",
      problem: "cancel:already-fulfilled",
      found: 3,
    });
  });

  it.each([
    ["no alert", { url: "https://app.example" }],
    ["an alert about the sending itself", { alert: "notifier_failed", channel: "email" }],
    ["a name that is a sentence", { alert: "Jane Example paid twice" }],
    ["a name that is no text", { alert: true }],
  ])("ignores a line with %s", (_, fields) => {
    expect(toAlertEvent(fields)).toBeUndefined();
  });

  it.each([
    ["tenant", "jane@shop.example"],
    ["tenant", "one.example\r\nBcc: everybody@example.com"],
    ["orderId", "Jane Example"],
    ["orderId", { id: 1 }],
    ["code", "not a code"],
    ["problem", "cannot cancel the order of Jane Example"],
    ["found", Number.NaN],
    ["found", -1],
    ["found", "3"],
  ])("leaves out a %s that is %j", (field, value) => {
    expect(toAlertEvent({ alert: "defect", [field]: value })?.facts).toEqual({});
  });

  it("assigns the end of an incident to the same incident", () => {
    const begun = toAlertEvent({
      alert: "verification_no_credits",
      keyId: "k",
      code: "VERIFICATION_NO_CREDITS",
    });
    const ended = toAlertEvent({ resolved: "verification_no_credits", keyId: "k" });

    expect(ended).toMatchObject({ kind: "resolved", incident: begun?.incident });
  });

  it("tells incidents apart by name, tenant, key and, if each needs a different action, problem", () => {
    const incidents = [
      { alert: "verification_unavailable", keyId: "a" },
      { alert: "verification_unavailable", keyId: "b" },
      { alert: "verification_unavailable", keyId: "a", tenant: "one" },
      { alert: "verification_no_credits", keyId: "a" },
      { alert: "order_failed", problem: "INTERNAL" },
      { alert: "order_failed", problem: "DATA_UNREADABLE" },
      { alert: "defect", orderId: "1" },
    ].map((fields) => toAlertEvent(fields)?.incident);

    expect(new Set(incidents).size).toBe(incidents.length);
    expect(incidents.at(-1)).toBe(toAlertEvent({ alert: "defect", orderId: "2", problem: "X" })?.incident);
  });

  it("keeps line breaks, addresses and sentences out of a message, whatever a line contains", () => {
    const anything = fc.oneof(fc.string(), anyText(), fc.emailAddress(), fc.jsonValue());
    const line = fc.record({ tenant: anything, orderId: anything, code: anything, problem: anything });

    fc.assert(
      fc.property(line, (fields) => {
        const event = toAlertEvent({ ...fields, alert: "defect" });
        if (event === undefined) throw new Error("an alert was not heard");
        const { name, facts } = event;
        const message = toAlertMessage(
          { moment: "opened", name, facts, orderIds: [], count: 1, nowMs: 0 },
          "m-1",
          SENDER,
          "en",
        );
        for (const fact of Object.values(facts)) expect(String(fact)).not.toMatch(/[\s@<>]/);
        expect(message.subject).toMatch(/^[\x20-\x7e]+$/);
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../../src/engine/engine.ts";
import { maskEmail, maskPostcode, maskText } from "../../../src/engine/facts/masking.ts";
import type { VerificationRequest } from "../../../src/order/request.ts";
import { HOMELANDS, toLegitimateOrder } from "../legitimate/legitimate-orders.ts";
import { FIRES } from "../signal-examples.ts";

const engine = createLocalEngine();

/** Texts that identify a person, in any spelling that an answer might repeat. */
function listPersonal(order: Partial<VerificationRequest>): readonly string[] {
  return (
    [...listWho(order), ...listWhere(order), order.paymentInfo?.lastFourDigits ?? "", order.ipAddress ?? ""]
      .map((text) => text.toLowerCase())
      // Shorter pieces are in every sentence, and so is "test".
      .filter((text) => text.length >= 4 && text !== "test")
  );
}

function listWho(order: Partial<VerificationRequest>): readonly string[] {
  const { customerEmail = "", customerPhone = "" } = order;
  const [local = "", domain = ""] = customerEmail.split("@");
  const digits = customerPhone.replaceAll(/\D/g, "");
  const names = [order.customerName ?? "", order.paymentInfo?.holderName ?? "", order.companyName ?? ""];
  return [
    ...names.flatMap((name) => name.split(/[\s-]/)),
    customerEmail,
    ...local.split("+"),
    // A private domain is as personal as a name; one that thousands use isn't.
    ...(/family|trading|someplace/.test(domain) ? [domain] : []),
    customerPhone,
    digits,
    digits.slice(-7),
  ];
}

function listWhere(order: Partial<VerificationRequest>): readonly string[] {
  const places = [order.shippingAddress, order.billingAddress].flatMap((place) =>
    place === undefined ? [] : [place.street, place.city, place.postalCode],
  );
  return [...places, ...places.map((text) => text.replaceAll(/[\s-]/g, ""))];
}

function findLeaks(order: Partial<VerificationRequest>): readonly string[] {
  const { scorecard: _, engine: _engine, ...answer } = engine.assess(order);
  const text = JSON.stringify(answer).toLowerCase();
  return listPersonal(order).filter((personal) => {
    const at = text.indexOf(personal);
    // "Omer" in "customer" isn't a leak.
    return at !== -1 && !/\p{L}/u.test(`${text[at - 1]}`) && !/\p{L}/u.test(`${text[at + personal.length]}`);
  });
}

describe("LocalEngine.assess", () => {
  it("repeats no personal data, whichever signal it finds", () => {
    for (const [code, , what, order] of FIRES)
      expect(findLeaks(order as Partial<VerificationRequest>), `${code}: ${what}`).toEqual([]);
  });

  it("repeats no personal data of honest customers", () => {
    const orders = HOMELANDS.flatMap((home) =>
      Array.from({ length: 20 }, (_, number) => toLegitimateOrder(home, number)),
    );

    expect(orders.flatMap(findLeaks)).toEqual([]);
    expect(orders.every((order) => listPersonal(order).length >= 4)).toBe(true);
  });

  it("would be caught repeating something", () => {
    const order = toLegitimateOrder(HOMELANDS[0] as (typeof HOMELANDS)[0], 1);

    expect(listPersonal(order)).toContain(order.customerEmail.toLowerCase());
  });
});

describe("maskEmail", () => {
  it("leaves the first letter and a domain that everybody uses", () => {
    expect(maskEmail({ local: "jane.example", domain: "gmail.com" })).toBe("j***@gmail.com");
  });

  it("hides a private domain", () => {
    expect(maskEmail({ local: "jane", domain: "jane-example.com" })).toBe("j***@***");
  });
});

describe("maskText", () => {
  it.each([
    ["jane", "j***"],
    ["山田", "山***"],
    ["🦊fox", "f***"],
    ["", "***"],
  ])("shows no more of %j than its first letter", (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });
});

describe("maskPostcode", () => {
  it.each([
    ["33166", "33***"],
    ["M5H2N2", "M5H***"],
    ["1010", "10**"],
    ["12", "1*"],
  ])("shows the area of %s", (postcode, masked) => {
    expect(maskPostcode(postcode)).toBe(masked);
  });
});

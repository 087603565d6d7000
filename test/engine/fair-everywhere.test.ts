import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/engine/engine.ts";
import { toVelocityKeys } from "../../src/engine/velocity/keys.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { anOrder } from "../support/orders.ts";

const engine = createLocalEngine({ now: () => Date.parse("2026-11-20T15:00:00Z") });

const titlesOf = (order: VerificationRequest) => engine.assess(order).riskFactors.map(({ factor }) => factor);

/** A known customer's order that stays in one place. */
function orderIn(
  country: string,
  postalCode: string,
  more: Partial<VerificationRequest> = {},
): VerificationRequest {
  const place = { street: "12 Main Street", city: "Town", state: "N/A", postalCode, country };
  return anOrder({
    orderTimestamp: "2026-11-20T15:00:00Z",
    isFirstTimeCustomer: false,
    accountAgeInDays: 400,
    totalOrders: 4,
    averageOrderValue: 60,
    shippingAddress: place,
    billingAddress: place,
    ...more,
  });
}

describe("where people live", () => {
  it("is known for Namibia, whose code is NA", () => {
    const order = orderIn("NA", "10005", { customerPhone: "+264811234567" });

    // Compared with another country, which a placeholder can't be.
    const elsewhere = { ...order, billingAddress: { ...order.billingAddress, country: "US" } };
    expect(titlesOf(elsewhere)).not.toEqual(titlesOf(order));
    expect(titlesOf(order)).not.toContain("Phone number from another country");
  });

  it.each([
    ["MQ", "97242 CEDEX"],
    ["FR", "75008 CEDEX 08"],
    ["MU", "11328"],
    ["MU", "742CU001"],
    ["SH", "STHL 1ZZ"],
    ["SH", "TDCU 1ZZ"],
    ["GB", "BF1 2AU"],
    ["GB", "BFPO 2"],
    ["EG", "11511"],
    ["EG", "4460331"],
    ["KH", "12000"],
    ["KH", "120000"],
    ["KH", "12020402"],
    ["PY", "001432"],
    ["PY", "1209"],
    ["SO", "JH 09010"],
    ["TZ", "11101"],
    ["VE", "1010-A"],
  ])("matches its postal code: %s %s", (country, postalCode) => {
    expect(titlesOf(orderIn(country, postalCode))).not.toContain("Postal code doesn't match the country");
  });

  it.each([
    ["FR", "750 CEDEX 08"],
    ["MU", "113245"],
    ["SH", "XXXX 1ZZ"],
    ["GB", "BF 2AU"],
    ["EG", "44603312"],
    ["KH", "120204021"],
    ["PY", "0014321"],
    ["SO", "J 0901"],
    ["TZ", "111011"],
    ["VE", "1010-12"],
  ])("doesn't match a wrong postal code: %s %s", (country, postalCode) => {
    expect(titlesOf(orderIn(country, postalCode))).toContain("Postal code doesn't match the country");
  });

  it.each([
    ["MF", "97150", "+590690123456"],
    ["BL", "97133", "+590690123456"],
    ["EH", "70000", "+212612345678"],
    // The plan lists these as Saint Barthélemy's.
    ["GP", "97110", "+590590511239"],
    ["MF", "97150", "+590 590 87 01 29"],
    ["GP", "97110", "+33612987654"],
    ["CX", "6798", "+61412987654"],
    ["CC", "6799", "+61412987654"],
    ["NF", "2899", "+61412987654"],
    ["PN", "PCRN 1ZZ", "+64212987654"],
    ["PS", "P6000000", "+972599129456"],
  ])("may share its phone numbers with a neighbor: %s", (country, postalCode, customerPhone) => {
    expect(titlesOf(orderIn(country, postalCode, { customerPhone }))).not.toContain(
      "Phone number from another country",
    );
    expect(titlesOf(orderIn("CA", "H2X 1Y4", { customerPhone }))).toContain(
      "Phone number from another country",
    );
  });
});

describe("an IP address that is registered in the country of its provider's parent company", () => {
  it.each([
    ["IQ", "10011", "37.236.10.10"],
    ["LT", "LT-01100", "90.138.10.10"],
    ["LV", "LV-1010", "5.240.10.10"],
    ["EE", "10111", "91.131.10.10"],
    ["XK", "10000", "46.99.10.10"],
  ])("is at home in %s", (country, postalCode, ipAddress) => {
    const mismatch = "Network in a different country than both addresses";
    expect(titlesOf(orderIn(country, postalCode, { ipAddress }))).not.toContain(mismatch);
    expect(titlesOf(orderIn("FR", "75001", { ipAddress }))).toContain(mismatch);
  });
});

describe("the clock", () => {
  it.each([
    ["XK", "10000", "2026-11-20T02:30:00Z", "2026-11-20T12:30:00Z"],
    ["GL", "3900", "2026-11-20T05:30:00Z", "2026-11-20T15:30:00Z"],
  ])("is known for %s", (country, postalCode, night, day) => {
    const at = (orderTimestamp: string) => titlesOf(orderIn(country, postalCode, { orderTimestamp }));
    expect(at(night)).toContain("Ordered at night");
    expect(at(day)).not.toContain("Ordered at night");
  });
});

describe("a mailbox at a provider that a list calls disposable", () => {
  it.each([
    "21cn.com",
    "gawab.com",
    "mail.by",
    "mail333.com",
    "sify.com",
    "fantasymail.de",
    "nurfuerspam.de",
    "royal.net",
  ])("is a real one: %s", (domain) => {
    expect(titlesOf(orderIn("US", "10118", { customerEmail: `jane.example@${domain}` }))).not.toContain(
      "Disposable email domain",
    );
  });
});

describe("a name of one syllable three times", () => {
  const orderOf = (customerName: string, local: string, holderName: string) =>
    titlesOf(
      orderIn("ZA", "2001", {
        customerName,
        customerEmail: `${local}@telkomsa.net`,
        paymentInfo: { brand: "visa", lastFourDigits: "1234", expiry: "12/29", holderName },
      }),
    );
  const NONSENSE = ["Cardholder name that looks invented", "Test word in the email address"];

  it("is accepted beside another name, on the card and in the email address too", () => {
    const titles = orderOf("Thando Yeyeye", "thando.yeyeye88", "T YEYEYE");
    expect(titles.filter((title) => NONSENSE.includes(title))).toEqual([]);
  });

  it.each([
    ["Yeyeye", "yeyeye", "YEYEYE"],
    ["Thando Ncube", "yeyeye88", "T YEYEYE"],
    ["Thando Asdasd", "thando.asdfasdf", "T ASDFASDF"],
  ])("isn't accepted alone, beside somebody else's name, or along the keyboard: %s", (...order) => {
    expect(orderOf(...order)).toEqual(expect.arrayContaining(NONSENSE));
  });
});

describe("an average that can't be right", () => {
  it.each([0, 5e-324, 0.009])("isn't compared with: %s", (averageOrderValue) => {
    expect(titlesOf(orderIn("US", "10118", { averageOrderValue }))).not.toContain(
      "Far above the customer's usual amount",
    );
  });
});

describe("toVelocityKeys", () => {
  it.each([5, null, {}, [], true, "", "x", "1.2.3", "::1%", "[::1]", "::ffff:999.1.1.1", "1.2.3.4:80", "\0"])(
    "reads no network from %j",
    (ipAddress) => {
      const order = { ...anOrder(), ipAddress } as never;

      expect(toVelocityKeys(order, (_, text) => text).network).toBeUndefined();
    },
  );
});

import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../src/policy/policy.ts";
import { assertMatchable, findUnmatchable } from "../../src/policy/unmatchable.ts";

const withRule = (when: unknown) => parsePolicy({ rules: [{ name: "one", when, then: { action: "hold" } }] });

describe("findUnmatchable", () => {
  it.each([
    [{ country: ["SG", "de", " Us "] }],
    [{ country: ["Singapore", "UK", "DEU", "united states of america"] }],
    [{ factor: ["Technical", "EMAIL_DISPOSABLE", "night", "OF_THE_SERVICE"] }],
    [{ minAmount: 5, not: { channel: ["pos"] } }],
    [{ shippingCountry: ["PR", "XK"], billingCountry: ["GB"] }],
    [{ currency: ["USD", "eur"] }],
    [{ email: [" jane@example.com ", "o'hara+shop@mail.example.co.uk"] }],
    [{ emailDomain: [" example.com ", "@mail.example.co.uk", "müller.de"] }],
    [{ phone: ["+1 555 010 0199", "10199"] }],
    [{ minAmount: 0, paymentBrand: ["Visa"], sku: ["A-1"], product: ["gift"], address: ["Main"] }],
    [{ channel: ["web", "instagram"], gateway: ["Cash on Delivery (COD)"], orderTag: ["vip"] }],
    [{ avs: ["Y", " n "], cvv: ["M"], customerTag: ["no returns"] }],
  ])("doesn't report %j", (when) => {
    expect(findUnmatchable(withRule(when))).toEqual([]);
  });

  it.each([
    [{ country: ["Singapore", "Atlantis"] }, "country[1]", "its English name or its two-letter code"],
    [{ country: ["QQ"] }, "country[0]", "its English name or its two-letter code, for example SG."],
    [{ shippingCountry: ["eu"] }, "shippingCountry[0]", "List the countries one by one."],
    [{ any: [{ minAmount: 5 }, { country: ["QQ"] }] }, "any[1].country[0]", "No such country."],
    [
      { minAmount: 5, not: { any: { email: "x" } } },
      "not[0].any[0].email[0]",
      "Use a complete email address.",
    ],
    [
      { factor: ["address", "ips"] },
      "factor[1]",
      "Use a category (customer, address, technical, behavioral)",
    ],
    [{ any: { channel: ["pos"] } }, "any[0].channel[0]", "Remove it from skipChannels first."],
    [{ currency: ["UDS"] }, "currency[0]", "Use the three-letter code, for example USD."],
    [{ email: ["example.com"] }, "email[0]", "Use a complete email address."],
    [{ emailDomain: ["jane@example.com"] }, "emailDomain[0]", "Use what follows the @"],
    [{ emailDomain: ["*.example.com"] }, "emailDomain[0]", "Use what follows the @"],
    [{ emailDomain: ["ru"] }, "emailDomain[0]", "Use what follows the @"],
    [{ phone: ["+44"] }, "phone[0]", "Use the whole number"],
    [{ orderTag: ["vip", "a, b"] }, "orderTag[1]", "A tag has no commas."],
    [{ customerTag: ["a,b"] }, "customerTag[0]", "A tag has no commas."],
    [{ avs: ["no match"] }, "avs[0]", "Use the code, which is one letter"],
    [{ cvv: ["12"] }, "cvv[0]", "Use the code, which is one letter"],
    // Skipped by default, so no rule applies to them.
    [{ channel: ["web", "POS"] }, "channel[1]", "Remove it from skipChannels first."],
  ])("names what in %j matches nothing, and what to write", (when, path, message) => {
    expect(findUnmatchable(withRule(when))).toMatchObject([
      { path: `rules[0].when.${path}`, message: expect.stringContaining(message) as unknown },
    ]);
  });

  it("doesn't report rules that are already in force", () => {
    const kept = withRule({ country: ["Atlantis"] });

    expect(findUnmatchable(withRule({ country: ["Atlantis"] }), kept)).toEqual([]);
    expect(findUnmatchable(withRule({ country: ["Atlantis", "Lemuria"] }), kept)).toHaveLength(2);
    expect(() => assertMatchable(kept)).toThrow(expect.objectContaining({ code: "POLICY_INVALID" }) as Error);
  });
});

import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../adapters/shopify/base/payload.ts";
import { isPersonalDataWithheld } from "../../../../adapters/shopify/mapping/customer.ts";

const NOTHING = { hasName: false, hasEmail: false, hasAddress: false };
const COUNTRY_ONLY = { country: "US", country_code: "US", province: "Oregon", province_code: "OR" };

describe("isPersonalDataWithheld", () => {
  it.each<[string, JsonObject]>([
    [
      "every key is gone",
      { customer: { id: 1 }, billing_address: COUNTRY_ONLY, shipping_address: COUNTRY_ONLY },
    ],
    ["only the keys of the email address are gone", { billing_address: { name: null, address1: null } }],
    ["an order without a customer has no key for an email address", {}],
  ])("is true when %s", (_case, payload) => {
    expect(isPersonalDataWithheld(payload, NOTHING)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ["the keys of the name are gone", { email: "jane@example.com", billing_address: { address1: "" } }],
    [
      "the keys of the address are gone",
      { email: "jane@example.com", billing_address: { ...COUNTRY_ONLY, name: "" } },
    ],
  ])("is true for an order with an email address when %s", (_case, payload) => {
    expect(isPersonalDataWithheld(payload, { ...NOTHING, hasEmail: true })).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ["a guest gave no email address", { email: null, customer: null, billing_address: COUNTRY_ONLY }],
    ["a draft has none", { email: "", billing_address: { address1: "" } }],
    ["there is neither customer nor address", { email: "" }],
    ["all of them are null", { email: "", customer: null, billing_address: null, shipping_address: null }],
    [
      "all of them are empty",
      { contact_email: null, customer: {}, billing_address: {}, shipping_address: {} },
    ],
    [
      "the keys are there with nothing in them",
      { customer: { email: null, first_name: null }, billing_address: { name: "", address1: "" } },
    ],
    [
      "one of the two addresses has the keys",
      { email: null, billing_address: COUNTRY_ONLY, shipping_address: { first_name: "", zip: null } },
    ],
  ])("is false when %s", (_case, payload) => {
    expect(isPersonalDataWithheld(payload, NOTHING)).toBe(false);
  });

  it("doesn't require keys of data that was found elsewhere", () => {
    const found = { hasName: true, hasEmail: true, hasAddress: true };
    expect(isPersonalDataWithheld({ billing_address: COUNTRY_ONLY }, found)).toBe(false);
  });
});

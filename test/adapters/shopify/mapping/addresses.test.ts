import { describe, expect, it } from "vitest";
import { toAddresses, toCompany } from "../../../../adapters/shopify/mapping/addresses.ts";

const FULL = {
  address1: "1 Example Street",
  address2: "Floor 2",
  city: "Springfield",
  province: "Oregon",
  province_code: "OR",
  zip: "97477",
  country: "United States",
  country_code: "US",
};
const MAPPED = {
  street: "1 Example Street, Floor 2",
  city: "Springfield",
  state: "Oregon",
  postalCode: "97477",
  country: "US",
};

function mapShipping(changes: object) {
  return toAddresses({ shipping_address: { ...FULL, ...changes } }).complete?.shippingAddress;
}

describe("toAddresses", () => {
  it("maps both addresses", () => {
    const { complete } = toAddresses({
      shipping_address: FULL,
      billing_address: { ...FULL, city: "Shelbyville" },
    });
    expect(complete).toEqual({
      shippingAddress: MAPPED,
      billingAddress: { ...MAPPED, city: "Shelbyville" },
      standIns: [],
    });
  });

  it.each(["shipping_address", "billing_address"])("uses %s in place of the other", (key) => {
    const copy = key === "shipping_address" ? "billingAddress" : "shippingAddress";
    for (const other of [undefined, null, {}, { address1: " ", country: null }, "junk", []]) {
      const both = { shipping_address: other, billing_address: other, [key]: FULL };
      expect(toAddresses(both).complete).toEqual({
        shippingAddress: MAPPED,
        billingAddress: MAPPED,
        standIns: [copy],
      });
    }
  });

  it("names every part of a copied address that is a placeholder as well", () => {
    const { complete } = toAddresses({ shipping_address: { ...FULL, zip: null } });

    expect(complete?.standIns).toEqual([
      "shippingAddress.postalCode",
      "billingAddress",
      "billingAddress.postalCode",
    ]);
  });

  it.each<[string, object, object]>([
    ["a country", { country_code: "NG" }, { country: "NG" }],
    ["a street", { address1: "1 Marina" }, { street: "1 Marina" }],
    ["a city and a zip", { city: "Lagos", zip: "101001" }, { city: "Lagos", postalCode: "101001" }],
  ])("keeps an address that has only %s beside a complete one", (_case, partial, kept) => {
    const blank = { street: "N/A", city: "N/A", state: "N/A", postalCode: "N/A", country: "N/A" };
    const missing = Object.keys(blank).filter((part) => !Object.hasOwn(kept, part));

    expect(toAddresses({ shipping_address: FULL, billing_address: partial }).complete).toEqual({
      shippingAddress: MAPPED,
      billingAddress: { ...blank, ...kept },
      standIns: missing.map((part) => `billingAddress.${part}`),
    });
    expect(toAddresses({ shipping_address: partial, billing_address: FULL }).complete).toEqual({
      shippingAddress: { ...blank, ...kept },
      billingAddress: MAPPED,
      standIns: missing.map((part) => `shippingAddress.${part}`),
    });
  });

  it.each<[string, object, object]>([
    ["no second line", { address2: null }, { street: "1 Example Street" }],
    ["only a second line", { address1: "" }, { street: "Floor 2" }],
    ["no street", { address1: "", address2: null }, { street: "N/A" }],
    ["no city", { city: " " }, { city: "N/A" }],
    ["no province", { province: null }, { state: "OR" }],
    ["neither province nor code", { province: null, province_code: "" }, { state: "N/A" }],
    [
      "neither province nor city",
      { province: null, province_code: null, city: "" },
      { state: "N/A", city: "N/A" },
    ],
    ["no zip", { zip: null }, { postalCode: "N/A" }],
    [
      "a country in another language and no code",
      { country_code: null, country: "Nederland" },
      { country: "Nederland" },
    ],
    ["an invalid code", { country_code: "USA", country: "United States" }, { country: "United States" }],
    ["a code in small letters", { country_code: "us" }, { country: "US" }],
    [
      "a long street",
      { address1: "s".repeat(400), address2: "t".repeat(400) },
      { street: `${"s".repeat(400)}, ${"t".repeat(98)}` },
    ],
  ])("maps an address with %s", (_case, changes, expected) => {
    expect(mapShipping(changes)).toEqual({ ...MAPPED, ...expected });
  });

  it.each<[string, object, object]>([
    ["no country", { country: "", country_code: null }, { ...MAPPED, country: "N/A" }],
    [
      "neither street nor city",
      { address1: "", address2: "", city: "" },
      { ...MAPPED, street: "N/A", city: "N/A" },
    ],
    [
      "only a country",
      { address1: "", address2: "", city: null, province: null, province_code: null, zip: null },
      { street: "N/A", city: "N/A", state: "N/A", postalCode: "N/A", country: "US" },
    ],
  ])("fills in an address with %s", (_case, changes, expected) => {
    expect(mapShipping(changes)).toEqual(expected);
  });

  it("can't use an address without any part", () => {
    expect(toAddresses({ shipping_address: { address1: "", country: null }, billing_address: {} })).toEqual({
      known: {},
      isLocated: false,
    });
  });

  it("says whether an address has a street or a city", () => {
    const country = { ...FULL, address1: null, address2: null, city: null };

    expect(toAddresses({ shipping_address: country }).isLocated).toBe(false);
    expect(toAddresses({ shipping_address: country, billing_address: FULL }).isLocated).toBe(true);
  });

  it("keeps only the readable parts as known", () => {
    const { known } = toAddresses({
      shipping_address: {
        address1: "",
        city: "",
        last_name: "",
        zip: null,
        province: null,
        country: "Hong Kong",
        country_code: "HK",
      },
      billing_address: {},
    });
    expect(known).toStrictEqual({ shippingAddress: { country: "HK" } });
  });
});

describe("toCompany", () => {
  it("uses the billing address's company and that address", () => {
    const company = toCompany({
      billing_address: { ...FULL, company: "Example Ltd" },
      shipping_address: { ...FULL, company: "Other Ltd" },
    });
    expect(company).toStrictEqual({
      companyName: "Example Ltd",
      companyAddress: "1 Example Street, Floor 2, Springfield, Oregon, 97477, US",
    });
  });

  it("uses the shipping address's company when the billing address has none", () => {
    expect(
      toCompany({ billing_address: { ...FULL, company: "" }, shipping_address: { company: "Other Ltd" } }),
    ).toStrictEqual({ companyName: "Other Ltd" });
  });

  it("uses a B2B company's name and ignores a company that has only an ID", () => {
    expect(toCompany({ company: { id: 1, name: "Example GmbH" } })).toStrictEqual({
      companyName: "Example GmbH",
    });
    expect(toCompany({ company: { id: 1, location_id: 2 } })).toStrictEqual({});
    expect(toCompany({ company: null })).toStrictEqual({});
  });
});

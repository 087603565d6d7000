import { describe, expect, it } from "vitest";
import {
  compareAddresses,
  compareIpCountry,
  describeProduct,
  summarizeAddresses,
  type OrderContents,
} from "../../../web/data/orders/order-contents.ts";

const HOME = { street: "1 Main St.", city: "Reno", postalCode: "89501", country: "US" };

function contents(changes: Partial<OrderContents>): OrderContents {
  return {
    buyer: { name: "Ann Lee" },
    items: [],
    checks: {},
    countries: {},
    unread: {},
    signs: [],
    ...changes,
  };
}

const toSummary = (one: OrderContents) => summarizeAddresses(one, compareAddresses(one));

describe("describeProduct", () => {
  const products = [
    { sku: "B-1", category: "Shoes > Boots", brand: "Acme", manufacturer: "Acme Works" },
    { sku: "B-2", brand: "Acme" },
    { sku: "B-3" },
  ];

  it.each([
    ["B-1", "Shoes > Boots · Brand: Acme · Manufacturer: Acme Works"],
    ["B-2", "Brand: Acme"],
    ["B-3", null],
    ["B-4", null],
    [undefined, null],
  ])("describes %s: %s", (sku, text) => {
    expect(describeProduct(sku, { products })).toBe(text);
  });

  it("says nothing if no catalog was asked", () => {
    expect(describeProduct("B-1", {})).toBeNull();
    expect(describeProduct("B-1", null)).toBeNull();
  });
});

describe("the two addresses", () => {
  it("differ if more than case, spaces and punctuation differ", () => {
    const one = contents({
      recipient: "ann lee",
      shippingAddress: { ...HOME, street: "1  main st", city: "Elko" },
      billingAddress: HOME,
    });

    const differing = compareAddresses(one).filter(({ differs }) => differs);

    expect(differing.map(({ label }) => label)).toEqual(["City"]);
    expect(toSummary(one)).toBe("1 line differs.");
  });

  it("don't differ in what only one of them has", () => {
    const one = contents({ shippingAddress: { ...HOME, state: "NV" }, billingAddress: HOME });

    expect(compareAddresses(one).find(({ label }) => label === "State")).toEqual({
      label: "State",
      shipping: "NV",
      billing: undefined,
      differs: false,
    });
    expect(toSummary(one)).toBe("Both addresses are the same.");
  });

  it("say which of them is missing", () => {
    expect(toSummary(contents({ shippingAddress: HOME }))).toBe("The order has no billing address.");
    expect(toSummary(contents({ billingAddress: HOME }))).toBe("The order has no shipping address.");
    expect(toSummary(contents({}))).toBe("The order has no address.");
    expect(compareAddresses(contents({}))).toEqual([]);
  });
});

describe("the country of the IP address", () => {
  it.each([
    [{ ip: "US", shipping: "US", billing: "US" }, "same country as the addresses"],
    [
      { ip: "DE", shipping: "US", billing: "US" },
      "the order ships to United States and is billed in United States",
    ],
    [{ ip: "US", shipping: "US", billing: "FR" }, "the order is billed in France"],
    [{ ip: "DE" }, null],
    [{ shipping: "US", billing: "US" }, null],
  ])("of %j is shown as %j", (countries, words) => {
    expect(compareIpCountry(contents({ countries }))).toBe(words);
  });
});

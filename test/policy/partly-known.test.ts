import { describe, expect, it } from "vitest";
import type { OrderContext } from "../../src/order/order-context.ts";
import type { StandIn, VerificationRequest } from "../../src/order/request.ts";
import { chooseAction } from "../../src/policy/choose-action.ts";
import { meetsAll } from "../../src/policy/conditions/groups.ts";
import { toOrderFacts, toStoredFacts } from "../../src/policy/order-facts.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { toKnownFacts } from "../../src/policy/replay-rules.ts";
import { findSkipRule } from "../../src/policy/rules.ts";
import { anOrder } from "../support/orders.ts";

const BOOK = { name: "Novel", sku: "B", quantity: 1, price: 10 };
const PEN = { name: "Pen", sku: "P", quantity: 1, price: 1 };
const PENS = { sku: "P", category: "Office > Pens", brand: "Inky", manufacturer: "Inky Works" };
const NOVELS = { sku: "B", category: "Books > Novels", brand: "Folio", manufacturer: "Folio Press" };
const NO_BOOKS = { not: { productCategory: ["Books"] } };

function policyOf(when: object, then: object) {
  return parsePolicy({ rules: [{ name: "r", when, then }] });
}

function matches(
  when: object,
  order: Partial<VerificationRequest>,
  context: OrderContext = {},
  standIns: readonly StandIn[] = [],
): boolean {
  const [rule] = policyOf(when, { action: "hold" }).rules;
  const facts = toOrderFacts(anOrder(order), context, standIns);
  const outcome = { level: "high", score: 73, degraded: false } as const;
  // As it is stored for replays, too.
  const stored: unknown = JSON.parse(JSON.stringify(toStoredFacts(facts)));
  const replayed = toKnownFacts(null, stored as ReturnType<typeof toStoredFacts>);
  const isMet = meetsAll(rule!.when, facts, outcome);
  if (!("address" in when) && !("address" in ((when as { not?: object }).not ?? {})))
    expect(meetsAll(rule!.when, replayed.facts, outcome)).toBe(isMet);
  return isMet;
}

describe("a list that is known only in part", () => {
  const both = { items: [BOOK, PEN] };

  it("cancels nothing and skips nothing while the catalog says nothing about one of the products", () => {
    const facts = toOrderFacts(anOrder(both), { products: [PENS] });
    const policy = policyOf({ level: ["high"], ...NO_BOOKS }, { action: "cancel" });
    const result = { riskLevel: "high", riskScore: 70 } as const;
    const answered = { policy, policyVersion: 1, facts, result, source: "service", degraded: false } as const;

    expect(chooseAction(answered)).toMatchObject({ action: "hold", reasons: ["level:high"] });
    expect(findSkipRule(policyOf(NO_BOOKS, { skip: true }), facts)).toBeNull();
    const known = toOrderFacts(anOrder({ items: [PEN] }), { products: [PENS] });
    expect(chooseAction({ ...answered, facts: known })).toMatchObject({ action: "cancel" });
    expect(findSkipRule(policyOf(NO_BOOKS, { skip: true }), known)).toBe("r");
  });

  it.each(["category", "brand", "manufacturer"] as const)(
    "doesn't take a product whose %s is blank for one with another",
    (field) => {
      const name = field === "category" ? "productCategory" : field;
      const [found, other] = [{ [name]: PENS[field] }, { [name]: "Others" }];
      for (const blank of [undefined, "", field === "category" ? " > " : "  "]) {
        const context = { products: [PENS, { ...NOVELS, [field]: blank }] };

        expect(matches({ not: other }, both, context)).toBe(false);
        expect(matches(other, both, context)).toBe(false);
        expect(matches(found, both, context)).toBe(true);
        expect(matches({ not: found }, both, context)).toBe(false);
      }
      expect(matches({ not: other }, both, { products: [PENS, NOVELS] })).toBe(true);
    },
  );

  it("doesn't know the product of a line without a SKU, or of an order without lines", () => {
    const { sku: _sku, ...loose } = BOOK;

    expect(matches(NO_BOOKS, { items: [PEN, loose] }, { products: [PENS] })).toBe(false);
    expect(matches(NO_BOOKS, { items: [] }, { products: [PENS] })).toBe(false);
    expect(matches(NO_BOOKS, { items: [PEN] }, { products: [] })).toBe(false);
    expect(matches(NO_BOOKS, { items: [PEN, PEN] }, { products: [PENS] })).toBe(true);
  });

  it("knows no street where an address has none", () => {
    const street = (name: string) => ({ ...anOrder().shippingAddress, street: name });
    const asked = { not: { address: ["dock road"] } };
    const one = { shippingAddress: street("1 Main Street"), billingAddress: street("N/A") };
    const copied = { ...one, billingAddress: one.shippingAddress };

    expect(matches(asked, one, {}, ["billingAddress.street"])).toBe(false);
    expect(matches({ not: { address: ["main"] } }, one, {}, ["billingAddress.street"])).toBe(false);
    expect(matches({ address: ["main"] }, one, {}, ["billingAddress.street"])).toBe(true);
    expect(matches({ address: ["n/a"] }, one, {}, ["billingAddress.street"])).toBe(false);
    expect(matches(asked, { ...one, billingAddress: street("2 Elm Street") })).toBe(true);
    // The order has only one address.
    expect(matches(asked, copied, {}, ["billingAddress"])).toBe(true);
    expect(
      matches(asked, copied, {}, ["shippingAddress.street", "billingAddress", "billingAddress.street"]),
    ).toBe(false);
  });

  it("knows no country where a placeholder stands for it", () => {
    const inCountry = (country: string) => ({ ...anOrder().shippingAddress, country });
    const order = { shippingAddress: inCountry("N/A"), billingAddress: inCountry("US") };

    expect(matches({ not: { shippingCountry: ["DE"] } }, order, {}, ["shippingAddress.country"])).toBe(false);
    expect(matches({ not: { country: ["DE"] } }, order, {}, ["shippingAddress.country"])).toBe(false);
    expect(matches({ country: ["US"] }, order, {}, ["shippingAddress.country"])).toBe(true);
    expect(matches({ not: { billingCountry: ["DE"] } }, order, {}, ["shippingAddress.country"])).toBe(true);
  });
});

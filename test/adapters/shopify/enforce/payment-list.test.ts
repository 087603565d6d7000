import { describe, expect, it } from "vitest";
import { PAYMENTS_SCOPE, VALIDATIONS_SCOPE } from "../../../../adapters/shopify/admin/scopes.ts";
import { createApplyAtCheckout } from "../../../../adapters/shopify/enforce/apply-at-checkout.ts";
import { FUNCTION_HANDLE } from "../../../../adapters/shopify/enforce/checkout-list.ts";
import { PAYMENT_FUNCTION_HANDLE } from "../../../../adapters/shopify/enforce/payment-list.ts";
import type { CheckoutLists } from "../../../../src/adapter-kit.ts";
import { API_KEY, startFixture, TENANT } from "../admin-fixture.ts";

const LIST = `1.${"k".repeat(43)}.abcdefgh`;
const HIDE = `${LIST}\ncard`;

async function startShop({
  scopes = [PAYMENTS_SCOPE] as string[],
  functions = [PAYMENT_FUNCTION_HANDLE],
} = {}) {
  const fixture = await startFixture();
  const { shop, client, emulator } = fixture;
  shop.scopes = [...shop.scopes, ...scopes];
  shop.checkout.functions = functions;
  const apply = createApplyAtCheckout(API_KEY, client);
  return {
    ...fixture,
    checkout: shop.checkout,
    apply: (lists: Partial<CheckoutLists>) =>
      apply(TENANT, { refuse: undefined, hidePayments: undefined, ...lists }),
    changes: () =>
      emulator.operations.map(({ name }) => name).filter((name) => /Customization$|Validation$/.test(name)),
  };
}

describe("applyAtCheckout, to ask for another payment", () => {
  it("turns the function on with the list, writes only what differs, and deletes both in the end", async () => {
    const { apply, checkout, changes } = await startShop();
    checkout.addPayments({ appKey: "another-app", functionHandle: PAYMENT_FUNCTION_HANDLE });

    expect(await apply({ hidePayments: HIDE })).toBe("applied");
    expect(await apply({ hidePayments: HIDE })).toBe("applied");
    const own = checkout.payments[1]!;
    expect(own).toMatchObject({
      enabled: true,
      functionHandle: PAYMENT_FUNCTION_HANDLE,
      title: "Holdfast payments",
    });
    expect(checkout.readForFunction(own, "block-list")).toMatchObject({ value: HIDE });
    expect(await apply({ hidePayments: `${HIDE}\nPayPal` })).toBe("applied");
    expect(checkout.readForFunction(own, "block-list")).toMatchObject({ value: `${HIDE}\nPayPal` });

    expect(await apply({})).toBe("open");
    expect(checkout.payments).toMatchObject([{ appKey: "another-app" }]);
    expect(changes()).toEqual([
      "CreatePaymentCustomization",
      "UpdatePaymentCustomization",
      "DeletePaymentCustomization",
    ]);
  });

  it("changes from one way to the other, so that a buyer never meets both", async () => {
    const { apply, checkout } = await startShop({
      scopes: [PAYMENTS_SCOPE, VALIDATIONS_SCOPE],
      functions: [PAYMENT_FUNCTION_HANDLE, FUNCTION_HANDLE],
    });
    const shown = () => [checkout.validations.length, checkout.payments.length];
    expect(await apply({ refuse: LIST })).toBe("applied");
    expect(shown()).toEqual([1, 0]);
    expect(await apply({ hidePayments: HIDE })).toBe("applied");
    expect(shown()).toEqual([0, 1]);
    expect(await apply({ refuse: LIST })).toBe("applied");
    expect(shown()).toEqual([1, 0]);
  });

  it("needs its own permission", async () => {
    const { apply, changes } = await startShop({ scopes: [VALIDATIONS_SCOPE] });
    expect(await apply({ hidePayments: HIDE })).toBe("not-granted");
    expect(changes()).toEqual([]);
    // It never had the other one, so it made nothing there.
    expect(await apply({})).toBe("open");
    expect(await (await startShop({ scopes: [] })).apply({})).toBe("not-granted");
  });

  it("says that a list stays whose scope was taken away, and adds no second one", async () => {
    const { apply, shop, checkout } = await startShop({
      scopes: [PAYMENTS_SCOPE, VALIDATIONS_SCOPE],
      functions: [PAYMENT_FUNCTION_HANDLE, FUNCTION_HANDLE],
    });
    expect(await apply({ hidePayments: HIDE })).toBe("applied");
    shop.scopes = shop.scopes.filter((scope) => scope !== PAYMENTS_SCOPE);

    expect(await apply({ hidePayments: null })).toBe("not-granted");
    expect(await apply({ refuse: "list", hidePayments: null })).toBe("not-granted");
    expect(checkout.payments).toHaveLength(1);
    expect(checkout.validations).toEqual([]);
    shop.grant(PAYMENTS_SCOPE);
    expect(await apply({ refuse: "list", hidePayments: null })).toBe("applied");
    expect(checkout.payments).toEqual([]);
  });

  it("doesn't turn on what a person turned off in Shopify, and keeps one of two", async () => {
    const { apply, checkout } = await startShop();
    await apply({ hidePayments: HIDE });
    checkout.payments[0]!.enabled = false;
    checkout.addPayments({ appKey: API_KEY, functionHandle: PAYMENT_FUNCTION_HANDLE });
    expect(await apply({ hidePayments: `${HIDE}\nPayPal` })).toBe("turned-off");
    expect(checkout.payments).toMatchObject([{ enabled: false }]);
  });

  it("says what stands in the way", async () => {
    expect(await (await startShop({ functions: [] })).apply({ hidePayments: HIDE })).toBe("not-deployed");

    const basic = await startShop();
    basic.checkout.refusal = "PAYMENT_CUSTOMIZATION_FUNCTION_NOT_ELIGIBLE";
    expect(await basic.apply({ hidePayments: HIDE })).toBe("plan");

    const full = await startShop();
    for (let count = 0; count < 25; count += 1) full.checkout.addPayments({ appKey: "another-app" });
    expect(await full.apply({ hidePayments: HIDE })).toBe("too-many");

    const broken = await startShop();
    broken.checkout.refusal = "INTERNAL_ERROR";
    await expect(broken.apply({ hidePayments: HIDE })).rejects.toMatchObject({ code: "PLATFORM_REFUSED" });
  });
});

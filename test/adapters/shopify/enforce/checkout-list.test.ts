import { describe, expect, it } from "vitest";
import { createApplyAtCheckout } from "../../../../adapters/shopify/enforce/apply-at-checkout.ts";
import { FUNCTION_HANDLE } from "../../../../adapters/shopify/enforce/checkout-list.ts";
import { VALIDATIONS_SCOPE } from "../../../../adapters/shopify/admin/scopes.ts";
import { API_KEY, startFixture, TENANT } from "../admin-fixture.ts";

const LIST = `1.${"k".repeat(43)}.abcdefgh`;
const LONGER = `${LIST}12345678`;

async function startShop({ scopes = [VALIDATIONS_SCOPE], functions = [FUNCTION_HANDLE] } = {}) {
  const fixture = await startFixture();
  const { shop, client, emulator } = fixture;
  shop.scopes = [...shop.scopes, ...scopes];
  shop.checkout.functions = functions;
  const apply = createApplyAtCheckout(API_KEY, client);
  const names = () => emulator.operations.map(({ name }) => name);
  return {
    ...fixture,
    names,
    checkout: shop.checkout,
    refuse: (list: string | null) => apply(TENANT, { refuse: list, hidePayments: undefined }),
    /** The mutations that were sent. */
    changes: () => names().filter((name) => name.endsWith("Validation")),
  };
}

describe("applyAtCheckout, to refuse", () => {
  it("turns the function on with the list, fails open, and writes only what differs", async () => {
    const { refuse, checkout, changes } = await startShop();

    expect(await refuse(LIST)).toBe("applied");
    expect(await refuse(LIST)).toBe("applied");
    expect(checkout.validations).toMatchObject([
      { functionHandle: FUNCTION_HANDLE, enabled: true, blockOnFailure: false, title: "Holdfast block list" },
    ]);
    expect(checkout.readForFunction(checkout.validations[0]!, "block-list")).toMatchObject({ value: LIST });
    expect(changes()).toEqual(["CreateValidation"]);

    expect(await refuse(LONGER)).toBe("applied");
    expect(checkout.validations).toHaveLength(1);
    expect(checkout.readForFunction(checkout.validations[0]!, "block-list")).toMatchObject({ value: LONGER });
    expect(changes()).toEqual(["CreateValidation", "UpdateValidation"]);
  });

  it("removes the function's rule with its list, and leaves those of other apps and functions alone", async () => {
    const { refuse, checkout } = await startShop();
    for (let count = 0; count < 60; count += 1)
      checkout.add({ appKey: count === 0 ? API_KEY : "another-app", enabled: false });
    await refuse(LIST);
    expect(checkout.validations).toHaveLength(61);

    expect(await refuse(null)).toBe("open");
    expect(await refuse(null)).toBe("open");
    expect(checkout.validations).toHaveLength(60);
    expect(checkout.validations.some(({ functionHandle }) => functionHandle === FUNCTION_HANDLE)).toBe(false);
  });

  it("keeps one rule of two that were made at the same time", async () => {
    const { refuse, checkout } = await startShop();
    checkout.add({ appKey: API_KEY, functionHandle: FUNCTION_HANDLE });
    checkout.add({ appKey: API_KEY, functionHandle: FUNCTION_HANDLE });
    expect(await refuse(LIST)).toBe("applied");
    expect(checkout.validations.map(({ id }) => id)).toEqual(["gid://shopify/Validation/1"]);
  });

  it("doesn't turn on what a person turned off in Shopify, and says so", async () => {
    const { refuse, checkout } = await startShop();
    await refuse(LIST);
    checkout.validations[0]!.enabled = false;
    expect(await refuse(LONGER)).toBe("turned-off");
    expect(checkout.validations[0]!.enabled).toBe(false);
    checkout.validations[0]!.enabled = true;
    expect(await refuse(LONGER)).toBe("applied");
  });

  it("lets buyers continue after a failure, also if somebody set the rule to block", async () => {
    const { refuse, checkout } = await startShop();
    await refuse(LIST);
    checkout.validations[0]!.blockOnFailure = true;
    expect(await refuse(LIST)).toBe("applied");
    expect(checkout.validations[0]!.blockOnFailure).toBe(false);
  });

  it("changes nothing without the permission", async () => {
    const { refuse, names } = await startShop({ scopes: [] });
    expect(await refuse(LIST)).toBe("not-granted");
    // A rule that it made before may still be there.
    expect(await refuse(null)).toBe("not-granted");
    expect(names()).toEqual(["GrantedScopes", "GrantedScopes"]);
  });

  it("says what stands in the way", async () => {
    expect(await (await startShop({ functions: [] })).refuse(LIST)).toBe("not-deployed");

    const basic = await startShop();
    basic.checkout.refusal = "CUSTOM_APP_FUNCTION_NOT_ELIGIBLE";
    expect(await basic.refuse(LIST)).toBe("plan");

    const full = await startShop();
    for (let count = 0; count < 25; count += 1) full.checkout.add({ appKey: "another-app" });
    expect(await full.refuse(LIST)).toBe("too-many");

    const broken = await startShop();
    broken.checkout.refusal = "INTERNAL_ERROR";
    await expect(broken.refuse(LIST)).rejects.toMatchObject({ code: "PLATFORM_REFUSED" });
  });
});

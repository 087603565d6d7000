import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FUNCTION_HANDLE } from "../../adapters/shopify/enforce/checkout-list.ts";
import { PAYMENT_FUNCTION_HANDLE } from "../../adapters/shopify/enforce/payment-list.ts";
import { PAYMENTS_SCOPE, VALIDATIONS_SCOPE } from "../../adapters/shopify/admin/scopes.ts";
import {
  COMPILE_LIMIT_MS,
  compileBlockList,
  compileBlockPayment,
  runFunction,
} from "../support/shopify-function.ts";
import { atRest, createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { toShopOrder } from "../support/shop-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "block-list.myshopify.com";
const MALLORY = "mallory@shop.example";
const ORDER = toShopOrder(1, { email: MALLORY, amount: 120 });

let blockList: WebAssembly.Module;
let blockPayment: WebAssembly.Module;
let stage: ShopifyStage;

beforeAll(async () => {
  ({ module: blockList } = await compileBlockList());
  ({ module: blockPayment } = await compileBlockPayment());
}, COMPILE_LIMIT_MS);
beforeEach(async () => {
  stage = await createShopifyStage();
  shop().grant(VALIDATIONS_SCOPE);
  shop().grant(PAYMENTS_SCOPE);
  shop().checkout.functions = [FUNCTION_HANDLE, PAYMENT_FUNCTION_HANDLE];
  const payload = JSON.parse(ORDER.body) as Record<string, unknown>;
  shop().addOrder({ orderId: ORDER.orderId, routed: 1, payload });
  await stage.start();
  await stage.install(SHOP, { blockedAtCheckout: "refuse" });
  expect(await stage.deliver({ shop: SHOP, topic: "orders/create", body: ORDER.body })).toBe(200);
  await stage.until(SHOP, atRest(1));
});
afterEach(() => stage.close());

const shop = () => stage.emulator.shop(SHOP);
const rules = () => shop().checkout.validations;

/** What the shop's checkout does when somebody pays. It runs the rule's function with the rule's own metafield. */
function checkOut(email: string): "refused" | "passes" {
  for (const rule of rules().filter(({ enabled }) => enabled)) {
    const input = {
      buyerJourney: { step: "CHECKOUT_COMPLETION" },
      cart: toCart(email),
      localization: { language: { isoCode: "EN" } },
      validation: { metafield: shop().checkout.readForFunction(rule, "block-list") },
    };
    const run = runFunction(blockList, JSON.stringify(input));
    if (JSON.stringify(run).includes("validationAdd")) return "refused";
  }
  return "passes";
}

const toCart = (email: string) => ({
  buyerIdentity: { email, phone: null, customer: null },
  billingAddress: null,
  deliveryGroups: [],
});

const METHODS = ["Credit card", "Bank Deposit"];

/** The payment methods that the shop's checkout offers. It runs the customization's function. */
function listMethods(email: string): readonly string[] {
  const hidden = shop()
    .checkout.payments.filter(({ enabled }) => enabled)
    .map((one) => {
      const input = {
        cart: toCart(email),
        paymentCustomization: { metafield: shop().checkout.readForFunction(one, "block-list") },
        paymentMethods: METHODS.map((name) => ({ id: name, name })),
      };
      return JSON.stringify(runFunction(blockPayment, JSON.stringify(input)));
    })
    .join("");
  return METHODS.filter((name) => !hidden.includes(`"paymentMethodId":"${name}"`));
}

const block = (kinds: readonly string[]) =>
  stage.send(SHOP, "POST", "/api/policy/lists", {
    body: { orderId: ORDER.orderId, list: "block", kinds, reason: "chargeback", until: null },
  });

async function changePolicy(change: object): Promise<void> {
  const policy = (await stage.get(SHOP, "/api/policy")).body as Record<string, unknown>;
  const saved = await stage.send(SHOP, "PUT", "/api/policy", { body: { ...policy, ...change } });
  expect(saved.status).toBe(200);
}

describe("a blocked buyer at the checkout", () => {
  it("is refused, others pass, and Shopify gets digests only, until the entry is removed", async () => {
    expect(checkOut(MALLORY)).toBe("passes");
    expect((await block(["mailbox"])).status).toBe(200);
    await until(() => rules().length === 1);

    expect(checkOut("Mallory+again@shop.example")).toBe("refused");
    expect(checkOut("alice@shop.example")).toBe("passes");
    const [rule] = rules();
    expect(rule).toMatchObject({ enabled: true, blockOnFailure: false });
    expect([...(rule?.metafields ?? [])]).toEqual([
      [
        "$app.block-list",
        { type: "multi_line_text_field", value: expect.stringMatching(/^1\.[\w-]{43}\.[\w-]{8}$/) },
      ],
    ]);

    await changePolicy({ lists: [] });
    await until(() => rules().length === 0);
    expect(checkOut(MALLORY)).toBe("passes");
    expect(stage.log()).not.toContain("mallory");
  });

  it("is refused although the app was killed between the change and Shopify", async () => {
    // Until the restart, Shopify can't take the list.
    shop().checkout.functions = [];
    await block(["mailbox"]);
    await stage.kill();
    expect(checkOut(MALLORY)).toBe("passes");
    shop().checkout.functions = [FUNCTION_HANDLE];
    await stage.start();
    await until(() => rules().length === 1);
    expect(checkOut(MALLORY)).toBe("refused");

    await changePolicy({ blockedAtCheckout: "nothing" });
    await stage.kill();
    await stage.start();
    await until(() => rules().length === 0);
    expect(checkOut(MALLORY)).toBe("passes");
  });

  it("is asked for another payment in place of that, also after a restart, until the policy is set back", async () => {
    await block(["mailbox"]);
    await until(() => rules().length === 1);
    await changePolicy({ blockedAtCheckout: "another-payment" });
    await stage.kill();
    await stage.start();
    await until(() => shop().checkout.payments.length === 1);
    expect(rules()).toEqual([]);

    expect(checkOut(MALLORY)).toBe("passes");
    expect(listMethods("Mallory+again@shop.example")).toEqual(["Bank Deposit"]);
    expect(listMethods("alice@shop.example")).toEqual(METHODS);
    // Nobody is left without a way to pay.
    await changePolicy({ hiddenPayments: ["card", "deposit"] });
    await until(() =>
      expect(JSON.stringify([...(shop().checkout.payments[0]?.metafields ?? [])])).toContain("deposit"),
    );
    expect(listMethods(MALLORY)).toEqual(METHODS);

    await changePolicy({ blockedAtCheckout: "nothing" });
    await until(() => shop().checkout.payments.length === 0);
    expect(stage.log()).not.toContain("mallory");
  });
});

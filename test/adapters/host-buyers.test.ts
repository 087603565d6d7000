import { describe, expect, it } from "vitest";
import { fromMedusaCart } from "../../adapters/medusa/index.ts";
import { mapCart, mapOrder as mapMedusaOrder, ORDER_FIELDS, toContent } from "../../adapters/medusa/order.ts";
import { fromCommercetoolsOrder } from "../../adapters/commercetools/index.ts";
import { fromEverShopCart } from "../../adapters/evershop/index.ts";
import { fromPayPalOrder } from "../../adapters/paypal/index.ts";
import { fromSaleorOrder } from "../../adapters/saleor/index.ts";
import { fromVendureOrder } from "../../adapters/vendure/index.ts";
import { mapOrder as mapVendureOrder } from "../../adapters/vendure/order.ts";
import { readOrder } from "../../src/screening/read-order.ts";
import { createHostPlatform, type PlatformOrder } from "../../src/adapter-kit.ts";
import { createScreener } from "../../src/index.ts";
import { createMemoryShop } from "../testing/shop-adapter.ts";
import { readHostPayload, withValue } from "../support/host-orders.ts";

const CART = readHostPayload("medusa-cart");
const VENDURE = readHostPayload("vendure-order");
/** A present: somebody else receives it. */
const GIFT = [
  ["shipping_address.first_name", "Grace"],
  ["shipping_address.last_name", "Hopper"],
  ["shipping_address.phone", "+12025550199"],
  ["billing_address.phone", null],
  ["customer.phone", null],
].reduce((cart, [path, value]) => withValue(cart, path ?? "", value), CART);

describe("the buyer of a host's order", () => {
  it("isn't reached at the phone number of the person who receives the order", () => {
    const order = fromMedusaCart(GIFT);

    expect(order.customerName).toBe("Ada Byron");
    expect(order).not.toHaveProperty("customerPhone");
  });

  it("has the phone number beside the same name elsewhere, however the name is written", () => {
    const cart = withValue(
      withValue(GIFT, "shipping_address.first_name", "ADA "),
      "shipping_address.last_name",
      "byron",
    );

    expect(fromMedusaCart(cart).customerPhone).toBe("+12025550199");
  });

  it("may have ordered before: a first order is only assumed until earlier ones were counted", async () => {
    const shop = createMemoryShop();
    const platform = createHostPlatform({ shop });
    const orders = [
      mapCart(GIFT),
      mapMedusaOrder(toContent(GIFT)),
      mapVendureOrder({ ...VENDURE, id: 7 }, {}),
    ];

    for (const order of orders) {
      expect(order.mapped).toMatchObject({ request: { isFirstTimeCustomer: true } });
      expect(order.mapped.standIns).toContain("isFirstTimeCustomer");
      const { mapped } = await platform.enrich(platform.tenant, order);
      expect(mapped).toMatchObject({ request: { isFirstTimeCustomer: false, totalOrders: 2 } });
      expect(mapped.standIns).not.toContain("isFirstTimeCustomer");
    }
  });

  it("has a mobile number rather than the recipient's phone", () => {
    const order = readHostPayload("commercetools-order");
    const { phone: _phone, ...address } = order["billingAddress"] as Record<string, unknown>;
    const billingAddress = { ...address, mobile: "+4915200000000" };
    const shippingAddress = { ...address, firstName: "Grace", phone: "+4915211111111" };

    expect(fromCommercetoolsOrder({ ...order, billingAddress, shippingAddress }).customerPhone).toBe(
      "+4915200000000",
    );
  });
});

describe("an address that stands in for a missing one", () => {
  const alone = fromMedusaCart(withValue(CART, "billing_address", null));

  it("isn't evidence, even after the host has added more data", () => {
    expect(readOrder({ ...alone, ipAddress: "192.0.2.1" }).standIns).toContain("billingAddress");
    expect(readOrder(fromMedusaCart(withValue(CART, "shipping_address", null))).standIns).toContain(
      "shippingAddress",
    );
    expect(readOrder(fromMedusaCart(CART)).standIns).not.toContain("billingAddress");
    expect(mapCart(withValue(CART, "billing_address", null)).mapped.standIns).toContain("billingAddress");
  });

  it("earns no trust in a check", async () => {
    const screener = createScreener({ service: "local" });
    const reasoningOf = async (order: object) => (await screener.check(order)).result?.reasoning;

    expect(await reasoningOf(fromMedusaCart(CART))).toContain("shipping and billing addresses are the same");
    expect(await reasoningOf(alone)).not.toContain("shipping and billing addresses are the same");
    await screener.close();
  });
});

describe("a partial address", () => {
  const NIGERIA = { street: "N/A", city: "N/A", state: "N/A", postalCode: "N/A", country: "NG" };

  it("stays without its other parts: an order is billed in another country than it ships to", () => {
    const saleor = { country: { code: "NG" } };
    const paypal = withValue(
      readHostPayload("paypal-order"),
      "payment_source.paypal.address.country_code",
      "NG",
    );
    const orders = [
      fromMedusaCart(withValue(CART, "billing_address", { country_code: "ng" })),
      fromVendureOrder(withValue(VENDURE, "billingAddress", { countryCode: "NG" })),
      fromSaleorOrder(withValue(readHostPayload("saleor-order"), "billingAddress", saleor)),
      fromCommercetoolsOrder(
        withValue(readHostPayload("commercetools-order"), "billingAddress", { country: "NG" }),
      ),
      fromEverShopCart(withValue(readHostPayload("evershop-cart"), "billing_address", { country: "NG" })),
      fromPayPalOrder(withValue(paypal, "payer.address.country_code", "NG")),
    ];

    for (const { billingAddress, shippingAddress } of orders) {
      expect(billingAddress).toEqual(NIGERIA);
      expect(shippingAddress?.country).not.toBe("NG");
    }
  });

  it("stays although the country is missing", () => {
    const { shippingAddress } = fromMedusaCart(withValue(CART, "shipping_address.country_code", null));

    expect(shippingAddress).toMatchObject({ city: "Austin", country: "N/A" });
  });

  it("counts, if a payer's, only in addition to a whole address", () => {
    const billing_address = {
      address_line_1: "1 Rue X",
      admin_area_2: "Paris",
      postal_code: "75001",
      country_code: "FR",
    };
    const card = { last_digits: "4242", billing_address };
    const order = { ...readHostPayload("paypal-order"), payment_source: { card } };

    expect(fromPayPalOrder(order).billingAddress).toMatchObject({ city: "Paris", country: "FR" });
  });
});

describe("the recipient of a host's order", () => {
  const recipientOf = ({ mapped }: PlatformOrder) => mapped.recipientName;

  it("is read in Medusa, from the cart and its order", () => {
    expect(recipientOf(mapCart(GIFT))).toBe("Grace Hopper");
    expect(recipientOf(mapMedusaOrder(toContent(GIFT)))).toBe("Grace Hopper");
    expect(recipientOf(mapCart(withValue(GIFT, "shipping_address.company", "c/o Forwarding")))).toBe(
      "Grace Hopper, c/o Forwarding",
    );
  });

  it("is read in Vendure", () => {
    const order = withValue(VENDURE, "shippingAddress.fullName", "Grace Hopper");

    expect(recipientOf(mapVendureOrder({ ...order, id: 7 }, {}))).toBe("Grace Hopper");
  });

  it("is empty if the address has no name, and unknown without an address", () => {
    const nobody = withValue(
      withValue(CART, "shipping_address.first_name", null),
      "shipping_address.last_name",
      "",
    );

    expect(recipientOf(mapCart(withValue(nobody, "shipping_address.company", null)))).toBe("");
    expect(recipientOf(mapCart(withValue(CART, "shipping_address", null)))).toBeUndefined();
  });
});

it("has the age of the account in Medusa's cart, which is the one that is paid for", () => {
  const customer = { ...(CART["customer"] as object), has_account: true };
  const cart = withValue({ ...CART, customer }, "customer.created_at", "2026-10-20T08:53:58.553Z");

  expect(mapCart(cart).mapped).toMatchObject({ request: { accountAgeInDays: 31 } });
});

describe("an order that gift cards paid in full", () => {
  const MEDUSA = readHostPayload("medusa-order");

  it("is checked in Medusa, in the cart as in the order", () => {
    const order = mapMedusaOrder(toContent({ ...MEDUSA, total: 0 }));

    for (const { amount, mapped } of [mapCart({ ...CART, total: 0 }), order])
      expect([amount, mapped.outcome]).toEqual([17.5, "screenable"]);
    expect(ORDER_FIELDS).toEqual(expect.arrayContaining(["item_total", "shipping_total"]));
  });
});

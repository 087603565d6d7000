import { describe, expect, it } from "vitest";
import { mapOrder } from "../../../adapters/vendure/order.ts";
import { toShopOrder } from "../../../adapters/vendure/shop.ts";
import { aShop } from "./shop-services.ts";

describe("a Vendure order", () => {
  // Vendure delivers a part of an order whose other goods have not shipped: then it is "PartiallyDelivered" too.
  it.each([
    ["PaymentSettled", false, false],
    ["PartiallyShipped", false, true],
    ["PartiallyDelivered", false, true],
    ["Shipped", true, false],
    ["Delivered", true, false],
  ])("in state %s: all shipped %s, a part shipped %s", (state, fulfilled, partlyFulfilled) => {
    const shown = toShopOrder(aShop(state, []).order);

    expect(shown).toMatchObject({ fulfilled, partlyFulfilled });
    expect(mapOrder(shown.content, {}).fulfilled ?? false).toBe(fulfilled);
  });
});

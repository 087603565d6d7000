import { describe, expect, it } from "vitest";
import { toAdminUrl } from "../../../../adapters/shopify/page/page.ts";

describe("toAdminUrl", () => {
  it("returns the order's page in the shop's admin", () => {
    expect(toAdminUrl("shopify:demo.myshopify.com", "9820982911946154003")).toBe(
      "https://admin.shopify.com/store/demo/orders/9820982911946154003",
    );
  });

  it.each([
    ["another platform's tenant", "other:demo.myshopify.com", "1"],
    ["no shop", "shopify:demo.example", "1"],
    ["no order's id", "shopify:demo.myshopify.com", "1/../../settings"],
  ])("returns nothing for %s", (_what, tenant, orderId) => {
    expect(toAdminUrl(tenant, orderId)).toBeNull();
  });
});

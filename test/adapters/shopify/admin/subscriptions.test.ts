import { describe, expect, it } from "vitest";
import { createFollowPermissions } from "../../../../adapters/shopify/admin/subscriptions.ts";
import { DISPUTES_SCOPE } from "../../../../adapters/shopify/admin/scopes.ts";
import { startFixture, TENANT } from "../admin-fixture.ts";

async function startShop() {
  const fixture = await startFixture();
  const follow = createFollowPermissions(fixture.client, "https://app.example.com");
  return { ...fixture, follow: (granted: readonly string[]) => follow(TENANT, granted) };
}

describe("createFollowPermissions", () => {
  it("subscribes to disputes once the shop has granted the scope, and only once", async () => {
    const { follow, shop, count } = await startShop();
    shop.scopes = [...shop.scopes, DISPUTES_SCOPE];

    await follow(shop.scopes);
    await follow(shop.scopes);

    expect([...shop.subscribed]).toEqual([
      ["DISPUTES_CREATE", "https://app.example.com/webhooks/shopify"],
      ["DISPUTES_UPDATE", "https://app.example.com/webhooks/shopify"],
    ]);
    expect(count("Subscribe")).toBe(2);
  });

  it("asks Shopify nothing without the scope", async () => {
    const { follow, shop, emulator } = await startShop();
    await follow(shop.scopes);
    expect(emulator.operations).toEqual([]);
  });

  it("fails, to be tried again, when Shopify refuses", async () => {
    const { follow } = await startShop();
    await expect(follow([DISPUTES_SCOPE])).rejects.toMatchObject({ code: "PLATFORM_REFUSED" });
  });
});

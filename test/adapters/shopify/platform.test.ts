import { describe, expect, it } from "vitest";
import { createShopifyPlatform } from "../../../adapters/shopify/index.ts";
import { until } from "../../support/until.ts";
import { createTokenEndpoint } from "../../../adapters/shopify/admin/token-endpoint.ts";
import {
  API_KEY,
  API_SECRET,
  createDecision,
  createTarget,
  ORDER_ID,
  SHOP,
  startFixture,
  TENANT,
} from "./admin-fixture.ts";
import { asShown } from "../../support/shown.ts";

async function startPlatform() {
  const fixture = await startFixture({ unopened: true });
  fixture.shop.addOrder({ orderId: ORDER_ID, payload: { name: "#1001" } });
  const platform = createShopifyPlatform({
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    appUrl: "https://app.example.com",
    credentials: fixture.credentials,
    dispatcher: fixture.dispatcher,
    now: fixture.clock.now,
  });
  return { ...fixture, platform };
}

/** Valid for the library that checks the token, although the clock was moved forward. */
const LATER = { claims: { nbf: 0 } };

describe("createShopifyPlatform", () => {
  it("waits for access, gets it when the app is opened, and then carries out a decision", async () => {
    const { platform, emulator, order } = await startPlatform().then((started) => {
      return { ...started, order: started.shop.order(ORDER_ID) };
    });
    await expect(platform.enforce("hold", createTarget())).rejects.toMatchObject({
      code: "PLATFORM_UNAUTHORIZED",
      retryable: true,
    });

    expect(await platform.openSession(emulator.createSessionToken(SHOP))).toMatchObject({ tenant: TENANT });
    expect(await platform.enforce("hold", createTarget())).toMatchObject({ outcome: "done" });

    expect(asShown(await platform.observe(TENANT, ORDER_ID))?.holds).toHaveLength(1);
    expect(await platform.locate(TENANT, order.fulfillmentOrders[0]?.id ?? "")).toBe(ORDER_ID);
  });

  it("gets new access when the app is opened after it was uninstalled and installed again", async () => {
    const { platform, shop, emulator, credentials, clock } = await startPlatform();
    await platform.openSession(emulator.createSessionToken(SHOP));
    // Uninstalling revokes all tokens. Its webhook can arrive after the shop is back.
    shop.tokens.revokeAll();
    clock.advance(20_000);

    expect(await platform.openSession(emulator.createSessionToken(SHOP, LATER))).toMatchObject({
      tenant: TENANT,
    });

    await until(() => expect(credentials.occasions).toEqual(["installed", "installed"]));
    expect(await platform.confirmAccess(TENANT)).toBe("works");
    expect(await platform.enforce("hold", createTarget())).toMatchObject({ outcome: "done" });
  });

  it("gets new access without a check once an Admin call was refused", async () => {
    const { platform, shop, emulator, credentials, count } = await startPlatform();
    const open = () => platform.openSession(emulator.createSessionToken(SHOP));
    await open();
    // Too soon after the last check for another one.
    shop.tokens.revokeAll();
    await open();
    await expect(platform.enforce("hold", createTarget())).rejects.toMatchObject({
      code: "PLATFORM_UNAUTHORIZED",
      retryable: true,
    });

    await open();

    expect(count("ConfirmAccess")).toBe(0);
    expect(credentials.occasions).toEqual(["installed", "discarded", "installed"]);
    expect(await platform.enforce("hold", createTarget())).toMatchObject({ outcome: "done" });
  });

  it("asks Shopify about stored access at most every 15 seconds, and leaves access that works alone", async () => {
    const { platform, emulator, credentials, clock, count } = await startPlatform();
    const open = () => platform.openSession(emulator.createSessionToken(SHOP, LATER));
    // Our own check waits for the checks that the sessions started.
    const asked = async () => {
      await platform.confirmAccess(TENANT);
      return count("ConfirmAccess");
    };
    // Shopify has just granted the access that the first sessions use: nobody needs to check it.
    for (let call = 0; call < 5; call += 1) await open();
    expect(await asked()).toBe(0 + 1);
    clock.advance(20_000);
    for (let call = 0; call < 5; call += 1) await open();
    expect(await asked()).toBe(1 + 2);
    clock.advance(20_000);
    await open();
    expect(await asked()).toBe(2 + 3);

    expect(credentials.occasions).toEqual(["installed"]);
  });

  it("lists recent orders and undoes its own effects", async () => {
    const { platform, shop, emulator } = await startPlatform();
    await platform.openSession(emulator.createSessionToken(SHOP));

    const { orders } = await platform.recentOrders(TENANT, { sinceMs: Date.now() - 60_000 });
    expect(orders.map(({ orderId }) => orderId)).toEqual([ORDER_ID]);

    for (const step of ["hold", "tag"] as const) await platform.enforce(step, createTarget());
    const undone = createTarget({ decision: createDecision({ tags: [] }), formerTags: ["holdfast-high"] });
    for (const step of ["release", "untag"] as const) {
      expect(await platform.enforce(step, undone)).toMatchObject({ outcome: "done" });
    }
    expect(await platform.observe(TENANT, ORDER_ID)).toMatchObject({ holds: [], tags: [], holdable: true });
    expect(shop.order(ORDER_ID).fulfillmentOrders[0]?.status).toBe("OPEN");
  });

  it("leaves the caller's dispatcher open and closes its own", async () => {
    const { platform, dispatcher, credentials } = await startPlatform();
    const parts = { apiKey: API_KEY, apiSecret: API_SECRET, appUrl: "https://app.example.com", credentials };

    await platform.close();
    await createShopifyPlatform(parts).close();

    const endpoint = createTokenEndpoint({ ...parts, dispatcher, now: Date.now, timeoutMs: 1_000 });
    await expect(endpoint.refresh(SHOP, "unknown")).resolves.toBeNull();
  });

  it("names itself and refuses unsigned deliveries", async () => {
    const { platform } = await startPlatform();

    expect(platform.name).toBe("shopify");
    expect(platform.authenticate({ headers: {}, body: Buffer.from("{}") })).toMatchObject({
      outcome: "unauthenticated",
    });
  });

  it("lets only the shop and Shopify's admin frame the page, with App Bridge first", async () => {
    const { platform } = await startPlatform();

    const bridge =
      `<meta name="shopify-api-key" content="${API_KEY}">` +
      `<script src="https://cdn.shopify.com/shopifycloud/app-bridge.js"></script>`;
    const page = platform.page({ shop: SHOP, host: "x" });
    expect(page).toMatchObject({
      frameAncestors: [`https://${SHOP}`, "https://admin.shopify.com"],
      scriptSources: ["https://cdn.shopify.com/shopifycloud/"],
    });
    expect(page?.head.startsWith(bridge)).toBe(true);
    const bounce = platform.signInPages?.get("/session-token-bounce");
    expect(bounce?.({ shop: SHOP, "shopify-reload": "/" })?.head).toBe(bridge);
  });

  it("lets extensions of the admin, and no other origin, read an order", async () => {
    const { platform } = await startPlatform();
    expect(platform.apiOrigins).toEqual(["https://extensions.shopifycdn.com"]);
  });

  it("redirects a visitor from outside the admin into the shop's admin", async () => {
    const { platform } = await startPlatform();
    expect(platform.entrance?.({ shop: SHOP }, "/")).toBe(`https://${SHOP}/admin/apps/${API_KEY}`);
    expect(platform.entrance?.({ shop: "evil.example" }, "/")).toBeNull();
  });

  it.each([
    undefined,
    "",
    "example.com",
    "demo.myshopify.com; script-src *",
    "demo.myshopify.com.example.com",
    "x y.myshopify.com",
    "https://demo.myshopify.com",
  ])("has no page for the shop %j", async (shop) => {
    const { platform } = await startPlatform();

    expect(platform.page({ shop, host: "x" })).toBeNull();
  });

  it("escapes the client id", async () => {
    const { credentials } = await startPlatform();
    const apiKey = `"><script>&`;
    const platform = createShopifyPlatform({
      apiKey,
      apiSecret: API_SECRET,
      appUrl: "https://app.example.com",
      credentials,
    });

    expect(platform.page({ shop: SHOP, host: "x" })?.head).toContain(
      'content="&quot;&gt;&lt;script&gt;&amp;"',
    );
    await platform.close();
  });
});

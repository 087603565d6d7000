import nock from "nock";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScreener } from "../../src/screening/screener.ts";
import { aResult, anOrder } from "../support/orders.ts";

const SERVICE = "https://verify.example";

// Once loaded, nock intercepts the network of the whole process, which later runs other tests.
afterAll(() => nock.restore());
beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

describe("a storefront's own test with nock", () => {
  it("sees the one call that is made, and can answer it", async () => {
    const data = aResult("high");
    const organizations = [{ id: "org_1", slug: "shop", name: "Shop", role: "owner" }];
    nock(SERVICE, { reqheaders: { "x-api-key": "test-key" } })
      .get("/api/organizations/get")
      .reply(200, { success: true, data: { organizations } });
    const paid = nock(SERVICE)
      .post(
        "/api/shop/order-verification",
        (body: Record<string, unknown>) => body["customerEmail"] === "jane@example.com",
      )
      .reply(200, { success: true, data });
    const screener = createScreener({ service: { url: SERVICE, apiKey: "test-key" } });

    const [first, second] = [await screener.check(anOrder()), await screener.check(anOrder())];
    await screener.close();

    expect(first).toMatchObject({ status: "verified", action: "hold", riskLevel: "high", creditsSpent: 1 });
    expect(second).toMatchObject({ status: "cached", action: "hold", creditsSpent: 0 });
    expect(paid.isDone()).toBe(true);
  });
});

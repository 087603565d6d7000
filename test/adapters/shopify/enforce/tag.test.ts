import { describe, expect, it } from "vitest";
import { createDecision, ORDER_ID, startFixture } from "../admin-fixture.ts";

async function startShop(tags: readonly string[] = []) {
  const fixture = await startFixture();
  const order = fixture.shop.addOrder({ orderId: ORDER_ID, tags });
  return { ...fixture, order };
}

describe("tag", () => {
  it("adds the decision's tags to the order's own", async () => {
    const { enforce, order } = await startShop(["vip"]);

    const outcome = await enforce("tag", { decision: createDecision({ tags: ["holdfast-high", "check"] }) });

    expect(outcome).toEqual({ outcome: "done", detail: "tagged holdfast-high, check" });
    expect(order.tags).toEqual(["vip", "holdfast-high", "check"]);
  });

  it("has one effect however often it is taken, even when the answer is lost", async () => {
    const { enforce, order, emulator } = await startShop();
    emulator.fail(1, "reset-after-effect", { operation: "AddTags" });

    await expect(enforce("tag")).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE" });
    await enforce("tag");
    await enforce("tag");

    expect(order.tags).toEqual(["holdfast-high"]);
  });

  it("cuts tags to the length that Shopify accepts and drops duplicates and blanks", async () => {
    const { enforce, order } = await startShop();
    const long = "x".repeat(50);

    await enforce("tag", { decision: createDecision({ tags: [long, `${long}y`, " ", "a", "a"] }) });

    expect(order.tags).toEqual(["x".repeat(40), "a"]);
  });

  it("has nothing to do without tags", async () => {
    const { enforce, emulator } = await startShop();

    expect(await enforce("tag", { decision: createDecision({ tags: [] }) })).toMatchObject({
      outcome: "moot",
    });
    expect(emulator.requests).toEqual([]);
  });

  it("is impossible for an unknown order and for tags that are refused", async () => {
    const { enforce, order } = await startShop();
    for (let index = 0; index < 250; index += 1) order.tags.push(`t${index}`);

    expect(await enforce("tag", { orderId: "404" })).toEqual({
      outcome: "impossible",
      reason: "order-not-found",
    });
    expect(await enforce("tag")).toEqual({ outcome: "impossible", reason: "tags-refused" });
  });

  it("belongs to its own platform's tenants only", async () => {
    const { enforce, emulator } = await startShop();

    for (const tenant of ["demo.myshopify.com", "other:demo.myshopify.com", "shopify:example.com"]) {
      await expect(enforce("tag", { tenant })).rejects.toMatchObject({ code: "PLATFORM_REFUSED" });
    }
    expect(emulator.requests).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { createDecision, ORDER_ID, startFixture } from "../admin-fixture.ts";

async function startShop(tags: readonly string[]) {
  const fixture = await startFixture();
  const order = fixture.shop.addOrder({ orderId: ORDER_ID, tags });
  return { ...fixture, order };
}

describe("untag", () => {
  it("removes the tags of the earlier decision, and no others", async () => {
    const { enforce, order } = await startShop(["vip", "holdfast-high", "check"]);

    const outcome = await enforce("untag", {
      formerTags: ["holdfast-high", "check"],
      decision: createDecision({ tags: [] }),
    });

    expect(outcome).toEqual({ outcome: "done", detail: "removed holdfast-high, check" });
    expect(order.tags).toEqual(["vip"]);
  });

  it("has one effect however often it is taken, even when the answer is lost", async () => {
    const { enforce, order, emulator } = await startShop(["vip", "former"]);
    emulator.fail(1, "reset-after-effect", { operation: "RemoveTags" });

    await expect(enforce("untag", { formerTags: ["former"] })).rejects.toMatchObject({
      code: "PLATFORM_UNAVAILABLE",
      retryable: true,
    });
    expect(await enforce("untag", { formerTags: ["former"] })).toMatchObject({ outcome: "done" });

    expect(order.tags).toEqual(["vip"]);
  });

  it("is done when somebody removed the tag first", async () => {
    const { enforce, shop } = await startShop(["former"]);
    shop.removeTag(ORDER_ID, "former");

    expect(await enforce("untag", { formerTags: ["former"] })).toMatchObject({ outcome: "done" });
  });

  it("removes a long tag as it was cut when it was added", async () => {
    const { enforce, order } = await startShop([]);
    const long = "x".repeat(50);
    await enforce("tag", { decision: createDecision({ tags: [long] }) });
    expect(order.tags).toEqual(["x".repeat(40)]);

    await enforce("untag", { formerTags: [long] });

    expect(order.tags).toEqual([]);
  });

  it.each([
    ["in other letters", "Holdfast-HIGH", "holdfast-high"],
    ["once it is cut", `${"x".repeat(40)}-former`, `${"x".repeat(40)}-present`],
  ])("keeps a tag that the current decision has %s", async (_how, former, present) => {
    const { enforce, order } = await startShop([]);
    const decision = createDecision({ tags: [present] });
    await enforce("tag", { decision });

    expect(await enforce("untag", { decision, formerTags: [former, "other"] })).toEqual({
      outcome: "done",
      detail: "removed other",
    });
    expect(order.tags).toEqual([present.slice(0, 40)]);
  });

  it.each([[[]], [["", " "]]])("has nothing to do without former tags: %j", async (formerTags) => {
    const { enforce, emulator } = await startShop(["vip"]);

    expect(await enforce("untag", { formerTags })).toEqual({ outcome: "moot", reason: "no-tags" });
    expect(emulator.requests).toEqual([]);
  });

  it("is impossible for an unknown order", async () => {
    const { enforce } = await startShop([]);

    expect(await enforce("untag", { orderId: "404", formerTags: ["former"] })).toEqual({
      outcome: "impossible",
      reason: "order-not-found",
    });
  });

  it("is refused without the permission to write orders", async () => {
    const { enforce, shop } = await startShop(["former"]);
    shop.deny("Mutation.tagsRemove");

    await expect(enforce("untag", { formerTags: ["former"] })).rejects.toMatchObject({
      code: "PLATFORM_REFUSED",
    });
  });
});

import { describe, expect, it } from "vitest";
import { createHostPlatform, NO_MARKS, type CardCodes } from "../../src/adapter-kit.ts";
import { createMemoryShop } from "../testing/shop-adapter.ts";

/** A platform on a shop in memory, and the errors it logs. */
function setUp() {
  const errors: Record<string, unknown>[] = [];
  const logger = { error: (fields: Readonly<Record<string, unknown>>) => void errors.push(fields) };
  const shop = createMemoryShop();
  return { shop, platform: createHostPlatform({ shop, logger }), errors };
}

describe("an order of a shop that can't be read", () => {
  it.each([
    ["unreadable", {}],
    [
      "mapped to a request that the service would refuse",
      { mapped: { outcome: "screenable", request: {}, test: false } },
    ],
  ])("is named in the log when it's reported %s", (_case, mapped) => {
    const { shop, platform, errors } = setUp();
    const isReadable = "mapped" in mapped;
    const readable = { orderId: "1", ...mapped };
    if (isReadable) shop.map = () => readable as never;
    const { body } = platform.report("order", shop.place(isReadable ? {} : { content: null }));

    expect(platform.interpret({ tenant: platform.tenant, topic: "order", body })).toEqual({
      kind: "ignored",
      reason: "unreadable-order",
    });
    expect(errors).toMatchObject([{ alert: "order_failed", tenant: platform.tenant, orderId: "1" }]);
  });

  it("hides no other order from the look for missed orders", async () => {
    const { shop, platform, errors } = setUp();
    for (let n = 1; n <= 101; n += 1) shop.place(n === 2 ? { content: null } : {});
    const window = { sinceMs: 0, untilMs: Infinity, cursor: null };

    const first = await platform.recentOrders(platform.tenant, window as never);
    expect(first.orders).toHaveLength(99);
    expect(first.nextCursor).toBe("100");
    expect(errors).toMatchObject([{ alert: "order_failed", orderId: "2" }]);
    const { nextCursor: cursor } = first;
    const last = await platform.recentOrders(platform.tenant, { ...window, cursor } as never);
    expect(last).toMatchObject({ orders: [{ orderId: "101" }], nextCursor: null });
  });
});

describe("the hold of a check at checkout", () => {
  it.each([
    ["checkout", null],
    ["decision", "decision"],
  ] as const)("ends as a hold of the %s: %j", async (hold, after) => {
    const { shop, platform } = setUp();
    const { orderId } = shop.place({ marks: { ...NO_MARKS, hold } });

    await platform.endCheckoutHold?.(platform.tenant, orderId);

    expect((await shop.read(orderId))?.marks.hold).toBe(after);
  });
});

describe("a shop whose payment platform shows codes", () => {
  it("can show them to the holders of cards of its own orders only", async () => {
    const asked: unknown[] = [];
    const cardCodes: CardCodes = {
      find: async (payments) => {
        asked.push(payments);
        return { outcome: "possible" };
      },
      prepare: async () => ({ outcome: "prepared", reference: "pi_1" }),
      show: async () => ({ outcome: "shown" }),
      end: async () => undefined,
    };
    const listPayments = async (orderId: string) => [`pi_${orderId}`];
    const shop = createMemoryShop();
    const { tenant, cardCodes: codes } = createHostPlatform({ shop: { ...shop, cardCodes, listPayments } });

    expect(await codes?.listPayments(tenant, "1")).toEqual(["pi_1"]);
    expect(await codes?.listPayments("other:shop", "1")).toEqual([]);
    expect(await codes?.find(["pi_1"])).toEqual({ outcome: "possible" });
    expect(asked).toEqual([["pi_1"]]);
    expect(createHostPlatform({ shop: { ...shop, cardCodes } }).cardCodes).toBeUndefined();
    expect(createHostPlatform({ shop: { ...shop, listPayments } }).cardCodes).toBeUndefined();
  });
});

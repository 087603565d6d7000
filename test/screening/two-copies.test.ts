import { afterEach, expect, it, vi } from "vitest";
import { isHoldfastError } from "../../src/base/errors.ts";
import { createOrderGuard } from "../../src/screening/order-guard.ts";

// One process can have two copies of Holdfast: two versions, ESM beside CommonJS, or after a hot reload.
afterEach(() => vi.resetModules());

it("guards orders with another copy's screener", async () => {
  vi.resetModules();
  const { createScreener, HoldfastError: OtherError } = await import("../../src/index.ts");
  const screener = createScreener({ service: "local" });
  const guard = createOrderGuard({ screener, order: () => ({ orderAmount: "many" }) as never });

  const guarded = await guard(undefined, undefined);

  expect(guarded).toMatchObject({ outcome: "invalid", problem: { status: 422 } });
  const other = new OtherError("INTERNAL", "x", { retryable: false });
  expect([isHoldfastError(other), isHoldfastError(other, "ORDER_INVALID")]).toEqual([true, false]);
  await screener.close();
});

it.each([
  new Error("x"),
  Object.assign(new Error("x"), { code: "EPIPE" }),
  undefined,
  { name: "HoldfastError" },
])("takes no other value for its error: %s", (value) => {
  expect(isHoldfastError(value)).toBe(false);
});

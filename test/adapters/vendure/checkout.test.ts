import { describe, expect, it } from "vitest";
import { createOrderProcess, type Checkout } from "../../../adapters/vendure/checkout.ts";
import { createHoldfastPlugin } from "../../../adapters/vendure/index.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createCheckMemory } from "../../../src/in-host.ts";
import { aCheck } from "../../support/screener.ts";
import { aShop } from "./shop-services.ts";

describe("a Vendure order that is refused when it is placed", () => {
  it("is an error in Holdfast's log when its payment isn't returned", async () => {
    const card = { id: 1, state: "Authorized", amount: 6_000 };
    const { services, order } = aShop("ArrangingPayment", [card], { refusing: [1] });
    const errors: unknown[] = [];
    const logger = { ...SILENT_LOGGER, error: (fields: object) => void errors.push(fields) };
    const holdfast = { logger, check: async () => aCheck({ action: "cancel" }) };
    const checkout = { services, holdfast, earlier: createCheckMemory() } as unknown as Checkout;
    const process = createOrderProcess(() => checkout, {});

    const answer = await process("ArrangingPayment", "PaymentAuthorized", { ctx: {}, order });

    expect(answer).toBe("We can't accept this payment. Please contact us.");
    expect(errors).toEqual([
      {
        err: expect.objectContaining({ message: "not voided or refunded: payment 1 (CANCEL_PAYMENT_ERROR)" }),
        orderId: "1",
      },
    ]);
  });

  it.each([[0], [Number.NaN]])("can't be checked within %d ms: the plugin can't be created", (deadlineMs) => {
    expect(() => createHoldfastPlugin({} as never, { settings: {}, deadlineMs })).toThrow("deadlineMs");
  });
});

import { describe, expect, it } from "vitest";
import { toMappedOrder } from "../../src/adapter-kit.ts";
import { anOrder } from "../support/orders.ts";

const ABOUT = { test: false, cancelled: false };

describe("an order of a shop, as the service takes it", () => {
  it("has no stand-ins where everything is given", () => {
    const mapped = toMappedOrder(anOrder(), ABOUT);

    expect(mapped).toMatchObject({ outcome: "screenable" });
    expect(mapped.standIns ?? []).toEqual([]);
  });

  it.each([[undefined], [""], ["  "]])("is sent without its buyer's name %j", (customerName) => {
    expect(toMappedOrder({ ...anOrder(), customerName }, ABOUT)).toMatchObject({
      outcome: "screenable",
      request: { customerName: "N/A" },
      standIns: ["customerName"],
    });
  });

  it("is sent without any address", () => {
    const nowhere = { street: "N/A", city: "N/A", state: "N/A", postalCode: "N/A", country: "N/A" };
    const order = { ...anOrder(), shippingAddress: undefined, billingAddress: undefined };
    const mapped = toMappedOrder(order, ABOUT);

    expect(mapped).toMatchObject({
      outcome: "screenable",
      request: { shippingAddress: nowhere, billingAddress: nowhere },
    });
    expect(mapped.standIns).toEqual(
      expect.arrayContaining(["shippingAddress", "billingAddress", "shippingAddress.country"]),
    );
  });

  it("counts one address that stands for the other, and a part that stands for nothing", () => {
    const { shippingAddress } = anOrder();
    const order = {
      ...anOrder(),
      shippingAddress: { ...shippingAddress, state: "N/A" },
      billingAddress: undefined,
    };
    const { standIns } = toMappedOrder(order, ABOUT);

    expect(standIns).toEqual(["shippingAddress.state", "billingAddress", "billingAddress.state"]);
  });

  it.each([
    [{ customerEmail: undefined }, "NO_EMAIL"],
    [{ orderAmount: 0 }, "ZERO_AMOUNT"],
    [{ orderAmount: undefined }, "NO_AMOUNT"],
  ])("isn't sent with %j", (change, reason) => {
    expect(toMappedOrder({ ...anOrder(), ...change }, ABOUT)).toMatchObject({
      outcome: "unscreenable",
      reason,
    });
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fromPayPalOrder } from "../../adapters/paypal/index.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
} from "../../src/sandbox/sandbox-service.ts";
import type { Screener } from "../../src/screening/order-check.ts";
import { createScreener } from "../../src/screening/screener.ts";
import { readHostPayload } from "../support/host-orders.ts";
import { anOrder } from "../support/orders.ts";

let service: SandboxService;
let url: URL;
const screeners: Screener[] = [];

beforeEach(async () => {
  service = createSandboxService();
  url = await service.listen();
});

afterEach(async () => {
  await Promise.all(screeners.splice(0).map((screener) => screener.close()));
  await service.close();
});

function open(policy: object = {}, withService = true): Screener {
  const screener = createScreener({
    service: withService ? { url, apiKey: SANDBOX_API_KEY } : "local",
    policy,
  });
  screeners.push(screener);
  return screener;
}

const NOBODY = { customerName: null, shippingAddress: null, billingAddress: null };

describe("an order that says little about its buyer", () => {
  it("is sent and follows the service's answer, even if only the email address is known", async () => {
    const screener = open();
    const ask = async (level: string) =>
      await screener.check(
        anOrder({ ...NOBODY, orderId: level, customerEmail: `${level}@risk.example` } as never),
      );

    expect(await ask("low")).toMatchObject({ status: "verified", action: "allow" });
    expect(await ask("critical")).toMatchObject({ status: "verified", action: "cancel" });
    expect(service.calls).toHaveLength(2);
  });

  it("doesn't share its missing address: a shop for digital goods isn't a flood to one address", async () => {
    const screener = open({ budget: { perSourceHourly: 2 } });
    const ask = async (index: number) =>
      await screener.check({
        ...anOrder(),
        ...NOBODY,
        orderId: `digital-${index}`,
        customerEmail: `buyer${index}@shop${index}.example`,
        ipAddress: `203.0.${index}.7`,
      });

    const statuses = [await ask(1), await ask(2), await ask(3), await ask(4)].map(({ status }) => status);

    expect(statuses).toEqual(["verified", "verified", "verified", "verified"]);
  });

  it("earns no trust from placeholders", async () => {
    const check = await open({}, false).check({ ...anOrder(), ...NOBODY });

    expect(check).toMatchObject({ status: "degraded", riskLevel: null });
    expect(check.reasons).toContain("too-little-known");
    expect(check.warnings.map(({ code, path }) => [code, path])).toEqual([
      ["NO_BUYER", "customerName"],
      ["NO_BUYER", "shippingAddress"],
    ]);
  });

  it("is checked for PayPal's digital goods, which have no address", async () => {
    const order = readHostPayload("paypal-order");
    const units = (order["purchase_units"] as object[]).map((unit) => ({ ...unit, shipping: undefined }));
    const mapped = fromPayPalOrder({ ...order, purchase_units: units });

    expect(mapped).not.toHaveProperty("shippingAddress");
    expect(await open().check(mapped)).toMatchObject({ status: "verified" });
  });
});

describe("an order without an email address", () => {
  it.each([
    ["local", "tag"],
    ["allow", "allow"],
    ["hold", "hold"],
  ] as const)("isn't sent, and is judged as whenUnavailable %s says: %s", async (whenUnavailable, action) => {
    const check = await open({ whenUnavailable }).check({ ...anOrder(), customerEmail: null });

    expect(check).toMatchObject({ status: "degraded", action, riskLevel: null, creditsSpent: 0 });
    expect(check.reasons).toContain("skipped:NO_EMAIL");
    expect(service.calls).toEqual([]);
  });

  it("is never canceled, whatever it looks like", async () => {
    const levels = { low: { action: "cancel", tags: [] } };

    expect(await open({ levels }).check({ ...anOrder(), customerEmail: null })).toMatchObject({
      action: "hold",
    });
  });

  it("is the same order the second time", async () => {
    const screener = open();
    const order = { ...anOrder(), customerEmail: null };
    const first = await screener.check(order);

    expect(await screener.confirm(order, first)).toEqual(first);
  });
});

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createPostgresStore, createScreener, createSqliteStore } from "../../src/index.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { anOrder } from "../support/orders.ts";

const HIGH = anOrder({ customerEmail: "high@risk.example" });

/** Only `workerd` shows whether requests share no I/O: see `test/hosts/workerd.test.ts`. */
describe("a screener on Cloudflare Workers", () => {
  beforeEach(() => vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" }));
  afterEach(() => vi.unstubAllGlobals());

  async function open() {
    const service = createSandboxService();
    const url = await service.listen();
    onTestFinished(() => service.close());
    return { service, screener: createScreener({ service: { url, apiKey: SANDBOX_API_KEY } }) };
  }

  it("asks once for two checks at once and one later, although no check waits for another's call", async () => {
    const { service, screener } = await open();

    const together = await Promise.all([screener.check(HIGH), screener.check(HIGH)]);
    const later = await screener.check(HIGH);

    const spent = [...together, later].map(({ status, creditsSpent }) => `${status} ${creditsSpent}`);
    expect(spent.toSorted()).toEqual(["cached 0", "cached 0", "verified 1"]);
    expect(service.calls).toHaveLength(1);
  });

  it("counts an order without an ID, although its request may load the engine twice at once", async () => {
    const screener = createScreener({ service: "local" });
    const paymentInfo = {
      brand: "visa",
      lastFourDigits: "4242",
      expiry: "08/27",
      holderName: "Jane Example",
    };
    const withCard = (customerEmail: string) => {
      const { orderId: _, ...order } = anOrder({ customerEmail, paymentInfo });
      return screener.check(order);
    };

    await withCard("one@shop.example");
    const second = await withCard("other@shop.example");

    const factors = second.result?.riskFactors.map(({ factor }) => factor);
    expect(factors).toContain("One card, several email addresses");
  });

  it("asks nothing more once it's closed", async () => {
    const { service, screener } = await open();
    await screener.close();

    const check = await screener.check(HIGH);

    expect(check.reasons).toContain("degraded:SHUTTING_DOWN");
    expect(service.calls).toHaveLength(0);
  });

  it.each([
    ["createSqliteStore", () => createSqliteStore({ path: "shop.db", dataKey: Buffer.alloc(32) })],
    [
      "createPostgresStore",
      () => createPostgresStore({ url: "postgres://127.0.0.1:9/shop", dataKey: Buffer.alloc(32) }),
    ],
  ])("gets no store of %s, which requests can't share", async (name, create) => {
    await expect(create()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: `${name} can't be used on Cloudflare Workers`,
    });
  });
});

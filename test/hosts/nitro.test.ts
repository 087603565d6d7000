import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { until } from "../support/until.ts";
import { findFreePort, installHost, type Host } from "./host.ts";
import { IN_ORDER, placeOrder, stopDuringOrder } from "./shutdown.ts";

const ROUTE = `
import { defineHandler } from "nitro/h3";
import { createScreener } from "holdfast";
import { verifyOrder } from "holdfast/fetch";
const { VERIFY_URL: url, VERIFY_API_KEY: apiKey } = process.env;
const screener = createScreener({ service: { url, apiKey } });
const order = async (request) => {
  const { cart, ...rest } = await request.json();
  return { ...rest, orderId: cart };
};
const guard = verifyOrder({ screener, order, deadlineMs: 30_000 });
const place = (_request, { action }) => {
  globalThis.placed = (globalThis.placed ?? 0) + 1;
  return Response.json({ state: action === "hold" ? "in review" : "placed" }, { status: 201 });
};
export default defineHandler((event) => guard(event.req, place));
`;
const COUNT = `
import { defineHandler } from "nitro/h3";
export default defineHandler(() => ({ placed: globalThis.placed ?? 0 }));
`;

// Its server aborts a request's signal once the body was read, so every order was answered with a 500.
describe("Nitro 3.0.0 from npm, with the packed package", () => {
  const service = createSandboxService();
  let host: Host;
  let shop: { child: ReturnType<Host["start"]>; url: string };
  const countCalls = () => service.calls.filter(({ metered }) => metered).length;

  beforeAll(async () => {
    host = await installHost({
      packages: ["nitro@3.0.0"],
      files: {
        "nitro.config.mjs": "export default {};\n",
        "routes/orders.post.js": ROUTE,
        "routes/count.js": COUNT,
      },
    });
    await host.run(process.execPath, ["node_modules/nitro/dist/cli/index.mjs", "build"]);
    const port = String(await findFreePort());
    const { href } = await service.listen();
    const env = { PORT: port, HOST: "127.0.0.1", VERIFY_URL: href, VERIFY_API_KEY: SANDBOX_API_KEY };
    const child = host.start(process.execPath, [".output/server/index.mjs"], env);
    shop = { child, url: `http://127.0.0.1:${port}/orders` };
    await until(() => fetch(shop.url));
  });
  afterAll(async () => {
    await host?.[Symbol.asyncDispose]();
    await service.close();
  });

  const countPlaced = async () =>
    ((await (await fetch(shop.url.replace("orders", "count"))).json()) as { placed: number }).placed;

  // One test: SIGTERM ends the server.
  it("places, refuses and abandons orders, and answers the one under way at SIGTERM", async () => {
    expect(await placeOrder(shop.url, "low@risk.example")).toEqual({ status: 201, state: "placed" });
    expect(await placeOrder(shop.url, "high@risk.example")).toEqual({ status: 201, state: "in review" });
    expect((await placeOrder(shop.url, "critical@risk.example")).status).toBe(403);
    expect(await countPlaced()).toBe(2);

    const customer = new AbortController();
    const calls = countCalls();
    const hungUp = placeOrder(shop.url, "slow-1000@risk.example", customer.signal);
    await until(() => countCalls() > calls);
    customer.abort();
    await expect(hungUp).rejects.toThrow("aborted");

    // Slower than the abandoned order, which would be placed meanwhile.
    expect(await placeOrder(shop.url, "slow-2000@risk.example")).toEqual({ status: 201, state: "placed" });
    expect(await countPlaced()).toBe(3);
    expect(await stopDuringOrder(shop, service)).toMatchObject({ ...IN_ORDER, end: expect.anything() });
  });
});

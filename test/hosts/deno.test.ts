import { expect, it, onTestFinished } from "vitest";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { anOrder } from "../support/orders.ts";
import { installHost } from "./host.ts";

const order = JSON.stringify(anOrder({ customerEmail: "high@risk.example" }));
const SHOP = `
import { createScreener } from "holdfast";
import { verifyOrder } from "holdfast/fetch";
const [url, apiKey] = Deno.args;
const screener = createScreener({ service: { url, apiKey } });
const guard = verifyOrder({ screener, order: async (request) => await request.json() });
const request = new Request("https://shop.example/orders", { method: "POST", body: ${JSON.stringify(order)} });
const response = await guard(request, (_request, { status, action }) => Response.json({ status, action }));
console.log(await response.text());
await screener.close();
`;

it("Deno checks an order with the permission to use the network alone", async () => {
  const service = createSandboxService();
  const { href } = await service.listen();
  onTestFinished(() => service.close());
  await using host = await installHost({ packages: ["deno@2.9.6"], files: { "shop.js": SHOP } });

  const permissions = ["--no-prompt", "--allow-net"];
  const printed = await host.run("npx", ["deno", "run", ...permissions, "shop.js", href, SANDBOX_API_KEY]);

  expect(JSON.parse(printed)).toEqual({ status: "verified", action: "hold" });
});

// The platform contract, run by a real Vendure shop: prints each failed case on a line.
import { createHostPlatform, HOST_SIGNATURE_HEADER } from "holdfast/adapter-kit";
import { platformAdapterContract } from "holdfast/testing";
import { createVendureShop } from "holdfast/vendure";
import * as core from "@vendure/core";
import { Buyer } from "./buyer.ts";
import { app, holdfast } from "./server.js";

const { PORT, SETTINGS } = process.env;
// Nothing but the suite may touch its orders, and so many orders of one buyer would be held.
await fetch(new URL("api/policy", holdfast.consoleUrl()), {
  method: "PUT",
  headers: {
    authorization: `Bearer ${JSON.parse(SETTINGS).CONSOLE_TOKEN}`,
    "content-type": "application/json",
  },
  body: JSON.stringify({ mode: "shadow" }),
});
let isDown = false;
const open = createVendureShop(core, app);
// The shop's database is gone: every service fails.
const shop = new Proxy(open, {
  get(target, name) {
    const value = target[name];
    if (typeof value !== "function" || name === "map") return value;
    return async (...args) => {
      if (isDown) throw new Error("the database is gone");
      return value(...args);
    };
  },
});

function createAdapter() {
  const platform = createHostPlatform({ shop });
  return {
    platform,
    tenant: platform.tenant,
    signatureHeader: HOST_SIGNATURE_HEADER,
    unknownOrderId: "99999",
    sign: (body) => platform.sign("order", body),
    async placeOrder() {
      const buyer = new Buyer(`http://127.0.0.1:${PORT}/shop-api`);
      const orderId = await buyer.fillCart("low@risk.example");
      await buyer.pay();
      const order = await open.read(orderId);
      const createdAtMs = new Date(order.content.orderPlacedAt).getTime();
      return { orderId, delivery: platform.report("order", order), createdAtMs };
    },
    async deprive(what) {
      if (what !== "connection") return null;
      isDown = true;
      return () => void (isDown = false);
    },
    close: async () => undefined,
  };
}

const cases = platformAdapterContract(createAdapter);
let kept = 0;
for (const { name, run } of cases) {
  try {
    await run();
    kept += 1;
  } catch (error) {
    isDown = false;
    process.stdout.write(`${name}: ${error.message}\n`);
  }
}
process.stdout.write(`${kept} of ${cases.length} kept\n`, () => process.exit());

// A Vendure shop on sql.js that sells one mug for 12.50. Its database is a file, so that it outlives its process.
import { existsSync } from "node:fs";
import * as core from "@vendure/core";

const {
  HOLDFAST = "holdfast/vendure",
  FOLDER,
  PORT,
  READY_PORT,
  SETTINGS,
  REFUSE,
  DEADLINE_MS,
  STALL,
} = process.env;
const { createHoldfastPlugin } = await import(HOLDFAST);
const location = `${FOLDER}/shop.sqlite`;
const isNew = !existsSync(location);
const say = (...args) => process.stderr.write(`${args.map(String).join(" ")}\n`);
const quiet = () => {};
const logger = { trace: quiet, debug: quiet, info: quiet, warn: say, error: say, fatal: say };
// A plugin that receives no orders, like a process that ends before they arrive.
const known = STALL === "report" ? { ...core, OrderPlacedEvent: undefined } : core;
export const holdfast = createHoldfastPlugin(known, {
  settings: JSON.parse(SETTINGS),
  refuse: REFUSE !== "no",
  deadlineMs: Number(DEADLINE_MS ?? 2500),
  logger,
});

// A payment handler that takes long enough for somebody to change the order meanwhile.
const payment = new core.PaymentMethodHandler({
  ...core.dummyPaymentHandler.options,
  code: "slow",
  description: [{ languageCode: "en", value: "Slow" }],
  args: core.dummyPaymentHandler.args,
  async createPayment(ctx, order, amount, args, metadata) {
    if (metadata.pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, metadata.pauseMs));
    return {
      amount,
      state: metadata.settle === true ? "Settled" : "Authorized",
      transactionId: `t-${order.code}`,
      metadata,
    };
  },
  settlePayment: async () => ({ success: true }),
  cancelPayment: async () => ({ success: true }),
  createRefund: async () => ({ state: "Settled", transactionId: "refund" }),
});

// A process that stops here until somebody kills it.
const stalled = () => new Promise(() => {});
if (STALL === "cancel") core.OrderService.prototype.cancelOrder = stalled;

export const app = await core.bootstrap({
  apiOptions: {
    port: Number(PORT),
    hostname: "127.0.0.1",
    adminApiPath: "admin-api",
    shopApiPath: "shop-api",
  },
  authOptions: {
    tokenMethod: ["bearer"],
    superadminCredentials: { identifier: "superadmin", password: "superadmin" },
  },
  dbConnectionOptions: { type: "sqljs", location, autoSave: true, synchronize: isNew, logging: false },
  paymentOptions: { paymentMethodHandlers: [payment] },
  logger: new core.DefaultLogger({ level: core.LogLevel.Error }),
  plugins: [holdfast.plugin],
});
if (isNew) await populate();
// Vendure answers before the shop has its goods.
const { createServer } = await import("node:http");
createServer((_req, res) => res.end(String(holdfast.consoleUrl()))).listen(Number(READY_PORT), "127.0.0.1");

async function populate() {
  await app.get(core.Populator).populateInitialData({
    defaultLanguage: "en",
    countries: [{ name: "United States", code: "US", zone: "World" }],
    defaultZone: "World",
    taxRates: [{ name: "standard", percentage: 0 }],
    shippingMethods: [{ name: "Standard", price: 500 }],
    paymentMethods: [],
    collections: [],
  });
  const ctx = await app.get(core.RequestContextService).create({ apiType: "admin" });
  await app.get(core.PaymentMethodService).create(ctx, {
    code: "slow",
    enabled: true,
    handler: { code: "slow", arguments: [{ name: "automaticSettle", value: "false" }] },
    checker: { code: "holdfast", arguments: [] },
    translations: [{ languageCode: "en", name: "Slow", description: "" }],
  });
  const product = await app.get(core.ProductService).create(ctx, {
    translations: [{ languageCode: "en", name: "Mug", slug: "mug", description: "" }],
  });
  await app.get(core.ProductVariantService).create(ctx, [
    {
      productId: product.id,
      sku: "MUG",
      price: 1250,
      stockOnHand: 1000,
      translations: [{ languageCode: "en", name: "Mug" }],
    },
  ]);
}

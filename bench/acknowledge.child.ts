import { createHmac, timingSafeEqual } from "node:crypto";
import express from "express";
import { createShopifyPlatform } from "../adapters/shopify/index.ts";
import { startApp, type PlatformFactory } from "../src/app.ts";
import { parseConfig } from "../src/config.ts";
import { createPinoLogger } from "../src/base/pino-logger.ts";
import { BENCH_TOKEN, WEBHOOK_PATH, WEBHOOK_SECRET } from "./delivery.ts";
import { createQuickPlatform, QUICK_PLATFORM } from "./quick-platform.ts";
import { serveApp, serveParent } from "./serve-parent.ts";

const SHOPIFY: PlatformFactory = {
  name: "shopify",
  create({ config, ...context }) {
    if (config.shopify === undefined) return null;
    const { apiKey, apiSecret, appUrl } = config.shopify;
    const apiSecretPrevious = config.shopify.previousApiSecret?.reveal();
    return createShopifyPlatform({
      ...context,
      apiKey,
      apiSecret: apiSecret.reveal(),
      apiSecretPrevious,
      appUrl,
    });
  },
};

/**
 * The app as it runs in production. Without `work` its worker doesn't run, so that only the receipt is measured.
 */
async function serveOurs(path: string, work: string): Promise<void> {
  const config = parseConfig({
    PORT: "0",
    DATABASE_URL: `sqlite:${path}`,
    SHOPIFY_API_KEY: "bench-client-id",
    SHOPIFY_API_SECRET: WEBHOOK_SECRET,
    SHOPIFY_APP_URL: "https://app.example",
    CONSOLE_TOKEN: BENCH_TOKEN,
    LOG_LEVEL: "silent",
  });
  const logger = createPinoLogger({ level: config.logLevel });
  // The environment has no variable for this: over SQLite, one process does all the work.
  const role = work === "work" ? "all" : "intake";
  const quick = { name: QUICK_PLATFORM, create: createQuickPlatform };
  const platforms = [SHOPIFY, quick];
  const app = await startApp({ config: { ...config, role }, logger, platforms, version: "0.0.0" });
  serveParent(new URL(WEBHOOK_PATH, app.url), () => app.stop());
}

/** The minimum for a safe endpoint: read the raw body, check the signature, answer. Nothing is stored. */
async function serveBaseline(): Promise<void> {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.post(WEBHOOK_PATH, express.raw({ type: "application/json", limit: "5mb" }), (req, res) => {
    const expected = createHmac("sha256", WEBHOOK_SECRET)
      .update(req.body as Buffer)
      .digest();
    const given = Buffer.from(req.get("x-shopify-hmac-sha256") ?? "", "base64");
    const signed = given.length === expected.length && timingSafeEqual(given, expected);
    res.status(signed ? 200 : 401).json({ status: signed ? "accepted" : "refused" });
  });
  await serveApp(app, WEBHOOK_PATH, async () => {});
}

const [side = "", path = "", work = ""] = process.argv.slice(2);
await (side === "ours" ? serveOurs(path, work) : serveBaseline());

import type { VerificationOrder } from "../src/index.ts";
import express, { type RequestHandler } from "express";
import { verifyOrder } from "../adapters/express/index.ts";
import { createScreener } from "../src/index.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  SANDBOX_ORGANIZATION,
} from "../src/sandbox/sandbox-service.ts";
import { CHECKED_ORDERS, CHECKOUT_PATH } from "./checkout.ts";
import { toSampleOrder } from "./sample-order.ts";
import { serveApp } from "./serve-parent.ts";

function createCheckout(...guards: readonly RequestHandler[]): express.Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.post(CHECKOUT_PATH, express.json(), ...guards, (_req, res) => {
    res.json({ status: "placed" });
  });
  return app;
}

/** The route behind `verifyOrder`. The service is asked once for each order and has stopped when the load starts. */
async function serveOurs(): Promise<void> {
  const service = createSandboxService();
  const url = await service.listen();
  const screener = createScreener({
    service: { url, apiKey: SANDBOX_API_KEY, organization: SANDBOX_ORGANIZATION },
  });
  for (let number = 0; number < CHECKED_ORDERS; number += 1) await screener.check(toSampleOrder(number));
  await service.close();

  const guard = verifyOrder({ screener, order: (req) => req.body as VerificationOrder });
  const refuseUncached: RequestHandler = (req, res, next) => {
    if (req.orderCheck?.status === "cached") return next();
    return res.status(500).end();
  };
  await serveApp(createCheckout(guard, refuseUncached), CHECKOUT_PATH, () => screener.close());
}

await (process.argv[2] === "ours" ? serveOurs() : serveApp(createCheckout(), CHECKOUT_PATH, async () => {}));

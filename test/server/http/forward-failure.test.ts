import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express5 from "express";
import express4 from "express4";
import { expect, it } from "vitest";
import { createErrorHandler, forwardFailure } from "../../../src/server/http/error-response.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";

it.each([
  ["4", express4],
  ["5", express5],
])("a request whose handler fails is answered, even by Express %s", async (_version, express) => {
  const app = express();
  app.get(
    "/",
    forwardFailure(async () => {
      throw new Error("broken");
    }),
  );
  app.use(createErrorHandler({ logger: SILENT_LOGGER, now: () => 0 }));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");

  const { status } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();

  expect(status).toBe(500);
});

it("breaks off a response whose handler fails in the middle, so that nobody takes it for complete", async () => {
  const { lines, logger } = createLogRecorder();
  const app = express5();
  app.get("/orders/:id", (_req, res, next) => {
    res.write("half", () => next(new Error("broken")));
  });
  app.use(createErrorHandler({ logger, now: () => 0 }));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");

  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/orders/1`);
  await expect(response.text()).rejects.toThrow();
  server.close();

  expect(lines).toMatchObject([
    { level: "error", err: new Error("broken"), method: "GET", route: "/orders/:id" },
  ]);
});

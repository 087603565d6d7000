import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express5 from "express";
import express4 from "express4";
import { expect, it } from "vitest";
import { createErrorHandler, forwardFailure } from "../../../src/server/http/error-response.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";

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

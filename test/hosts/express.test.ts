import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { anOrder } from "../support/orders.ts";
import { until } from "../support/until.ts";
import { findFreePort, installHost, type Host } from "./host.ts";

const SERVER = `
import express from "express";
import { createScreener } from "holdfast";
import { verifyOrder } from "holdfast/express";

const { PORT, VERIFY_URL: url, VERIFY_API_KEY: apiKey } = process.env;
const screener = createScreener({ service: { url, apiKey } });
const app = express();
const check = verifyOrder({ screener, order: (req) => req.body, deadlineMs: 2500 });
app.post("/orders", express.json(), check, (req, res) => res.json(req.orderCheck));
app.listen(PORT, "127.0.0.1");
`;

describe.each(["express@4.22.3", "express@5.3.0"])("%s with the packed package", (express) => {
  const service = createSandboxService();
  let host: Host;
  let address: string;

  beforeAll(async () => {
    host = await installHost({ packages: [express], files: { "server.js": SERVER } });
    const port = await findFreePort();
    const url = await service.listen();
    address = `http://127.0.0.1:${port}/orders`;
    const env = { PORT: String(port), VERIFY_URL: url.href, VERIFY_API_KEY: SANDBOX_API_KEY };
    host.start(process.execPath, ["server.js"], env);
    await until(() => fetch(address));
  });

  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await service.close();
  });

  const send = async (order: unknown) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(order) });
    return { status: answer.status, check: (await answer.json()) as unknown };
  };

  it("asks once for one order, keeps a critical one out, and decides without the service", async () => {
    const order = anOrder({ customerEmail: "low@risk.example" });
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(order)));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
    expect(service.calls).toHaveLength(1);
    expect(await send(order)).toMatchObject({ status: 200, check: { status: "cached" } });

    expect(await send(anOrder({ orderId: "2", customerEmail: "critical@risk.example" }))).toMatchObject({
      status: 403,
    });
    await service.close();
    const answer = await send(anOrder({ orderId: "3", customerPhone: "+1 212 555 0100" }));
    expect(answer).toMatchObject({ status: 200, check: { status: "degraded" } });
  });
});

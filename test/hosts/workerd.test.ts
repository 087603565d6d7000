import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  SANDBOX_ORGANIZATION,
} from "../../src/sandbox/sandbox-service.ts";
import type { OrderCheck } from "../../src/screening/order-check.ts";
import { anOrder } from "../support/orders.ts";
import { codeBlocks } from "../support/markdown.ts";
import { until } from "../support/until.ts";
import { findFreePort, installHost, type Host } from "./host.ts";

const WORKER = `
import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { createScreener, createSqliteStore } from "holdfast";
import { verifyOrder as verifyRequest } from "holdfast/fetch";
import { verifyOrder } from "holdfast/hono";

const organization = env.VERIFY_ORGANIZATION || undefined;
const service = { url: env.VERIFY_URL, apiKey: env.VERIFY_API_KEY, organization };
const screener = createScreener({ service });
const order = (c) => c.req.json();
const guard = verifyRequest({ screener, order: (request) => request.json() });
const place = (c) => c.json(c.get("orderCheck"), 201);

const app = new Hono();
app.get("/", (c) => c.text("ready"));
app.post("/orders", verifyOrder({ screener, order, deadlineMs: 20_000 }), place);
app.post("/hurried", verifyOrder({ screener, order, deadlineMs: 300 }), place);
app.post("/fetch", (c) => guard(c.req.raw, (_request, check) => Response.json(check, { status: 201 })));
app.get("/refused", async (c) => {
  const creations = [
    () => createScreener({ service: { ...service, dispatcher: { dispatch: () => true } } }),
    () => createSqliteStore({ path: "shop.db" }),
  ];
  const errors = creations.map((create) => Promise.resolve().then(create).catch(({ code, message }) => [code, message]));
  return c.json(await Promise.all(errors));
});
export default app;
`;

/** The oldest runtime with all of Node's modules that the bundle names, and a recent one. */
const RUNTIMES = [
  { name: "2026-05-01", date: "2026-05-01", flags: ["nodejs_compat"] },
  { name: "2026-11-01", date: "2026-11-01", flags: [] },
  { name: "2026-11-01 with the request's signal", date: "2026-11-01", flags: ["enable_request_signal"] },
] as const;

interface Worker {
  readonly name: string;
  readonly file: string;
  readonly runtime: Pick<(typeof RUNTIMES)[number], "date" | "flags">;
  readonly verifyUrl: string;
  /** Default: discovered. */
  readonly organization?: string;
  readonly port: number;
}

/** Every worker may use the Durable Object of one of them. */
const OBJECT = "object";

function toConfig(workers: readonly Worker[]): string {
  const toService = ({ name, file, runtime, verifyUrl, organization = "" }: Worker): string => `
    (name = "${name}", worker = (
      modules = [(name = "worker.mjs", esModule = embed "${file}")],
      compatibilityDate = "${runtime.date}",
      compatibilityFlags = ${JSON.stringify(runtime.flags)},
      bindings = [
        (name = "VERIFY_URL", text = "${verifyUrl}"),
        (name = "VERIFY_API_KEY", text = "${SANDBOX_API_KEY}"),
        (name = "VERIFY_ORGANIZATION", text = "${organization}"),
        (name = "CHECKS", durableObjectNamespace = (className = "OrderChecks", serviceName = "${OBJECT}"))],
      globalOutbound = "network",
      ${name === OBJECT ? `durableObjectNamespaces = [(className = "OrderChecks", uniqueKey = "checks")],` : ""}
      durableObjectStorage = (inMemory = void),
    ))`;
  const toSocket = ({ name, port }: Worker): string =>
    `(name = "${name}", address = "127.0.0.1:${port}", http = (), service = "${name}")`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${workers.map(toService).join(",")}, (name = "network", network = (allow = ["private"]))],
  sockets = [${workers.map(toSocket).join(", ")}],
);`;
}

const service = createSandboxService();
let host: Host;
const ports = new Map<string, number>();

beforeAll(async () => {
  const page = codeBlocks(readFileSync("docs/hosts/serverless.md", "utf8"), "js");
  const [, pageShop = "", pageObject = ""] = page;
  host = await installHost({
    packages: ["esbuild@0.28.2", "hono@4.13.19", "workerd@1.20261117.1"],
    files: { "shop.js": WORKER, "page-shop.js": pageShop, "page-object.js": pageObject },
  });
  // As wrangler bundles.
  const files = ["shop.js", "page-shop.js", "page-object.js"];
  const options = [
    "--bundle",
    "--format=esm",
    "--platform=node",
    "--external:cloudflare:*",
    "--log-level=error",
  ];
  const conditions = "--conditions=workerd,worker,browser";
  await host.run("npx", ["esbuild", ...files, ...options, conditions, "--outdir=workers"]);
  const { href: up } = await service.listen();
  const down = `http://127.0.0.1:${await findFreePort()}`;
  const [, runtime] = RUNTIMES;
  const shop = { file: "workers/shop.js", verifyUrl: up, runtime };
  const workers: Worker[] = [];
  for (const worker of [
    ...RUNTIMES.map((one) => ({ ...shop, name: one.name, runtime: one })),
    { ...shop, name: "cold" },
    { ...shop, name: "down", verifyUrl: down, organization: SANDBOX_ORGANIZATION },
    { ...shop, name: "page", file: "workers/page-shop.js" },
    { ...shop, name: OBJECT, file: "workers/page-object.js" },
    { ...shop, name: "other isolate", file: "workers/page-object.js" },
  ]) {
    const port = await findFreePort();
    workers.push({ ...worker, port });
    ports.set(worker.name, port);
  }
  await host.write({ "config.capnp": toConfig(workers) });
  host.start("npx", ["workerd", "serve", "config.capnp"]);
  await until(() => fetch(toUrl("down", "")));
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await service.close();
});

const toUrl = (worker: string, route: string): string => `http://127.0.0.1:${ports.get(worker)}/${route}`;

function place(worker: string, order: object, route = "orders", signal?: AbortSignal): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(toUrl(worker, route), {
    method: "POST",
    headers,
    body: JSON.stringify(order),
    signal: signal ?? null,
  });
}

async function check(worker: string, order: object, route?: string): Promise<OrderCheck> {
  const response = await place(worker, order, route);
  const text = await response.text();
  expect(response.status, text).toBe(201);
  return JSON.parse(text) as OrderCheck;
}

let orders = 0;
/** Its street is its own, too: the burst brake counts orders to one address. */
function orderOf(name: string) {
  orders += 1;
  const shippingAddress = { ...anOrder().shippingAddress, street: `${orders} Main Street` };
  return anOrder({ orderId: `workerd-${orders}`, customerEmail: `${name}@risk.example`, shippingAddress });
}

const callsOf = ({ orderId }: { readonly orderId?: string | undefined }): number =>
  service.calls.filter(({ body }) => (body as { orderId?: string } | undefined)?.orderId === orderId).length;

describe.each(RUNTIMES)("a Hono shop in workerd, $name", ({ name: worker }) => {
  it("verifies a low, a high and a critical order, and a repeat costs nothing", async () => {
    const [low, high, critical] = [orderOf("low"), orderOf("high"), orderOf("critical")];

    const first = await check(worker, low);
    expect(first).toMatchObject({ status: "verified", riskLevel: "low", action: "allow", creditsSpent: 1 });
    expect(await check(worker, high)).toMatchObject({
      status: "verified",
      riskLevel: "high",
      action: "hold",
    });
    expect((await place(worker, critical)).status).toBe(403);

    expect(await check(worker, low)).toMatchObject({ status: "cached", action: "allow", creditsSpent: 0 });
    expect((await place(worker, critical)).status).toBe(403);
    expect([low, high, critical].map(callsOf)).toEqual([1, 1, 1]);
  });

  it("does the same with holdfast/fetch", async () => {
    const high = orderOf("high");

    expect(await check(worker, high, "fetch")).toMatchObject({ status: "verified", action: "hold" });
    expect(await check(worker, high, "fetch")).toMatchObject({ status: "cached", creditsSpent: 0 });
    expect((await place(worker, orderOf("critical"), "fetch")).status).toBe(403);
  });

  it("asks once for two requests with one order at once", async () => {
    const order = orderOf("slow-1000");

    const checks = await Promise.all([check(worker, order), check(worker, order)]);

    expect(checks.map(({ status }) => status).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "cached",
      "verified",
    ]);
    expect(checks.reduce((sum, { creditsSpent }) => sum + creditsSpent, 0)).toBe(1);
    expect(callsOf(order)).toBe(1);
  });

  it("answers at the deadline while the service hangs, and goes on with other orders", async () => {
    const hung = await check(worker, orderOf("timeout"), "hurried");

    expect(hung).toMatchObject({ status: "pending", creditsSpent: 1 });
    expect(hung.reasons).toContain("degraded:VERIFICATION_TIMEOUT");
    expect(await check(worker, orderOf("low"))).toMatchObject({ status: "verified" });
  });

  it("keeps an answer that comes after the response", async () => {
    const order = orderOf("slow-1500");

    expect(await check(worker, order, "hurried")).toMatchObject({ status: "pending" });

    expect(await check(worker, order)).toMatchObject({ status: "cached", creditsSpent: 0 });
    expect(callsOf(order)).toBe(1);
  });

  it("keeps an answer whose customer has hung up", async () => {
    const order = orderOf("slow-1500");
    const customer = new AbortController();
    const placing = place(worker, order, "orders", customer.signal);
    await until(() => callsOf(order) === 1);

    customer.abort();

    await expect(placing).rejects.toThrow();
    expect(await check(worker, order)).toMatchObject({ status: "cached", creditsSpent: 0 });
    expect(callsOf(order)).toBe(1);
  });

  it("refuses what can't work there by name", async () => {
    const response = await fetch(toUrl(worker, "refused"));

    expect(await response.json()).toEqual([
      ["CONFIG_INVALID", expect.stringContaining("undici doesn't work on Cloudflare Workers")],
      ["CONFIG_INVALID", "createSqliteStore can't be used on Cloudflare Workers"],
    ]);
  });
});

describe("the page about serverless platforms", () => {
  const placeAt = async (worker: string, order: object) => {
    const response = await place(worker, order);
    return response.ok ? ((await response.json()) as unknown) : response.status;
  };

  it("has a worker that places and refuses orders", async () => {
    expect(await placeAt("page", orderOf("low"))).toEqual({ state: "placed" });
    expect(await placeAt("page", orderOf("high"))).toEqual({ state: "in review" });
    expect(await placeAt("page", orderOf("critical"))).toBe(403);
  });

  it("has a Durable Object, in which two isolates ask once", async () => {
    const order = orderOf("high");

    expect(await placeAt(OBJECT, order)).toEqual({ state: "in review" });
    expect(await placeAt("other isolate", order)).toEqual({ state: "in review" });
    expect(await placeAt("other isolate", orderOf("critical"))).toBe(403);
    expect(callsOf(order)).toBe(1);
  });
});

it("without it, another isolate asks again", async () => {
  const order = orderOf("low");
  const [one, other] = RUNTIMES;

  expect(await check(one.name, order)).toMatchObject({ status: "verified" });
  expect(await check(other.name, order)).toMatchObject({ status: "verified" });
});

it("a new isolate answers ten requests at once, its first ones", async () => {
  const placed = Array.from({ length: 10 }, () => orderOf("low"));

  const checks = await Promise.all(placed.map((order) => check("cold", order, "fetch")));

  expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(["verified"]));
  expect(placed.map(callsOf)).toEqual(placed.map(() => 1));
});

it("while the service is down, decides without it, and counts calls that may have been sent", async () => {
  const checks = await Promise.all([1, 2, 3].map(() => check("down", orderOf("low"))));

  for (const one of checks) {
    expect(one).toMatchObject({ status: "degraded" });
    expect(one.reasons).toContain("degraded:VERIFICATION_INTERRUPTED");
    expect(one.creditsSpent).toBeGreaterThan(0);
  }
});

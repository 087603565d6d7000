import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { request } from "undici";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
} from "../../src/sandbox/sandbox-service.ts";
import { signDelivery } from "../../tools/emulators/shopify/sign-delivery.ts";
import { createAdminEmulator, type AdminEmulator } from "../../tools/emulators/shopify/admin-emulator.ts";
import { startEgressProxy, type EgressProxy } from "../support/egress-proxy.ts";
import { runEnvironment } from "../support/run-environment.ts";
import { toShopOrder } from "../support/shop-orders.ts";
import { APP_KEY, APP_SECRET } from "../support/shopify-stage.ts";
import { readTlsFixture } from "../support/tls.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url);
const SHOP = "behind-a-proxy.myshopify.com";
/** Named like a shop, because the test's certificate is for shops. */
const SERVICE_HOST = "verification.myshopify.com";

let service: SandboxService;
let emulator: AdminEmulator;
let proxy: EgressProxy;
const running: ChildProcess[] = [];

beforeEach(async () => {
  const tls = readTlsFixture("shop");
  service = createSandboxService({ tls });
  const { port } = await service.listen();
  emulator = createAdminEmulator({
    apiKey: APP_KEY,
    apiSecret: APP_SECRET,
    tls,
    grants: ["read_all_orders"],
  });
  await emulator.listen();
  proxy = await startEgressProxy((host) => (host === SERVICE_HOST ? Number(port) : emulator.port));
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  }
  await proxy.close();
  await emulator.close();
  await service.close();
});

/** Run a command of Holdfast that can reach other hosts only through the proxy. */
function run(command: string, environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ["src/main.ts", command], {
    cwd: ROOT,
    env: {
      ...runEnvironment(),
      NODE_USE_ENV_PROXY: "1",
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: new URL("test/fixtures/tls/shop-cert.pem", ROOT).pathname,
      PORT: "0",
      DATABASE_URL: "sqlite::memory:",
      VERIFY_URL: `https://${SERVICE_HOST}`,
      VERIFY_API_KEY: SANDBOX_API_KEY,
      SHOPIFY_API_KEY: APP_KEY,
      SHOPIFY_API_SECRET: APP_SECRET,
      SHOPIFY_APP_URL: "https://app.example",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  return createInterface({ input: child.stdout });
}

async function listen(): Promise<string> {
  for await (const line of run("serve")) {
    const { url } = JSON.parse(line) as { readonly url?: string };
    if (url !== undefined) return url;
  }
  throw new Error("the app ended before it listened");
}

it("calls Shopify and the service through the proxy that Node is told to use", async () => {
  const url = await listen();
  const { orderId, body } = toShopOrder(1, { email: "high@risk.example", amount: 120 });
  emulator.shop(SHOP).addOrder({ orderId, routed: 1, payload: body });
  const authorization = `Bearer ${emulator.createSessionToken(SHOP)}`;
  const opened = await request(new URL("api/session", url), { headers: { authorization } });
  await opened.body.dump();
  const delivery = signDelivery(APP_SECRET, { shop: SHOP, topic: "orders/create", body });
  const answer = await request(new URL("webhooks/shopify", url), { method: "POST", ...delivery });
  await answer.body.dump();
  await until(() => expect([...emulator.shop(SHOP).order(orderId).tags]).toEqual(["holdfast-high"]));

  expect([opened.statusCode, answer.statusCode, service.calls.length]).toEqual([200, 200, 1]);
  expect(new Set(proxy.tunnels)).toEqual(new Set([`${SERVICE_HOST}:443`, `${SHOP}:443`]));
});

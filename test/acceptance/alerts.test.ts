import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createSandboxService, type SandboxServiceOptions } from "../../src/sandbox/sandbox-service.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { readTlsFixture } from "../support/tls.ts";
import { startMailServer } from "../alerts/mail-server.ts";
import { until } from "../support/until.ts";

const SHOP = "alerted.myshopify.com";
const CANARIES = ["Canaryfirst", "canary.mail@canary-mail.example", "77 Canarystreet", "198.51.100.177"];

let stage: ShopifyStage;

beforeEach(async () => {
  stage = await createShopifyStage();
});
afterEach(() => stage.close());

function toBody(orderId: string): string {
  const address = {
    first_name: "Canaryfirst",
    last_name: "Example",
    address1: "77 Canarystreet",
    city: "Springfield",
    zip: "62701",
    province: "Illinois",
    country_code: "US",
    country: "United States",
  };
  return JSON.stringify({
    admin_graphql_api_id: `gid://shopify/Order/${orderId}`,
    name: "#1",
    email: "canary.mail@canary-mail.example",
    currency: "USD",
    total_price: "59.00",
    processed_at: "2026-11-20T10:00:00Z",
    browser_ip: "198.51.100.177",
    source_name: "web",
    billing_address: address,
    shipping_address: address,
    line_items: [{ name: "Mug", quantity: 1, price: "59.00", sku: "MUG" }],
  });
}

async function deliver(orderId: string): Promise<void> {
  stage.emulator.shop(SHOP).addOrder({ orderId });
  const status = await stage.deliver({ shop: SHOP, topic: "orders/create", body: toBody(orderId) });
  expect(status).toBe(200);
}

/** A receiver of webhooks over TLS. */
async function startReceiver() {
  const bodies: string[] = [];
  const server = createServer(readTlsFixture("service"), async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    response.end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}/alerts`,
    bodies,
    told: () =>
      bodies.map((body) => {
        const { event, alert } = JSON.parse(body) as { event: string; alert: string };
        return `${event} ${alert}`;
      }),
  };
}

async function startService(options: SandboxServiceOptions) {
  const service = createSandboxService({ tls: readTlsFixture("service"), ...options });
  return { service, url: (await service.listen()).href.replace("127.0.0.1", "localhost") };
}

async function startApp(environment: Readonly<Record<string, string>>): Promise<void> {
  await stage.start(environment);
  // The shop's first session gives the app its token.
  await stage.listOrders(SHOP);
}

describe("the app's alerts", () => {
  it("send one message when the key is refused for ten orders, and one when it is accepted again", async () => {
    const { told, bodies, url } = await startReceiver();
    const refusing = await startService({ apiKeys: {} });
    await startApp({ ALERT_WEBHOOK_URL: url, VERIFY_URL: refusing.url });

    for (let order = 1; order <= 10; order += 1) await deliver(`77000000000000000${10 + order}`);
    await until(() => expect(told()).toEqual(["opened verification_key_refused"]));

    await refusing.service.close();
    const accepting = createSandboxService({ tls: readTlsFixture("service") });
    await accepting.listen(Number(new URL(refusing.url).port));
    onTestFinished(() => accepting.close());
    await stage.setClock(61_000);
    await deliver("7700000000000000029");
    await until(() => expect(told()).toHaveLength(2));
    await stage.stop();

    expect(told()).toEqual(["opened verification_key_refused", "resolved verification_key_refused"]);
    expect(stage.log()).toContain('"alert":"verification_key_refused"');
    for (const canary of CANARIES) expect(bodies.join("\n")).not.toContain(canary);
  });

  it("say once that another server answers at the service's address, and every order is held", async () => {
    const { told, url } = await startReceiver();
    const page = createHttpServer((_request, response) => response.end("<!doctype html><title>Shop</title>"));
    page.listen(0, "127.0.0.1");
    await once(page, "listening");
    onTestFinished(() => void page.close());
    const { port } = page.address() as AddressInfo;
    await startApp({ ALERT_WEBHOOK_URL: url, VERIFY_URL: `http://127.0.0.1:${port}` });

    for (const orderId of ["7700000000000000021", "7700000000000000022"]) await deliver(orderId);
    await until(async () => {
      const actions = (await stage.listOrders(SHOP)).map(({ action }) => action);
      expect(actions).toEqual(["hold", "hold"]);
    });
    await until(() => expect(told()).toEqual(["opened verification_misconfigured"]));

    expect(stage.log()).toContain("another server than the verification service answers");
  });

  it("send one webhook and one mail when credits run out, and one each when credits are back", async () => {
    const { told, bodies, url } = await startReceiver();
    const mail = await startMailServer();
    const { service, url: serviceUrl } = await startService({ credits: 0 });
    onTestFinished(() => service.close());
    await startApp({
      ALERT_WEBHOOK_URL: url,
      SMTP_URL: `smtp://alerts:right@localhost:${mail.port}`,
      ALERT_EMAIL_FROM: "holdfast@shop.example",
      ALERT_EMAIL_TO: "jane@shop.example",
      VERIFY_URL: serviceUrl,
    });

    for (let order = 1; order <= 10; order += 1) await deliver(`77000000000000000${30 + order}`);
    await until(() => expect([told().length, mail.mails.length]).toEqual([1, 1]));
    service.topUp(100);
    await stage.setClock(181_000);
    await deliver("7700000000000000049");
    await until(() => expect([told().length, mail.mails.length]).toEqual([2, 2]));
    await stage.stop();

    expect(told()).toEqual(["opened verification_no_credits", "resolved verification_no_credits"]);
    expect(mail.mails).toMatchObject([{ secure: true }, { secure: true }]);
    const sent = [...bodies, ...mail.mails.map(({ raw }) => raw)].join("\n");
    for (const canary of CANARIES) expect(sent).not.toContain(canary);
    for (const secret of [url, "alerts:right"]) expect(stage.log()).not.toContain(secret);
  });

  it("appear only in the log when nobody is configured to be alerted", async () => {
    const refusing = await startService({ apiKeys: {} });
    onTestFinished(() => refusing.service.close());
    await startApp({ VERIFY_URL: refusing.url });

    await deliver("7700000000000000051");

    await until(() => expect(stage.log()).toContain('"alert":"verification_key_refused"'));
    expect(stage.log()).not.toContain("notifier_failed");
  });
});

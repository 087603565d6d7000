import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAdminClient } from "../../../../adapters/shopify/admin/admin-client.ts";
import { createAdminEmulator } from "../../../../tools/emulators/shopify/admin-emulator.ts";
import { createEmulatorDispatcher } from "../../../../tools/emulators/shopify/emulator-dispatcher.ts";
import { HoldfastError } from "../../../../src/index.ts";
import {
  API_KEY,
  API_SECRET,
  ORDER_ID,
  SHOP,
  startFixture,
  TENANT,
  type AdminFixture,
} from "../admin-fixture.ts";
import { until } from "../../../support/until.ts";

const GID = `gid://shopify/Order/${ORDER_ID}`;

async function failureOf(work: Promise<unknown>): Promise<HoldfastError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HoldfastError)) throw new Error(`expected a HoldfastError, got ${String(error)}`);
  return error;
}

function read(fixture: AdminFixture, signal?: AbortSignal) {
  return fixture.client.request(SHOP, "OrderCancellation", { id: GID }, { signal });
}

/** A client whose calls go to the test's own handler. */
async function startHandler(
  handler: (respond: (status: number, body: string, headers?: object) => void) => void,
) {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      handler((status, body, headers) => response.writeHead(status, { ...headers }).end(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const dispatcher = createEmulatorDispatcher(server.address() as AddressInfo);
  onTestFinished(async () => {
    await dispatcher.destroy();
    server.closeAllConnections();
    server.close();
  });
  const tokens = {
    access: async () => "token-a",
    renew: async () => "token-b",
    discard: async () => undefined,
  };
  return createAdminClient({ tokens, dispatcher, timeoutMs: 30_000 });
}

describe("createAdminClient", () => {
  it("sends GraphQL with the shop's token, to the shop's own host, over TLS", async () => {
    const pem = (name: string) => readFileSync(`test/fixtures/tls/${name}.pem`, "utf8");
    const tls = { key: pem("shop-key"), cert: pem("shop-cert") };
    const emulator = createAdminEmulator({ apiKey: API_KEY, apiSecret: API_SECRET, tls });
    await emulator.listen();
    const dispatcher = createEmulatorDispatcher(emulator, { ca: tls.cert });
    onTestFinished(async () => {
      await dispatcher.destroy();
      await emulator.close();
    });
    const shop = emulator.shop(SHOP);
    shop.addOrder({ orderId: ORDER_ID });
    const token = shop.tokens.issue().access_token;
    const tokens = { access: async () => token, renew: async () => token, discard: async () => undefined };
    const client = createAdminClient({ tokens, dispatcher });

    const { data, errors } = await client.request(SHOP, "OrderCancellation", { id: GID });

    expect(data).toEqual({ order: { id: GID, cancelledAt: null, displayFulfillmentStatus: "UNFULFILLED" } });
    expect(errors).toEqual([]);
    expect(emulator.requests).toMatchObject([
      { method: "POST", host: SHOP, path: "/admin/api/2026-10/graphql.json" },
    ]);
  });

  it("returns data and errors side by side", async () => {
    const fixture = await startFixture();
    fixture.shop.addOrder({ orderId: ORDER_ID });
    fixture.shop.deny("Order.customer");

    const answer = await fixture.client.request(SHOP, "OrderDetail", { id: GID, orders: 1 });

    expect(answer.data).toMatchObject({ order: { id: GID, customer: null, transactions: [] } });
    expect(answer.errors).toEqual([{ code: "ACCESS_DENIED", path: "order.customer" }]);
  });

  it.each([
    ["throttled", "PLATFORM_THROTTLED", true],
    ["429", "PLATFORM_THROTTLED", true],
    ["408", "PLATFORM_UNAVAILABLE", true],
    ["425", "PLATFORM_UNAVAILABLE", true],
    ["430", "PLATFORM_UNAVAILABLE", true],
    ["500", "PLATFORM_UNAVAILABLE", true],
    ["503", "PLATFORM_UNAVAILABLE", true],
    ["reset", "PLATFORM_UNAVAILABLE", true],
    ["malformed", "PLATFORM_UNAVAILABLE", true],
    ["oversized", "PLATFORM_UNAVAILABLE", true],
    ["402", "PLATFORM_REFUSED", false],
    ["403", "PLATFORM_REFUSED", false],
    ["404", "PLATFORM_REFUSED", false],
    ["423", "PLATFORM_REFUSED", false],
    ["400", "PLATFORM_CALL_INVALID", false],
    ["413", "PLATFORM_CALL_INVALID", false],
    ["422", "PLATFORM_CALL_INVALID", false],
  ] as const)("turns %s into %s", async (kind, code, retryable) => {
    const fixture = await startFixture();
    fixture.emulator.fail(1, kind);

    const error = await failureOf(read(fixture));

    expect(error).toMatchObject({ code, retryable });
    expect(fixture.emulator.operations).toHaveLength(1);
  });

  it("points to the IP allowlist on 403", async () => {
    const fixture = await startFixture();
    fixture.emulator.fail(1, "403");

    expect((await failureOf(read(fixture))).message).toContain("IP allowlist");
  });

  it("reads Retry-After as seconds and delays the shop's other calls until then", async () => {
    const fixture = await startFixture({ timeoutMs: 1_900 });
    fixture.emulator.fail(1, "429");
    const before = fixture.clock.now();

    const first = await failureOf(read(fixture));
    const second = await failureOf(read(fixture));

    expect(first.retryAtMs).toBeGreaterThanOrEqual(before + 2_000);
    expect(first.retryAtMs).toBeLessThan(before + 3_000);
    expect(second).toMatchObject({ code: "PLATFORM_THROTTLED" });
    expect(second.retryAtMs).toBeGreaterThanOrEqual(before + 2_000);
    expect(fixture.emulator.operations).toHaveLength(1);
    fixture.clock.advance(2_100);
    await expect(read(fixture)).resolves.toMatchObject({ data: { order: null } });
  });

  it("says when a throttled call is worth repeating", async () => {
    const fixture = await startFixture();
    fixture.emulator.fail(1, "throttled");
    const before = fixture.clock.now();

    const { retryAtMs } = await failureOf(read(fixture));

    // 100 points are missing at 100 a second.
    expect(retryAtMs).toBeGreaterThanOrEqual(before + 1_000);
    expect(retryAtMs).toBeLessThan(before + 2_000);
  });

  it("reads no more than 5 MB", async () => {
    const fixture = await startFixture();
    fixture.emulator.fail(1, "oversized");

    expect((await failureOf(read(fixture))).message).toContain("ANSWER_TOO_LARGE");
  });

  it("cancels a call that is not answered in time", async () => {
    const fixture = await startFixture({ timeoutMs: 200 });
    fixture.emulator.fail(1, "hang");

    const error = await failureOf(read(fixture));

    expect(error).toMatchObject({ code: "PLATFORM_UNAVAILABLE", retryable: true });
    expect(error.message).toContain("200 ms");
  });

  it("cancels the call when the caller cancels", async () => {
    const fixture = await startFixture();
    fixture.emulator.fail(1, "hang");
    const controller = new AbortController();

    const failing = failureOf(read(fixture, controller.signal));
    await until(() => expect(fixture.emulator.operations.length).toBe(1));
    controller.abort();

    expect(await failing).toMatchObject({ code: "PLATFORM_UNAVAILABLE", retryable: true });
  });

  it("reads a root field that an error nulled as that error", async () => {
    const fixture = await startFixture();
    fixture.shop.addOrder({ orderId: ORDER_ID });
    fixture.shop.deny("Mutation.tagsAdd");

    const error = await failureOf(fixture.client.request(SHOP, "AddTags", { id: GID, tags: ["a"] }));

    expect(error).toMatchObject({ code: "PLATFORM_REFUSED", retryable: false });
    expect(error.message).toContain("ACCESS_DENIED");
  });

  it.each([
    [
      '{"data":null,"errors":[{"message":"x","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}',
      "PLATFORM_UNAVAILABLE",
    ],
    ['{"errors":[{"message":"x","extensions":{"code":"MAX_COST_EXCEEDED"}}]}', "PLATFORM_REFUSED"],
    ['{"errors":"text"}', "PLATFORM_REFUSED"],
    ['{"errors":[{"message":"x","extensions":{"code":"not a code: jane@example.com"}}]}', "PLATFORM_REFUSED"],
    ["{}", "PLATFORM_UNAVAILABLE"],
    ["[]", "PLATFORM_UNAVAILABLE"],
    ["null", "PLATFORM_UNAVAILABLE"],
  ])("reads 200 with %s as %s", async (body, code) => {
    const client = await startHandler((respond) => respond(200, body));

    const error = await failureOf(client.request(SHOP, "OrderCancellation", { id: GID }));

    expect(error.code).toBe(code);
    expect(error.message).not.toContain("jane");
  });

  it("does not follow redirects", async () => {
    const client = await startHandler((respond) => respond(302, "", { location: "https://example.com/" }));

    expect(await failureOf(client.request(SHOP, "OrderCancellation", { id: GID }))).toMatchObject({
      code: "PLATFORM_REFUSED",
    });
  });

  it("keeps tokens and bodies out of its errors", async () => {
    const kinds = ["malformed", "500", "403", "reset", "throttled"] as const;
    const fixture = await startFixture();
    const token = await fixture.tokens.access(SHOP);

    for (const kind of kinds) {
      fixture.emulator.fail(1, kind);
      const error = await failureOf(
        fixture.client.request(SHOP, "AddTags", { id: GID, tags: ["secret-tag"] }),
      );
      const shown = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
      expect(shown).not.toContain(token);
      expect(shown).not.toContain("secret-tag");
      expect(error.cause).toBeUndefined();
      fixture.clock.advance(5_000);
    }
  });

  it.each([
    "example.com",
    "demo.myshopify.com.example.com",
    "demo.myshopify.com/x",
    "DEMO.myshopify.com",
    "",
  ])("never sends a token to %j", async (shop) => {
    const fixture = await startFixture();

    expect(await failureOf(fixture.client.request(shop, "OrderCancellation", { id: GID }))).toMatchObject({
      code: "PLATFORM_REFUSED",
    });
    expect(fixture.emulator.requests).toEqual([]);
  });

  it("renews access that is refused early, and repeats the call", async () => {
    const fixture = await startFixture();
    fixture.shop.addOrder({ orderId: ORDER_ID });
    fixture.shop.tokens.revokeAccess();

    const { data } = await read(fixture);

    expect(data).toMatchObject({ order: { id: GID } });
    expect(fixture.credentials.occasions).toEqual(["refreshed"]);
  });

  it("forgets access that is refused for good; opening the app again brings it back", async () => {
    const fixture = await startFixture();
    fixture.shop.tokens.revokeAll();

    const error = await failureOf(read(fixture));

    expect(error).toMatchObject({ code: "PLATFORM_UNAUTHORIZED", retryable: true });
    expect(fixture.credentials.kept.has(TENANT)).toBe(false);
    await fixture.tokens.install(SHOP, fixture.emulator.createSessionToken(SHOP));
    await expect(read(fixture)).resolves.toMatchObject({ data: { order: null } });
  });

  it("forgets access that is refused right after it was renewed", async () => {
    const discarded: string[] = [];
    const { dispatcher } = await startFixture();
    const tokens = {
      access: async () => "token-a",
      renew: async () => "token-b",
      discard: async (_shop: string, token: string) => void discarded.push(token),
    };
    const client = createAdminClient({ tokens, dispatcher });

    expect(await failureOf(client.request(SHOP, "OrderCancellation", { id: GID }))).toMatchObject({
      code: "PLATFORM_UNAUTHORIZED",
    });
    expect(discarded).toEqual(["token-b"]);
  });

  it("never makes a REST call", async () => {
    const fixture = await startFixture();
    fixture.shop.addOrder({ orderId: ORDER_ID });

    await read(fixture);
    for (const step of ["assess", "tag", "hold", "cancel"] as const) await fixture.enforce(step);

    const paths = new Set(fixture.emulator.requests.map(({ method, path }) => `${method} ${path}`));
    expect([...paths]).toEqual(["POST /admin/api/2026-10/graphql.json"]);
  });
});

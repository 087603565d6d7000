import { readFileSync } from "node:fs";
import { onTestFinished, describe, expect, it } from "vitest";
import { request } from "undici";
import { createAdminEmulator } from "../../../adapters/shopify/emulator/admin-emulator.ts";
import { createEmulatorDispatcher } from "../../../adapters/shopify/emulator/emulator-dispatcher.ts";
import {
  ADD_TAGS,
  CANCEL_ORDER,
  CREATE_ASSESSMENT,
  HOLD_FULFILLMENT_ORDER,
  ORDER_DETAIL,
} from "../../../adapters/shopify/operations.ts";
import { API_KEY, API_SECRET, ORDER_ID, SHOP, startFixture, type AdminFixture } from "./admin-fixture.ts";

interface Answer {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
  readonly extensions?: {
    readonly cost: {
      readonly requestedQueryCost: number;
      readonly actualQueryCost: number | null;
      readonly throttleStatus: { readonly currentlyAvailable: number };
    };
  };
}

const GID = `gid://shopify/Order/${ORDER_ID}`;

async function post(fixture: AdminFixture, query: string, variables: object = {}, token?: string) {
  const response = await request(`https://${SHOP}/admin/api/2026-10/graphql.json`, {
    method: "POST",
    dispatcher: fixture.dispatcher,
    headers: { "x-shopify-access-token": token ?? fixture.shop.tokens.issue().access_token },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.statusCode, body: (await response.body.json()) as Answer };
}

async function startShop() {
  const fixture = await startFixture();
  fixture.shop.addOrder({ orderId: ORDER_ID });
  return fixture;
}

describe("createAdminEmulator", () => {
  it("speaks TLS with the shop's own name", async () => {
    const pem = (name: string) => readFileSync(`test/fixtures/tls/${name}.pem`, "utf8");
    const tls = { key: pem("shop-key"), cert: pem("shop-cert") };
    const emulator = createAdminEmulator({ apiKey: API_KEY, apiSecret: API_SECRET, tls });
    await emulator.listen();
    const dispatcher = createEmulatorDispatcher(emulator, { ca: tls.cert });
    onTestFinished(async () => {
      await dispatcher.destroy();
      await emulator.close();
    });
    emulator.shop(SHOP);

    const { statusCode, body } = await request(`https://${SHOP}/admin/api/2026-10/graphql.json`, {
      method: "POST",
      dispatcher,
      body: "{}",
    });
    await body.dump();

    expect(statusCode).toBe(401);
    expect(emulator.requests).toMatchObject([{ host: SHOP }]);
  });

  it("lets nothing through to another host", async () => {
    const { dispatcher } = await startFixture();

    await expect(request("https://example.com/", { dispatcher })).rejects.toThrow("stands in for");
  });

  it("answers 404 for REST, for other versions and for shops it does not know, and records them", async () => {
    const { dispatcher, emulator } = await startFixture();
    const paths = [
      `https://${SHOP}/admin/api/2026-10/orders/1.json`,
      `https://${SHOP}/admin/api/2025-01/graphql.json`,
      "https://other.myshopify.com/admin/api/2026-10/graphql.json",
    ];

    for (const path of paths) {
      const { statusCode, body } = await request(path, { method: "POST", body: "{}", dispatcher });
      await body.dump();
      expect(statusCode).toBe(404);
    }

    expect(emulator.requests.map(({ path }) => path)).toContain("/admin/api/2026-10/orders/1.json");
  });

  it("answers 401 to unknown, expired and revoked tokens", async () => {
    const fixture = await startShop();
    const token = fixture.shop.tokens.issue().access_token;
    const call = async (used: string) =>
      (await post(fixture, ORDER_DETAIL, { id: GID, orders: 1 }, used)).status;

    expect(await call("shpat_unknown")).toBe(401);
    expect(await call(token)).toBe(200);
    fixture.clock.advance(3_600_000);
    expect(await call(token)).toBe(401);
    const other = fixture.shop.tokens.issue().access_token;
    fixture.shop.tokens.revokeAll();
    expect(await call(other)).toBe(401);
  });

  it.each([
    ["a field the schema does not have", 'query Q { order(id: "1") { secret } }', {}, "undefinedField"],
    [
      "a mutation the schema does not have",
      'mutation M { orderDelete(id: "1") { id } }',
      {},
      "undefinedField",
    ],
    ["something else than GraphQL", "query {", {}, "parseError"],
    [
      "an enum value that does not exist",
      HOLD_FULFILLMENT_ORDER,
      { id: "1", hold: { reason: "FRAUD" } },
      "INVALID_VARIABLE",
    ],
    [
      "an input field that does not exist",
      HOLD_FULFILLMENT_ORDER,
      { id: "1", hold: { reason: "OTHER", note: "x" } },
      "INVALID_VARIABLE",
    ],
    [
      "both ways of a refund at once",
      CANCEL_ORDER,
      {
        orderId: "1",
        reason: "FRAUD",
        restock: true,
        notifyCustomer: false,
        staffNote: "",
        refundMethod: { originalPaymentMethodsRefund: true, storeCreditRefund: {} },
      },
      "INVALID_VARIABLE",
    ],
    ["a variable that is missing", ADD_TAGS, { id: "1" }, "INVALID_VARIABLE"],
  ])("refuses %s as the platform does: 200 with errors", async (_what, query, variables, code) => {
    const fixture = await startShop();

    const { status, body } = await post(fixture, query, variables);

    expect(status).toBe(200);
    expect(body.data).toBeUndefined();
    expect(body.errors?.[0]?.extensions.code).toBe(code);
    expect(fixture.emulator.operations.at(-1)?.errors).toHaveLength(1);
  });

  it("reports cost on every answer and throttles when the points are gone", async () => {
    const fixture = await startFixture({ throttle: { maximumAvailable: 100, restoreRate: 50 } });
    fixture.shop.addOrder({ orderId: ORDER_ID });
    const detail = () => post(fixture, ORDER_DETAIL, { id: GID, orders: 50 });

    const first = (await detail()).body;
    const cost = first.extensions?.cost;
    expect(cost?.requestedQueryCost).toBeGreaterThan(cost?.actualQueryCost ?? Infinity);
    const dear = 'query Dear { order(id: "1") { fulfillmentOrders(first: 90) { nodes { id } } } }';
    expect((await post(fixture, dear)).body.errors).toBeUndefined();
    // Nothing was returned, so nearly everything was given back; spend it for real.
    for (let call = 0; call < 9; call += 1) await post(fixture, ADD_TAGS, { id: GID, tags: [`t${call}`] });
    const last = (await detail()).body;

    expect(last.errors?.[0]?.extensions.code).toBe("THROTTLED");
    expect(last.extensions?.cost.actualQueryCost).toBeNull();
    fixture.clock.advance(2_000);
    expect((await detail()).body.errors).toBeUndefined();
  });

  it("refuses a query above the most a single one may cost", async () => {
    const fixture = await startShop();
    const query = 'query Big { order(id: "1") { customer { orders(first: 1200) { nodes { id } } } } }';

    expect((await post(fixture, query)).body.errors?.[0]?.extensions.code).toBe("MAX_COST_EXCEEDED");
  });

  it("nulls what a permission is missing for and keeps the rest", async () => {
    const fixture = await startShop();
    fixture.shop.deny("Order.customer");

    const { body } = await post(fixture, ORDER_DETAIL, { id: GID, orders: 1 });

    expect(body.data).toMatchObject({ order: { id: GID, customer: null } });
    expect(body.errors).toMatchObject([
      { path: ["order", "customer"], extensions: { code: "ACCESS_DENIED" } },
    ]);
  });

  it("takes risk assessments with offline tokens only, and no more than twenty facts", async () => {
    const fixture = await startShop();
    const fact = { description: "x".repeat(300), sentiment: "NEUTRAL" };
    const input = (count: number) => ({
      input: { orderId: GID, riskLevel: "LOW", facts: Array.from({ length: count }, () => fact) },
    });

    const online = await post(fixture, CREATE_ASSESSMENT, input(1), fixture.shop.tokens.issueOnline());
    const many = await post(fixture, CREATE_ASSESSMENT, input(21));
    await post(fixture, CREATE_ASSESSMENT, input(20));

    expect(online.body.errors?.[0]?.extensions.code).toBe("ACCESS_DENIED");
    expect(many.body.data).toMatchObject({
      orderRiskAssessmentCreate: { userErrors: [{ code: "TOO_MANY_FACTS" }] },
    });
    const { assessments } = fixture.shop.order(ORDER_ID);
    expect(assessments).toHaveLength(1);
    expect(assessments[0]?.facts[0]?.description).toHaveLength(256);
  });

  it("keeps tags as a set and refuses long ones", async () => {
    const fixture = await startShop();

    await post(fixture, ADD_TAGS, { id: GID, tags: ["One", "two"] });
    await post(fixture, ADD_TAGS, { id: GID, tags: ["ONE", "two"] });
    const long = await post(fixture, ADD_TAGS, { id: GID, tags: ["x".repeat(41)] });

    expect(fixture.shop.order(ORDER_ID).tags).toEqual(["One", "two"]);
    expect(long.body.data).toMatchObject({ tagsAdd: { node: null, userErrors: [{ field: ["tags"] }] } });
  });

  it("ends tokens as the platform does: an hour, and refresh tokens with their replacement's first use", async () => {
    const { shop } = await startShop();
    const refresh = (token: string) => {
      const form = { client_id: API_KEY, client_secret: API_SECRET, grant_type: "refresh_token" };
      return shop.tokens.answer({ ...form, refresh_token: token });
    };
    const first = shop.tokens.issue();

    const second = refresh(first.refresh_token).body as unknown as typeof first;
    const again = refresh(first.refresh_token).body as unknown as typeof first;
    const dead = refresh(second.refresh_token);
    const third = refresh(again.refresh_token);
    const gone = refresh(first.refresh_token);

    expect(shop.tokens.identify(second.access_token)).toBeNull();
    expect(dead).toMatchObject({ status: 401, body: { error: "invalid_request" } });
    expect(third.status).toBe(200);
    expect(gone.status).toBe(401);
  });
});

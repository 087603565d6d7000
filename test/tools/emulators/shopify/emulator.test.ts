import { readFileSync } from "node:fs";
import { onTestFinished, describe, expect, it } from "vitest";
import { request } from "undici";
import { createAdminEmulator } from "../../../../tools/emulators/shopify/admin-emulator.ts";
import { toDisplayStatus } from "../../../../tools/emulators/shopify/emulated-order.ts";
import { createEmulatorDispatcher } from "../../../../tools/emulators/shopify/emulator-dispatcher.ts";
import { OPERATIONS } from "../../../../adapters/shopify/operations/generated/operations.ts";
import { interpretDelivery } from "../../../../adapters/shopify/intake/interpret.ts";
import {
  API_KEY,
  API_SECRET,
  ORDER_ID,
  SHOP,
  startFixture,
  TENANT,
  type AdminFixture,
} from "../../../adapters/shopify/admin-fixture.ts";

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
const DAY_MS = 86_400_000;

/** What the adapter never sends: the ids can be left out. */
const RELEASE_ANY = /* GraphQL */ `
  mutation ReleaseAny($id: ID!, $ids: [ID!]) {
    fulfillmentOrderReleaseHold(id: $id, holdIds: $ids) {
      fulfillmentOrder {
        id
      }
      userErrors {
        code
      }
    }
  }
`;

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

    await expect(request("https://example.com/", { dispatcher })).rejects.toThrow("only serves");
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
      (await post(fixture, OPERATIONS.OrderDetail, { id: GID, orders: 1 }, used)).status;

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
      OPERATIONS.HoldFulfillmentOrder,
      { id: "1", hold: { reason: "FRAUD" } },
      "INVALID_VARIABLE",
    ],
    [
      "an input field that does not exist",
      OPERATIONS.HoldFulfillmentOrder,
      { id: "1", hold: { reason: "OTHER", note: "x" } },
      "INVALID_VARIABLE",
    ],
    [
      "both ways of a refund at once",
      OPERATIONS.CancelOrder,
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
    ["a variable that is missing", OPERATIONS.AddTags, { id: "1" }, "INVALID_VARIABLE"],
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
    const detail = () => post(fixture, OPERATIONS.OrderDetail, { id: GID, orders: 50 });

    const first = (await detail()).body;
    const cost = first.extensions?.cost;
    expect(cost?.requestedQueryCost).toBeGreaterThan(cost?.actualQueryCost ?? Infinity);
    const dear = 'query Dear { order(id: "1") { fulfillmentOrders(first: 90) { nodes { id } } } }';
    expect((await post(fixture, dear)).body.errors).toBeUndefined();
    // Nothing was returned, so nearly everything was given back; spend it for real.
    for (let call = 0; call < 9; call += 1)
      await post(fixture, OPERATIONS.AddTags, { id: GID, tags: [`t${call}`] });
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

    const { body } = await post(fixture, OPERATIONS.OrderDetail, { id: GID, orders: 1 });

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

    const online = await post(
      fixture,
      OPERATIONS.CreateAssessment,
      input(1),
      fixture.shop.tokens.issueOnline(),
    );
    const many = await post(fixture, OPERATIONS.CreateAssessment, input(21));
    await post(fixture, OPERATIONS.CreateAssessment, input(20));

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

    await post(fixture, OPERATIONS.AddTags, { id: GID, tags: ["One", "two"] });
    await post(fixture, OPERATIONS.AddTags, { id: GID, tags: ["ONE", "two"] });
    const long = await post(fixture, OPERATIONS.AddTags, { id: GID, tags: ["x".repeat(41)] });

    expect(fixture.shop.order(ORDER_ID).tags).toEqual(["One", "two"]);
    expect(long.body.data).toMatchObject({ tagsAdd: { node: null, userErrors: [{ field: ["tags"] }] } });
  });

  it("removes tags regardless of case, and ignores missing ones", async () => {
    const fixture = await startShop();
    await post(fixture, OPERATIONS.AddTags, { id: GID, tags: ["One", "two"] });

    const { body } = await post(fixture, OPERATIONS.RemoveTags, { id: GID, tags: ["ONE", "three"] });
    const unknown = await post(fixture, OPERATIONS.RemoveTags, { id: `${GID}404`, tags: ["two"] });

    expect(fixture.shop.order(ORDER_ID).tags).toEqual(["two"]);
    expect(body.data).toMatchObject({ tagsRemove: { node: { id: GID }, userErrors: [] } });
    expect(unknown.body.data).toMatchObject({ tagsRemove: { node: null, userErrors: [{ field: ["id"] }] } });
  });

  it("releases the holds that are named, on that fulfillment order, and without names everybody's", async () => {
    const fixture = await startFixture();
    const order = fixture.shop.addOrder({ orderId: ORDER_ID, routed: 2 });
    const [id, otherId] = order.fulfillmentOrders.map((entry) => entry.id);
    const release = (variables: object) => post(fixture, RELEASE_ANY, variables);
    const show = () => order.fulfillmentOrders.map(({ holds, status }) => [status, holds.length]);
    for (const handle of ["a", "b"]) {
      await post(fixture, OPERATIONS.HoldFulfillmentOrder, { id, hold: { reason: "OTHER", handle } });
    }
    const ids = order.fulfillmentOrders.flatMap(({ holds }) => holds).map((hold) => hold.id);

    await release({ id: otherId, ids });
    expect(show()).toEqual([
      ["ON_HOLD", 2],
      ["OPEN", 0],
    ]);
    await release({ id, ids: ids.slice(0, 1) });
    expect(show()[0]).toEqual(["ON_HOLD", 1]);
    await release({ id });
    expect(show()[0]).toEqual(["OPEN", 0]);
    expect((await release({ id: "gid://shopify/FulfillmentOrder/404" })).body.data).toMatchObject({
      fulfillmentOrderReleaseHold: { userErrors: [{ code: "FULFILLMENT_ORDER_NOT_FOUND" }] },
    });
  });

  it("shows what people do in the admin: release, take a tag off, ship, cancel", async () => {
    const { shop } = await startShop();
    const order = shop.order(ORDER_ID);
    shop.routeOrder(ORDER_ID);
    for (const entry of order.fulfillmentOrders) {
      entry.holds.push({ id: shop.nextId(), handle: "a", reason: "OTHER", reasonNotes: null, ours: true });
      entry.status = "ON_HOLD";
    }
    order.tags.push("One", "two");

    shop.removeTag(ORDER_ID, "one");
    shop.releaseHold(ORDER_ID);
    expect(order.tags).toEqual(["two"]);
    expect(order.fulfillmentOrders).toMatchObject([
      { holds: [], status: "OPEN" },
      { holds: [], status: "OPEN" },
    ]);

    const [first] = order.fulfillmentOrders;
    if (first !== undefined) first.status = "CANCELLED";
    shop.fulfillOrder(ORDER_ID);
    expect(order.fulfillmentOrders.map(({ status }) => status)).toEqual(["CANCELLED", "CLOSED"]);
  });

  it("doesn't take merged and returned fulfillment orders for shipped ones", async () => {
    const fixture = await startFixture();
    const { shop } = fixture;
    const order = shop.addOrder({ orderId: ORDER_ID, routed: 2 });
    const merged = shop.mergeEntries(ORDER_ID, order.fulfillmentOrders.slice(0, 2));
    shop.replaceEntry(order, merged, "CANCELLATION_ACCEPTED");

    expect(order.fulfillmentOrders.map(({ status }) => status)).toEqual([
      "CLOSED",
      "CLOSED",
      "CLOSED",
      "OPEN",
    ]);
    expect(toDisplayStatus(order)).toBe("UNFULFILLED");
    const canceled = await post(fixture, OPERATIONS.CancelOrder, {
      orderId: GID,
      reason: "FRAUD",
      restock: false,
      refundMethod: { originalPaymentMethodsRefund: true },
      notifyCustomer: false,
      staffNote: "",
    });
    expect(canceled.body.data?.["orderCancel"]).toMatchObject({ orderCancelUserErrors: [] });
  });

  it("lists orders from their payloads, and shows a payload that was cancelled as cancelled", async () => {
    const fixture = await startFixture();
    fixture.shop.grant("read_all_orders");
    const payload = {
      name: "#7",
      currency: "EUR",
      total_price: "12.30",
      created_at: "2026-10-01T12:00:00+02:00",
    };
    fixture.shop.addOrder({ orderId: "7", payload });
    fixture.shop.addOrder({ orderId: "8", payload: { ...payload, cancelled_at: "2026-10-01T11:00:00Z" } });
    fixture.shop.addOrder({ orderId: "9" });

    const query = "created_at:>='2026-10-01T10:00:00Z' created_at:<='2026-10-01T10:00:00Z'";
    const { body } = await post(fixture, OPERATIONS.RecentOrders, { query });

    expect(body.data).toMatchObject({
      orders: {
        nodes: [
          {
            name: "#7",
            createdAt: "2026-10-01T10:00:00Z",
            cancelledAt: null,
            currencyCode: "EUR",
            totalPriceSet: { shopMoney: { amount: "12.3" } },
            customer: null,
            lineItems: { nodes: [] },
          },
          { id: "gid://shopify/Order/8", cancelledAt: "2026-10-01T11:00:00Z" },
        ],
        pageInfo: { hasNextPage: false },
      },
    });
    expect(fixture.shop.order("8").fulfillmentOrders[0]?.status).toBe("CANCELLED");
    expect(fixture.shop.order("9").payload).toEqual({});
  });

  it.each([
    ["a search it does not know", { query: "status:open" }],
    ["a moment without quotes", { query: "created_at:>=2026-10-01" }],
  ])("refuses %s, where the platform would ignore it", async (_what, variables) => {
    const fixture = await startShop();

    const { body } = await post(fixture, OPERATIONS.RecentOrders, variables);

    expect(body.errors).toHaveLength(1);
  });

  it("refuses to list an order whose content it doesn't know, which an app would take for an empty order", async () => {
    const fixture = await startShop();

    const { body } = await post(fixture, OPERATIONS.RecentOrders, {
      query: "created_at:>='2020-01-01T00:00:00Z'",
    });

    expect(body.errors?.[0]?.message).toBe(`cannot list gid://shopify/Order/${ORDER_ID}: it has no payload`);
  });

  it("refuses to sort orders by anything but their creation", async () => {
    const fixture = await startShop();

    const { body } = await post(fixture, "query Q { orders(first: 1) { nodes { id } } }");

    expect(body.errors?.[0]?.message).toContain("PROCESSED_AT");
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

  it("hides fulfillment orders of a service without the scope, by list and by id, and still counts them", async () => {
    const fixture = await startFixture();
    const { shop } = fixture;
    shop.addOrder({ orderId: ORDER_ID, routed: 0, payload: { line_items: [{ quantity: 5 }] } });
    const [own] = shop.routeOrder(ORDER_ID, 1, { units: 2 });
    const [sent] = shop.routeOrder(ORDER_ID, 1, { units: 3, service: "ACME" });
    const see = async () => {
      const goods = await post(fixture, OPERATIONS.OrderGoods, { id: GID });
      const located = await post(fixture, OPERATIONS.LocateFulfillmentOrders, { ids: [own?.id, sent?.id] });
      const { nodes } = located.body.data as { nodes: readonly unknown[] };
      return { goods: JSON.stringify(goods.body.data), seen: nodes.map((node) => node !== null) };
    };

    expect((await see()).seen).toEqual([true, true]);
    shop.scopes = shop.scopes.filter((scope) => !scope.includes("third_party"));

    const { goods, seen } = await see();
    expect(seen).toEqual([true, false]);
    expect(goods).toContain('"unfulfilledQuantity":5');
    expect(goods.match(/"remainingQuantity":1/g)).toHaveLength(2);
  });

  it("hides an order from day 60 on without read_all_orders, but not its fulfillment orders", async () => {
    const fixture = await startShop();
    const { shop, clock } = fixture;
    const [entry] = shop.order(ORDER_ID).fulfillmentOrders;
    const see = async () => {
      const order = await post(fixture, OPERATIONS.ObserveOrder, { id: GID });
      const located = await post(fixture, OPERATIONS.LocateFulfillmentOrders, { ids: [entry?.id] });
      const tagged = await post(fixture, OPERATIONS.AddTags, { id: GID, tags: ["seen"] });
      return {
        order: order.body.data?.["order"] !== null,
        located: located.body.data?.["nodes"],
        refused: (tagged.body.data as { tagsAdd: { userErrors: object[] } }).tagsAdd.userErrors.length,
      };
    };
    const readable = {
      order: true,
      located: [{ __typename: "FulfillmentOrder", orderId: GID }],
      refused: 0,
    };

    clock.advance(59.9 * DAY_MS);
    expect(await see()).toEqual(readable);

    clock.advance(0.2 * DAY_MS);
    expect(await see()).toEqual({ ...readable, order: false, refused: 1 });

    shop.grant("read_all_orders");
    expect(await see()).toEqual(readable);
  });

  it("lets nobody hold what a service has, and only asks a service that accepted", async () => {
    const fixture = await startFixture();
    const { shop } = fixture;
    shop.addOrder({ orderId: ORDER_ID, routed: 0 });
    const [sent] = shop.routeOrder(ORDER_ID, 1, { units: 1, service: "ACME" });
    if (sent === undefined) throw new Error("expected a fulfillment order");
    const { id } = sent;
    const ask = async () => {
      const { body } = await post(fixture, OPERATIONS.RequestCancellation, { id, message: "please" });
      return body.data?.["fulfillmentOrderSubmitCancellationRequest"];
    };
    const refused = { fulfillmentOrder: null, userErrors: [{ field: ["id"] }] };

    expect(await ask()).toEqual(refused);
    shop.submitEntry(sent);
    expect(await ask()).toEqual(refused);
    shop.answerRequest(ORDER_ID, sent, "accept");
    const held = await post(fixture, OPERATIONS.HoldFulfillmentOrder, {
      id,
      hold: { reason: "OTHER", handle: "x" },
    });
    expect(held.body.data?.["fulfillmentOrderHold"]).toMatchObject({ userErrors: [{ code: null }] });
    expect(await ask()).toEqual({ fulfillmentOrder: { id }, userErrors: [] });
    expect(await ask()).toEqual(refused);
    const canceled = await post(fixture, OPERATIONS.CancelFulfillmentOrder, { id });
    expect(canceled.body.data?.["fulfillmentOrderCancel"]).toMatchObject({ userErrors: [] });
    expect(shop.order(ORDER_ID).fulfillmentOrders.map(({ status }) => status)).toEqual(["CANCELLED", "OPEN"]);
  });

  it("sends a webhook for the first hold, the last release, a split and a move", async () => {
    const fixture = await startShop();
    const { shop } = fixture;
    const [entry] = shop.order(ORDER_ID).fulfillmentOrders;
    if (entry === undefined) throw new Error("expected a fulfillment order");
    const sent: string[] = [];
    shop.onWebhook = ({ topic }) => void sent.push(topic);
    for (const handle of ["one", "two"])
      await post(fixture, OPERATIONS.HoldFulfillmentOrder, {
        id: entry.id,
        hold: { reason: "OTHER", handle },
      });
    for (const [hold] of [entry.holds, entry.holds.slice(1)])
      await post(fixture, RELEASE_ANY, { id: entry.id, ids: [hold?.id] });
    shop.splitEntry(ORDER_ID, entry, 1);
    shop.moveEntry(ORDER_ID, entry, { units: 1 });

    expect(sent.map((topic) => topic.replace("fulfillment_orders/", ""))).toEqual([
      "placed_on_hold",
      "hold_released",
      "split",
      "moved",
    ]);
    for (const { topic, body } of shop.webhooks)
      expect(interpretDelivery({ tenant: TENANT, topic, body: Buffer.from(body) }).kind).toBe("order-ready");
  });
});

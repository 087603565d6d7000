import { describe, expect, it } from "vitest";
import type { Operations } from "../../../../adapters/shopify/operations/generated/operations.ts";
import type { AdminClient } from "../../../../adapters/shopify/admin/admin-client.ts";
import type { NewEmulatedOrder } from "../../../../tools/emulators/shopify/emulated-order.ts";
import { listRecentOrders } from "../../../../adapters/shopify/admin/recent-orders.ts";
import { fingerprintOrder } from "../../../../src/order/fingerprint.ts";
import type { OrderWindow, PartialVerificationRequest, PlatformOrder } from "../../../../src/adapter-kit.ts";
import { startFixture, TENANT, type AdminCall } from "../admin-fixture.ts";
import { fixtureBody, fixtureNames, orderFixture, receiveOrder, sampleOrder } from "../fixtures.ts";

const NOON_MS = Date.parse("2026-10-01T12:00:00Z");
const SECOND_MS = 1_000;

/** An order in the emulated shop's form, `seconds` after noon. */
function orderAt(seconds: number, id = seconds, changes: object = {}): NewEmulatedOrder {
  const orderId = String(5_000_000_000 + id);
  const created_at = new Date(NOON_MS + seconds * SECOND_MS).toISOString();
  return { orderId, payload: sampleOrder({ name: `#${id}`, created_at, ...changes }) };
}

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Line ${index}`,
    title: `Line ${index}`,
    vendor: "Example",
    sku: `L-${index}`,
    quantity: 1,
    price: "1.00",
  }));

async function startShop(...orders: readonly NewEmulatedOrder[]) {
  const fixture = await startFixture();
  // The orders have fixed dates, some of them years ago.
  fixture.shop.grant("read_all_orders");
  for (const order of orders) fixture.shop.addOrder(order);
  const list = (window: Partial<OrderWindow> = {}, client: AdminClient = fixture.client) =>
    listRecentOrders(client, TENANT, { sinceMs: NOON_MS, ...window });
  return { ...fixture, list };
}

/** Every order of a window, page by page. */
async function listAll(list: (window: Partial<OrderWindow>) => ReturnType<typeof listRecentOrders>) {
  const pages: (readonly PlatformOrder[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ cursor });
    pages.push(page.orders);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

const namesOf = (orders: readonly PlatformOrder[]) => orders.map(({ name }) => name);

function factsOf({ mapped }: PlatformOrder): PartialVerificationRequest {
  return mapped.outcome === "screenable" ? mapped.request : mapped.known;
}

function reasonOf({ mapped }: PlatformOrder): string | null {
  return mapped.outcome === "screenable" ? null : mapped.reason;
}

describe("listRecentOrders", () => {
  it("lists the orders of a window, oldest first", async () => {
    const { list } = await startShop(orderAt(5), orderAt(1), orderAt(-1), orderAt(3), orderAt(9));

    const { orders, nextCursor } = await list({ untilMs: NOON_MS + 5 * SECOND_MS });

    expect(namesOf(orders)).toEqual(["#1", "#3", "#5"]);
    expect(nextCursor).toBeNull();
  });

  it("loses no order at either end of a window that isn't in whole seconds", async () => {
    const { list } = await startShop(orderAt(0), orderAt(4));

    const { orders } = await list({ sinceMs: NOON_MS + 400, untilMs: NOON_MS + 3_600 });

    expect(namesOf(orders)).toEqual(["#0", "#4"]);
  });

  it("shows which orders have shipped completely", async () => {
    const { list, shop } = await startShop(orderAt(1), { ...orderAt(2), routed: 2 }, orderAt(3));
    shop.fulfillOrder(String(5_000_000_001));
    const [part] = shop.order(String(5_000_000_002)).fulfillmentOrders;
    if (part !== undefined) part.status = "CLOSED";

    const { orders } = await list();

    expect(orders.map(({ fulfilled }) => fulfilled)).toEqual([true, undefined, undefined]);
  });

  it("lists nothing for an empty shop", async () => {
    const { list } = await startShop();

    expect(await list()).toEqual({ orders: [], nextCursor: null });
  });

  it("lists every order once, page by page, however they were created", async () => {
    const seconds = Array.from({ length: 45 }, (_, index) => (index * 7) % 45);
    const { list, count } = await startShop(...seconds.map((second) => orderAt(second)));

    const pages = await listAll(list);

    expect(pages.map(({ length }) => length)).toEqual([20, 20, 5]);
    expect(namesOf(pages.flat())).toEqual(seconds.toSorted((a, b) => a - b).map((second) => `#${second}`));
    expect(count("RecentOrders")).toBe(3);
  });

  it.each([
    [0, 0],
    [9, 0],
    [10, 1],
    [109, 1],
    [110, 2],
    [250, 3],
  ])("reads all of an order's %i lines with %i more queries", async (lines, questions) => {
    const { list, count } = await startShop(orderAt(1, 1, { line_items: linesOf(lines) }), orderAt(2));

    const { orders } = await list();

    const [first, second] = orders.map((order) => factsOf(order).items?.map(({ name }) => name) ?? []);
    expect(first).toEqual(linesOf(lines).map(({ name }) => name));
    expect(second).toEqual(["Mug"]);
    expect(count("OrderLines")).toBe(questions);
  });

  it("lists no order of more than 60 days ago without read_all_orders", async () => {
    const { shop, clock, list } = await startShop();
    const placedAt = (days: number) => new Date(clock.now() - days * 86_400_000).toISOString();
    shop.addOrder({ orderId: "1", payload: sampleOrder({ name: "#1", created_at: placedAt(61) }) });
    shop.addOrder({ orderId: "2", payload: sampleOrder({ name: "#2", created_at: placedAt(59) }) });

    expect(namesOf((await list({ sinceMs: 0 })).orders)).toEqual(["#1", "#2"]);
    shop.scopes = shop.scopes.filter((scope) => scope !== "read_all_orders");

    expect(namesOf((await list({ sinceMs: 0 })).orders)).toEqual(["#2"]);
  });

  it("skips an order that is deleted while it is read", async () => {
    const fixture = await startShop(orderAt(1, 1, { line_items: linesOf(10) }), orderAt(2));
    const forgetful: AdminClient = {
      request: async <K extends keyof Operations>(...call: AdminCall<K>) =>
        call[1] === "OrderLines" ? { data: { order: null }, errors: [] } : fixture.client.request(...call),
    };

    expect(namesOf((await fixture.list({}, forgetful)).orders)).toEqual(["#2"]);
  });

  // Without card facts: orders from before 2023 have them in the payload, all others get them from enrichment.
  const COMPARABLE = fixtureNames("shopify").filter((name) => !name.includes("exemplar"));

  it.each(COMPARABLE)("sends the service the same as the webhook of %s", async (name) => {
    const received = receiveOrder(fixtureBody("shopify", name));
    const { list } = await startShop({ orderId: received.orderId, payload: orderFixture(name) });

    const [listed] = (await list({ sinceMs: 0 })).orders;

    if (listed === undefined) throw new Error("expected the order to be listed");
    const contentOf = (order: PlatformOrder) =>
      fingerprintOrder({ ...factsOf(order), paymentInfo: undefined }, (content) => content);
    expect(contentOf(listed)).toBe(contentOf(received));
    expect(reasonOf(listed)).toBe(reasonOf(received));
    expect(listed).toMatchObject({
      orderId: received.orderId,
      name: received.name,
      amount: received.amount,
      currency: received.currency,
      mapped: { test: received.mapped.test },
    });
  });

  it("compares enough of them to be meaningful", () => {
    expect(COMPARABLE.length).toBeGreaterThanOrEqual(19);
  });

  it.each<[string, object, readonly string[], string | null]>([
    [
      "email addresses, by any field",
      {},
      ["Order.email", "CustomerEmailAddress.emailAddress"],
      "PERSONAL_DATA_NOT_GRANTED",
    ],
    [
      "names",
      {},
      ["MailingAddress.name", "MailingAddress.firstName", "MailingAddress.lastName", "Order.customer"],
      "PERSONAL_DATA_NOT_GRANTED",
    ],
    [
      "streets and cities",
      {},
      ["MailingAddress.address1", "MailingAddress.city", "MailingAddress.zip"],
      "PERSONAL_DATA_NOT_GRANTED",
    ],
    ["addresses", {}, ["Order.billingAddress", "Order.shippingAddress"], "PERSONAL_DATA_NOT_GRANTED"],
    ["customers alone", {}, ["Order.customer"], null],
    ["IP addresses", {}, ["Order.clientIp"], null],
    ["nothing, where the buyer gave no email address", { email: "" }, [], "NO_EMAIL"],
    [
      "nothing, where the buyer gave no address",
      { billing_address: null, shipping_address: null, customer: { first_name: "Jane" } },
      [],
      "NO_ADDRESS",
    ],
  ])("distinguishes what the buyer didn't give from withheld %s", async (_what, changes, denied, reason) => {
    const { list, shop } = await startShop(orderAt(1, 1, changes));
    shop.deny(...denied);

    const { orders } = await list();

    expect(orders.map(reasonOf)).toEqual([reason]);
  });

  it("refuses a page with a part that is missing for a temporary reason", async () => {
    const { client, list } = await startShop(orderAt(1));
    const faulty = (code: string): AdminClient => ({
      async request<K extends keyof Operations>(...call: AdminCall<K>) {
        const { data } = await client.request(...call);
        return { data, errors: [{ code, path: "orders.nodes.0.email" }] };
      },
    });

    for (const code of ["INTERNAL_SERVER_ERROR", "TIMEOUT", "THROTTLED"]) {
      await expect(list({}, faulty(code))).rejects.toMatchObject({
        code: "PLATFORM_UNAVAILABLE",
        retryable: true,
      });
    }
    expect((await list({}, faulty("ACCESS_DENIED"))).orders).toHaveLength(1);
  });

  it("throws what prevents the listing", async () => {
    const { list, emulator, shop } = await startShop(orderAt(1));

    emulator.fail(1, "500");
    await expect(list()).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE" });
    await expect(list({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "PLATFORM_UNAVAILABLE",
    });
    shop.deny("QueryRoot.orders");
    await expect(list()).rejects.toMatchObject({ code: "PLATFORM_REFUSED", retryable: false });
  });

  it("belongs to its own platform's tenants only", async () => {
    const { client, emulator } = await startShop();

    const listing = listRecentOrders(client, "other:demo.myshopify.com", { sinceMs: 0 });

    await expect(listing).rejects.toMatchObject({ code: "PLATFORM_REFUSED" });
    expect(emulator.requests).toEqual([]);
  });
});

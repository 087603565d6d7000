import { describe, expect, it, vi } from "vitest";
import { createMemoryStore } from "../../src/index.ts";
import { isHoldfastError } from "../../src/base/errors.ts";
import { verificationRequestSchema } from "../../src/order/request.ts";
import { createScreener } from "../../src/screening/screener.ts";
import { createOrderGuard } from "../../src/screening/order-guard.ts";
import { readOrder } from "../../src/screening/read-order.ts";
import { anOrder } from "../support/orders.ts";
import { createScriptedScreener } from "../support/screener.ts";

const read = (changes: object) => readOrder({ ...anOrder(), ...changes });
const address = anOrder().shippingAddress;

describe("readOrder", () => {
  it.each([
    [
      "nulls and blanks",
      { customerPhone: null, sku: undefined, companyName: "", paymentInfo: { brand: null } },
    ],
    ["amounts and counts as texts", { orderAmount: "59.90", totalOrders: "3" }],
    ["a date", { orderTimestamp: new Date("2026-11-20T10:00:00Z") }],
    [
      "a line at price 0",
      { items: [...(anOrder().items ?? []), { name: "Gift", quantity: "1", price: "0.00" }] },
    ],
  ])("accepts %s", (_name, changes) => {
    const { request, unsent } = read(changes);

    expect(unsent).toBeUndefined();
    expect(request.orderAmount).toBe(59.9);
    expect(Date.parse(request.orderTimestamp ?? "")).toBe(Date.parse("2026-11-20T10:00:00Z"));
    expect(request.items).toEqual(anOrder().items);
  });

  it.each(["0.30000000000000004", "12.500000000000000000"])("reads the decimal text %s", (text) => {
    const { request } = read({ orderAmount: text, averageOrderValue: text });

    expect(request.orderAmount).toBe(Number(text));
    expect(request.averageOrderValue).toBe(Number(text));
  });

  it("reads an amount that a library stores as an object, and one that is a bigint", () => {
    class Decimal {
      toString = () => "59.90";
      valueOf = () => "59.90";
    }

    expect(read({ orderAmount: new Decimal() }).request).toEqual(read({ orderAmount: 59.9 }).request);
    expect(read({ orderAmount: 60n }).request.orderAmount).toBe(60);
  });

  describe("an object of a class, whose fields are inherited or behind getters", () => {
    /** Like an ORM's entity: spreading it copies nothing. */
    const toEntity = (fields: object): object => Object.create(Object.freeze({ ...fields })) as object;
    const order = { ...anOrder(), paymentInfo: { brand: "visa", lastFourDigits: "4242" } };
    const entity = toEntity({
      ...order,
      shippingAddress: toEntity(order.shippingAddress),
      billingAddress: toEntity(order.billingAddress),
      paymentInfo: toEntity(order.paymentInfo),
      items: order.items?.map(toEntity),
    });

    it("is read like a plain object", () => {
      expect(readOrder(entity)).toEqual(readOrder(order));
    });

    it("keeps its fields beside the address that the host knows", async () => {
      const screener = createScriptedScreener();
      const guard = createOrderGuard<object>({
        screener,
        order: () => entity as typeof order,
        ip: () => "192.0.2.1",
      });

      await guard({}, new AbortController().signal);

      expect(readOrder(screener.asked[0]?.order)).toEqual(readOrder({ ...order, ipAddress: "192.0.2.1" }));
    });
  });

  it("accepts a discount as a line of its own", () => {
    const items = anOrder().items ?? [];

    expect(
      read({ items: [...items, { name: "WELCOME10", quantity: 1, price: "-5.00" }] }).request.items,
    ).toEqual(items);
  });

  it("reads an IP address that a gateway wrote with its port", () => {
    const { request, warnings } = read({ ipAddress: "20.43.1.9:54012" });

    expect(request.ipAddress).toBe("20.43.1.9");
    expect(warnings).toEqual([]);
  });

  it.each(["unknown", "fe80::1%eth0", "203.0.113.7, 10.0.0.1"])(
    "leaves out an IP address that it can't read, and warns about it: %s",
    (ipAddress) => {
      const { request, unsent, warnings } = read({ ipAddress });

      expect(unsent).toBeUndefined();
      expect(request).not.toHaveProperty("ipAddress");
      expect(warnings.map(({ code, path }) => [code, path])).toEqual([["UNREADABLE_IP", "ipAddress"]]);
    },
  );

  it.each(["10.0.0.7", "::ffff:172.16.0.1", "127.0.0.1", "::1"])(
    "leaves out the address of a proxy, and warns about it: %s",
    (ipAddress) => {
      const { request, warnings } = read({ ipAddress });

      expect(request).not.toHaveProperty("ipAddress");
      expect(warnings.map(({ code, path }) => [code, path])).toEqual([["PRIVATE_IP", "ipAddress"]]);
    },
  );

  it("cuts texts from a customer or catalog that are too long, between characters", () => {
    const { request } = read({
      customerName: "n".repeat(300),
      customerPhone: "1".repeat(60),
      userAgent: "u".repeat(2_000),
      shippingAddress: { ...address, street: "😀".repeat(251), postalCode: "7".repeat(30) },
      paymentInfo: { holderName: "h".repeat(300) },
      items: [{ name: "i".repeat(300), sku: "s".repeat(200), quantity: 1, price: 59.9 }],
    });

    expect(verificationRequestSchema.safeParse(request).success).toBe(true);
    expect([request.customerName?.length, request.userAgent?.length]).toEqual([255, 1_000]);
    expect(request.shippingAddress?.street).toBe("😀".repeat(250));
  });

  it("fills in what the service requires, and marks it as not known", () => {
    const shippingAddress = { ...address, state: null, postalCode: undefined, country: "GB" };
    const { request, standIns } = read({
      shippingAddress,
      billingAddress: null,
      isFirstTimeCustomer: undefined,
    });

    const filled = { ...address, state: "N/A", postalCode: "N/A", country: "GB" };
    expect(request).toMatchObject({
      shippingAddress: filled,
      billingAddress: filled,
      isFirstTimeCustomer: true,
    });
    expect(standIns).toEqual([
      "shippingAddress.state",
      "shippingAddress.postalCode",
      "billingAddress",
      "billingAddress.state",
      "billingAddress.postalCode",
      "isFirstTimeCustomer",
    ]);
  });

  it.each([
    [3, false],
    ["3", false],
    [0, true],
    [5n, false],
    [0n, true],
  ])("knows from %s earlier orders whether the customer is new", (totalOrders, isFirstTimeCustomer) => {
    const { request, standIns } = read({ totalOrders, isFirstTimeCustomer: undefined });

    expect(request).toMatchObject({ totalOrders: Number(totalOrders), isFirstTimeCustomer });
    expect(standIns).not.toContain("isFirstTimeCustomer");
  });

  it("doesn't conclude anything from a count that makes no sense", () => {
    const { request, standIns } = read({ totalOrders: -1, isFirstTimeCustomer: undefined });

    expect(request).toMatchObject({ isFirstTimeCustomer: true });
    expect(standIns).toContain("isFirstTimeCustomer");
  });

  const NOWHERE = { street: "N/A", city: "N/A", state: "N/A", postalCode: "N/A", country: "N/A" };

  it.each([
    ["no name", { customerName: null }, { customerName: "N/A" }, "customerName"],
    ["a blank name", { customerName: " " }, { customerName: "N/A" }, "customerName"],
    [
      "no address",
      { shippingAddress: null, billingAddress: {} },
      { shippingAddress: NOWHERE },
      "shippingAddress",
    ],
    ["no country", { shippingAddress: { ...address, country: "" } }, {}, "shippingAddress.country"],
    ["only a country", { shippingAddress: { country: "US" } }, {}, "shippingAddress.street"],
    [
      "a part that a mapping filled",
      { shippingAddress: { ...address, state: "N/A" } },
      {},
      "shippingAddress.state",
    ],
  ])(
    "completes an order with %s for the service, and marks it as not known",
    (_name, changes, filled, standIn) => {
      const { request, unsent, standIns } = read(changes);

      expect(unsent).toBeUndefined();
      expect(verificationRequestSchema.safeParse(request).success).toBe(true);
      expect(request).toMatchObject(filled);
      expect(standIns).toContain(standIn);
    },
  );

  it("doesn't send an order without an email address, since nothing can replace one", () => {
    for (const customerEmail of [undefined, null, " "]) {
      expect(read({ customerEmail })).toMatchObject({
        unsent: "NO_EMAIL",
        request: { customerName: anOrder().customerName },
      });
    }
  });

  it("refuses an endlessly nested field instead of overflowing the stack", () => {
    let nested: unknown = "Jane";
    for (let depth = 0; depth < 100_000; depth += 1) nested = { nested };

    for (const name of ["customerName", "currency", "items", "customerPhone"]) {
      expect(() => readOrder({ ...anOrder(), [name]: nested }), name).toThrow(
        expect.objectContaining({ code: "ORDER_INVALID" }),
      );
    }
  });

  it("doesn't send a free order, whatever else is missing", () => {
    expect(
      read({ orderAmount: "0.00", customerEmail: null, shippingAddress: {}, billingAddress: null }),
    ).toMatchObject({
      unsent: "ZERO_AMOUNT",
      request: { orderId: "1001", orderAmount: 0 },
    });
  });

  it.each([
    ["orderAmount", { orderAmount: -1 }],
    ["orderAmount", { orderAmount: "1,50" }],
    ["orderAmount", { orderAmount: undefined }],
    ["currency", { currency: "EURO" }],
    ["currency", { orderAmount: 0, currency: "EURO" }],
    ["customerName", { customerName: 7 }],
    ["customerName", { customerName: 7, customerEmail: null }],
    ["billingAddress.city", { billingAddress: { ...address, city: 7 } }],
    ["customerEmail", { customerEmail: "nobody" }],
    ["items[0].quantity", { items: [{ name: "Mug", quantity: 1.5, price: 1 }] }],
    ["shippingAddress", { shippingAddress: "1 Main Street" }],
    ["orderTimestamp", { orderTimestamp: new Date(Number.NaN) }],
  ])("refuses what it can't read: %s", (path, changes) => {
    let thrown: unknown;
    try {
      read(changes);
    } catch (error) {
      thrown = error;
    }
    expect(isHoldfastError(thrown, "ORDER_INVALID") && thrown.fields.map((field) => field.path)).toContain(
      path,
    );
  });

  it("explains in plain words what is wrong with a field", () => {
    const fault = (changes: object): readonly string[] => {
      try {
        read(changes);
      } catch (error) {
        if (isHoldfastError(error)) return error.fields.map(({ message }) => message);
      }
      return [];
    };

    // Without an email address, the order isn't at fault.
    expect(fault({ currency: undefined, customerEmail: null })).toEqual(["is missing"]);
    expect(fault({ orderId: 1001 })).toEqual(["expected text, such as String(id)"]);
    expect(fault({ orderTimestamp: new Date(NaN) })).toEqual(["expected an ISO 8601 date and time"]);
    expect(fault({ orderAmount: "1,299.00" })).toEqual(["expected a positive amount, such as 19.99"]);
    expect(fault({ orderAmount: "a lot" })).toEqual(["expected a positive amount, such as 19.99"]);
    expect(fault({ items: [7] })).toEqual(["expected an item"]);
    expect(fault({ isFirstTimeCustomer: "yes" })).toEqual(["expected true or false"]);
    expect(fault({ shippingAddress: "1 Main Street" })).toEqual(["expected an address"]);
  });

  it.each([
    ["TOTAL_FAR_FROM_LINES", { orderAmount: 5990 }],
    ["AMOUNT_TOO_PRECISE", { orderAmount: 49.98, currency: "JPY" }],
    ["UNKNOWN_CURRENCY", { currency: "XYZ" }],
    ["UNKNOWN_COUNTRY", { shippingAddress: { ...address, country: "Atlantis" } }],
    ["UNKNOWN_KEY", { orderAmout: 1 }],
    ["NO_BUYER", { customerName: null }],
    ["NO_BUYER", { customerEmail: null, customerName: null }],
    ["NO_BUYER", { shippingAddress: null, billingAddress: null }],
  ])("warns about %s", (code, changes) => {
    expect(read(changes).warnings.map((warning) => warning.code)).toEqual([code]);
    expect(read({}).warnings).toEqual([]);
  });

  it.each([
    ["shippingAddress.zip", { shippingAddress: { ...address, postalCode: undefined, zip: "78701" } }],
    ["billingAddress.line1", { billingAddress: { ...address, street: null, line1: "1 Main St" } }],
    ["paymentInfo.last4", { paymentInfo: { last4: "4242" } }],
  ])("names a field of an address or a card that has another name here: %s", (path, changes) => {
    expect(read(changes).warnings).toMatchObject([{ code: "UNKNOWN_KEY", path }]);
  });

  it("doesn't warn about more fields of a complete address or card", () => {
    const shippingAddress = { ...address, state: null, country: "GB", name: "Ada", id: 7 };

    expect(read({ shippingAddress, paymentInfo: { brand: "visa", funding: "credit" } }).warnings).toEqual([]);
  });

  it("doesn't warn about a total of 0, which a coupon or gift card can cause", () => {
    expect(read({ orderAmount: 0 }).warnings).toEqual([]);
  });

  it("doesn't warn about fillér, which ISO 4217 has although nobody uses them", () => {
    expect(read({ orderAmount: 49.98, currency: "HUF" }).warnings).toEqual([]);
  });
});

describe("a check", () => {
  it("logs each kind of warning once, and skips a free order", async () => {
    const logged: unknown[] = [];
    const quiet = () => undefined;
    const logger = {
      debug: quiet,
      info: quiet,
      error: quiet,
      warn: (fields: object) => void logged.push(fields),
    };
    const screener = createScreener({ service: "local", logger });
    const odd = { ...anOrder(), shippingAdress: address };

    const checks = [await screener.check(odd), await screener.check(odd)];
    expect(checks.map(({ warnings }) => warnings.length)).toEqual([1, 1]);
    expect(logged).toEqual([{ code: "UNKNOWN_KEY", path: "shippingAdress" }]);
    expect(await screener.check({ ...anOrder(), orderAmount: 0 })).toMatchObject({
      status: "skipped",
      action: "allow",
      reasons: ["skipped:ZERO_AMOUNT"],
    });
    await screener.close();
  });
});

describe("what plain JavaScript callers can get wrong", () => {
  it.each([
    [{ service: "locla" }, '"service": expected { url, apiKey } or "local"'],
    [{ service: "local", store: createMemoryStore() }, "store: await createSqliteStore"],
  ])("is refused with what to write instead: %o", (options, message) => {
    expect(() => createScreener(options as never)).toThrow(message);
  });

  it("is refused on a Node that would fail with the first order", () => {
    vi.stubGlobal("Promise", {});
    try {
      expect(() => createScreener({ service: "local" })).toThrow("Holdfast needs Node 22.19 or newer");
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("is refused if a data key is text", async () => {
    await expect(createMemoryStore({ dataKey: "c2VjcmV0" as never })).rejects.toThrow(
      'Buffer.from(text, "base64")',
    );
  });
});

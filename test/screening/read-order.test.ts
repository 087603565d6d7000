import { describe, expect, it, vi } from "vitest";
import { createSqliteStore } from "../../src/index.ts";
import { isHoldfastError } from "../../src/base/errors.ts";
import { verificationRequestSchema } from "../../src/order/request.ts";
import { createScreener } from "../../src/screening/screener.ts";
import { createOrderGuard } from "../../src/screening/order-guard.ts";
import { readOrder } from "../../src/screening/read-order.ts";
import { strictRequestSchema } from "../../src/sandbox/strict-request.ts";
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

  it.each([
    ["items", "items"],
    ["customerPhone", "customerPhone"],
    ["shippingAddress", "shippingAddress"],
    ["shippingAddress.street", "shippingAddress.street"],
    ["items.0.sku", "items[0].sku"],
  ])("reads an order whose getter %s throws, such as an ORM's, and warns about it", (at, path) => {
    const order = structuredClone({ ...anOrder(), customerPhone: "+12025550143" }) as object;
    const names = at.split(".");
    const last = names.pop() ?? "";
    const owner = names.reduce((value, name) => (value as Record<string, object>)[name] ?? {}, order);
    const fail = (): never => {
      throw new Error("jane@example.com isn't loaded");
    };
    Object.defineProperty(owner, last, { get: fail, enumerable: true });

    const { request, warnings } = readOrder(order);

    expect(request.orderAmount).toBe(anOrder().orderAmount);
    expect(warnings).toContainEqual(expect.objectContaining({ code: "UNUSABLE_FIELD", path }));
    expect(JSON.stringify(warnings)).not.toContain("jane");
  });

  it("names an amount whose getter throws", () => {
    const order = Object.defineProperty({ ...anOrder() }, "orderAmount", {
      get() {
        throw new Error("not loaded");
      },
    });

    expect(() => readOrder(order)).toThrow(
      expect.objectContaining({
        code: "ORDER_INVALID",
        fields: [expect.objectContaining({ path: "orderAmount" })],
      }),
    );
  });

  it("takes the text of an id that a database stores as an object, and no other object's", () => {
    class ObjectId {
      toString = () => "507f1f77bcf86cd799439011";
    }
    const { request, warnings } = read({ orderId: new ObjectId() });

    expect(request.orderId).toBe("507f1f77bcf86cd799439011");
    expect(warnings).toContainEqual(expect.objectContaining({ code: "CHANGED_FIELD", path: "orderId" }));
    for (const orderId of [{}, { toString: "x" }, [1]]) {
      expect(read({ orderId }).request.orderId).toBeUndefined();
    }
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

  it("reads a list of one IP address", () => {
    expect(read({ ipAddress: ["20.43.1.9"] })).toMatchObject({
      request: { ipAddress: "20.43.1.9" },
      warnings: [],
    });
  });

  it.each<unknown>([
    "unknown",
    "fe80::1%eth0",
    "203.0.113.7, 10.0.0.1",
    ["203.0.113.7", "10.0.0.1"],
    ["203.0.113.7", "198.51.100.4"],
    [],
    7,
    { address: "203.0.113.7" },
  ])("leaves out an IP address that it can't read, and warns about it: %j", (ipAddress) => {
    const { request, unsent, warnings } = read({ ipAddress });

    expect(unsent).toBeUndefined();
    expect(request).not.toHaveProperty("ipAddress");
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([["UNREADABLE_IP", "ipAddress"]]);
  });

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

  it("leaves out an endlessly nested field instead of overflowing the stack", () => {
    let nested: unknown = "Jane";
    for (let depth = 0; depth < 100_000; depth += 1) nested = { nested };

    for (const name of ["customerName", "items", "customerPhone"]) {
      expect(read({ [name]: nested }).warnings[0], name).toMatchObject({ code: "UNUSABLE_FIELD" });
    }
    expect(() => read({ currency: nested })).toThrow(expect.objectContaining({ code: "ORDER_INVALID" }));
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
    ["orderAmount", { orderAmount: true }],
    ["currency", { currency: "EURO" }],
    ["currency", { currency: 978 }],
    ["currency", { orderAmount: 0, currency: "EURO" }],
  ])("refuses an order only for its amount or its currency: %s", (path, changes) => {
    let thrown: unknown;
    try {
      read({ ...changes, customerName: 7, shippingAddress: 7, items: 7 });
    } catch (error) {
      thrown = error;
    }
    expect(isHoldfastError(thrown, "ORDER_INVALID") && thrown.fields.map((field) => field.path)).toEqual([
      path,
    ]);
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
    expect(fault({ orderAmount: "1,299.00" })).toEqual(["expected a positive amount, such as 19.99"]);
    expect(fault({ orderAmount: "a lot" })).toEqual(["expected a positive amount, such as 19.99"]);
    expect(read({ items: [7] }).warnings).toMatchObject([
      { message: "This can't be used, so the order is checked without it: expected an item." },
    ]);
  });

  const line = (changes: object) => ({ items: [{ name: "Mug", quantity: 1, price: 20, ...changes }] });
  const mug = (changes: object = {}) => [{ name: "Mug", quantity: 1, price: 20, ...changes }];

  it.each<[string, object, string, unknown]>([
    ["1.5 pieces as one at the line's price", line({ quantity: 1.5 }), "quantity", mug({ price: 30 })],
    ["0.400 pieces as one", line({ quantity: "0.400" }), "quantity", mug({ price: 8 })],
    ["no quantity as one piece", line({ quantity: null }), "quantity", mug()],
    ["an unreadable quantity as one piece", line({ quantity: "a few" }), "quantity", mug()],
    ["a quantity that isn't a number as one piece", line({ quantity: NaN }), "quantity", mug()],
    ["an endless quantity as one piece", line({ quantity: Infinity }), "quantity", mug()],
    ["a quantity that isn't exact as one", line({ quantity: 1e300, price: 2e-299 }), "quantity", mug()],
    ["no name as the SKU", line({ name: "", sku: "M-1" }), "name", mug({ name: "M-1", sku: "M-1" })],
    ["no name and no SKU as N/A", line({ name: null }), "name", mug({ name: "N/A" })],
  ])("reads a line with %s, and warns about it", (_name, changes, part, items) => {
    const { request, warnings } = read({ ...changes, orderAmount: 20 });

    expect(request.items).toEqual(items);
    expect(warnings).toMatchObject([{ code: "CHANGED_FIELD", path: `items[0].${part}` }]);
  });

  it.each<[string, object, string]>([
    ["quantity 0", line({ quantity: 0 }), "items[0].quantity"],
    ["a negative quantity", line({ quantity: -1 }), "items[0].quantity"],
    ["no price", line({ price: null }), "items[0].price"],
    ["no fields", { items: [null] }, "items[0]"],
  ])("leaves out a line with %s, and warns about it", (_name, changes, path) => {
    const { request, warnings } = read(changes);

    expect(request.items).toEqual([]);
    expect(warnings).toMatchObject([{ code: "UNUSABLE_FIELD", path }]);
  });

  it.each([NaN, Infinity, -Infinity])("leaves out only the line whose price is %d", (price) => {
    const { request, warnings } = read({ items: [...mug(), ...mug({ price })], orderAmount: 20 });

    expect(request.items).toEqual(mug());
    expect(warnings).toMatchObject([{ code: "UNUSABLE_FIELD", path: "items[1].price" }]);
  });

  it("reads ten thousand lines of a million, and lists few of their problems", () => {
    const lines = (count: number, changes: object) => ({
      items: Array.from({ length: count }, () => ({ name: "Mug", quantity: 1, price: 0.006, ...changes })),
    });

    expect(read(lines(1_000_000, {})).request.items).toHaveLength(10_000);
    expect(read(lines(1_000_000, {})).warnings).toMatchObject([{ path: "items[10000]" }]);
    expect(read(lines(100, { price: [] })).warnings).toHaveLength(5);
  });

  it.each<[string, object, object]>([
    ["1 for a new customer", { isFirstTimeCustomer: 1 }, { isFirstTimeCustomer: true }],
    ["a text for a known customer", { isFirstTimeCustomer: "false" }, { isFirstTimeCustomer: false }],
    ["a number as an id", { orderId: 1001 }, { orderId: "1001" }],
    ["a bigint as an id", { orderId: 2n ** 60n }, { orderId: "1152921504606846976" }],
    [
      "a time in milliseconds",
      { orderTimestamp: 1_795_125_600_000 },
      { orderTimestamp: "2026-11-19T22:00:00Z" },
    ],
    ["a time in seconds", { orderTimestamp: 1_795_125_600 }, { orderTimestamp: "2026-11-19T22:00:00Z" }],
    ["a number as a name", { customerName: 7 }, { customerName: "7" }],
    ["a number as a phone", { customerPhone: 447400123456 }, { customerPhone: "447400123456" }],
    [
      "card digits as a number",
      { paymentInfo: { lastFourDigits: 42 } },
      { paymentInfo: { lastFourDigits: "0042" } },
    ],
    [
      "a number as a postal code",
      { billingAddress: { ...address, postalCode: 78701 } },
      { billingAddress: { ...address, postalCode: "78701" } },
    ],
    [
      "a text as an address",
      { shippingAddress: "1 Main Street, Springfield" },
      { shippingAddress: { street: "1 Main Street, Springfield", country: "N/A" } },
    ],
  ])("reads %s, and warns about it", (_name, changes, expected) => {
    const { request, warnings } = read(changes);

    expect(request).toMatchObject(expected);
    expect(warnings.map(({ code }) => code)).toEqual(["CHANGED_FIELD"]);
  });

  it("keeps an id that is too large for a number, and warns that it may be wrong", () => {
    const { request, warnings } = read({ orderId: 2 ** 53 });

    expect(request.orderId).toBe("9007199254740992");
    expect(warnings).toMatchObject([{ code: "DAMAGED_ID", path: "orderId" }]);
  });

  it.each<[path: string, changes: object]>([
    ["orderId", { orderId: {} }],
    ["orderTimestamp", { orderTimestamp: new Date(Number.NaN) }],
    ["orderTimestamp", { orderTimestamp: "yesterday" }],
    ["orderTimestamp", { orderTimestamp: 1e300 }],
    ["items", { items: { name: "Mug" } }],
    ["customerPhone", { customerPhone: true }],
    ["isFirstTimeCustomer", { isFirstTimeCustomer: "perhaps" }],
    ["totalOrders", { totalOrders: -1 }],
    ["cancelledOrders", { cancelledOrders: "some" }],
    ["accountAgeInDays", { accountAgeInDays: [] }],
    ["companyName", { companyName: ["Example"] }],
    ["shippingAddress", { shippingAddress: 7 }],
    ["billingAddress.city", { billingAddress: { ...address, city: ["Springfield"] } }],
    ["paymentInfo", { paymentInfo: "visa" }],
    ["paymentInfo.lastFourDigits", { paymentInfo: { lastFourDigits: "42" } }],
    ["userAgent", { userAgent: { browser: "Example" } }],
  ])("leaves out what it can't read, and warns about it: %s", (path, changes) => {
    const { request, unsent, warnings } = read(changes);
    const [name = "", part] = path.split(".");
    const sent = (request as Record<string, unknown>)[name] as Record<string, unknown> | undefined;

    expect(unsent).toBeUndefined();
    expect(strictRequestSchema.safeParse(request).error).toBeUndefined();
    expect(warnings).toMatchObject([{ code: "UNUSABLE_FIELD", path }]);
    if (name.endsWith("Address"))
      expect(part === undefined ? sent : sent?.[part]).toEqual(part === undefined ? address : "N/A");
    else if (name === "isFirstTimeCustomer") expect(sent).toBe(true);
    else expect(part === undefined ? sent : sent?.[part]).toBeUndefined();
  });

  it.each(["nobody", 7, ["jane@example.com"], "jane@home"])(
    "doesn't send an order with the email address %j, and judges it without one",
    (customerEmail) => {
      const { unsent, warnings } = read({ customerEmail });

      expect(unsent).toBe("NO_EMAIL");
      expect(warnings.map(({ code, path }) => [code, path])).toEqual([
        ["UNUSABLE_FIELD", "customerEmail"],
        ["NO_BUYER", "customerEmail"],
      ]);
    },
  );

  it("sends a history that contradicts itself as it is", () => {
    const history = { isFirstTimeCustomer: true, totalOrders: 2, cancelledOrders: 9 };

    expect(read(history)).toMatchObject({ request: history, warnings: [] });
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
    [
      { service: "local", store: createSqliteStore({ path: ":memory:", dataKey: Buffer.alloc(32) }) },
      "store: await createSqliteStore",
    ],
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
    await expect(createSqliteStore({ path: ":memory:", dataKey: "c2VjcmV0" as never })).rejects.toThrow(
      'Buffer.from(text, "base64")',
    );
  });
});

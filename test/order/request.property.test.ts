import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isHoldfastError } from "../../src/base/errors.ts";
import { findForcedOutcome } from "../../src/sandbox/sandbox-scenarios.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { fingerprintOrder } from "../../src/order/fingerprint.ts";
import { toMailbox } from "../../src/order/email-address.ts";
import { parseVerificationRequest, type VerificationRequest } from "../../src/order/request.ts";
import { createVerificationClient, type VerificationClient } from "../../src/service/client.ts";
import { RESULT } from "../service/samples.ts";
import { anOrder } from "../support/orders.ts";
import { documentedRequest, isStrictlyDocumented, OPTIONAL_FIELDS } from "./documented-request.ts";
import { anyText } from "../support/any-text.ts";

/** The body of a request. */
const toBody = (request: VerificationRequest): unknown => JSON.parse(JSON.stringify(request)) as unknown;

function parseOrUndefined(order: unknown): VerificationRequest | undefined {
  try {
    return parseVerificationRequest(order);
  } catch (error) {
    if (isHoldfastError(error, "ORDER_INVALID")) return undefined;
    throw error;
  }
}

/** A documented request without some optional fields, in one of the ways that hosts leave them out. */
const looselyWritten = fc
  .tuple(documentedRequest, fc.subarray(OPTIONAL_FIELDS), fc.constantFrom(undefined, null, ""))
  .map(([order, fields, nothing]) => ({
    ...order,
    ...Object.fromEntries(fields.map((name) => [name, nothing])),
  }));

const PATHS = [
  ...OPTIONAL_FIELDS,
  "orderAmount",
  "currency",
  "customerName",
  "customerEmail",
  "isFirstTimeCustomer",
  "shippingAddress",
  "billingAddress.state",
  "shippingAddress.street",
  "items.0",
  "items.0.sku",
  "items.0.quantity",
  "items.0.price",
  "paymentInfo.brand",
  "paymentInfo.lastFourDigits",
  "unknown",
];
const ODD: readonly unknown[] = [
  undefined,
  null,
  "",
  " ",
  0,
  -1,
  0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  {},
  [],
  [null],
  "jane@home",
  "jane@müller.de/x",
  "a@b@c.de",
  "jane@ü..de",
  "j\u0000@example.com",
  "a@b.c\u0000",
  "ü@ü.ü",
  "\ud83d".repeat(30),
  "😀".repeat(600),
  "x".repeat(100_000),
  "2026-02-30T00:00:00Z",
  "2026-01-01",
  "::1%lo",
  "192.0.2.1:80",
  "::ffff:192.0.2.1",
  "EURO",
  "ẞßü",
  "12345678901234567890",
  "４２４２",
];
const odd = fc.oneof(fc.constantFrom(...ODD), anyText({ maxLength: 300 }), fc.jsonValue({ maxDepth: 2 }));
const mutation = fc.record({ path: fc.constantFrom(...PATHS), value: odd });
const mutated = fc
  .tuple(documentedRequest, fc.array(mutation, { minLength: 1, maxLength: 3 }))
  .map(([order, mutations]) => {
    const copy = structuredClone(order);
    for (const { path, value } of mutations) setPath(copy, path.split("."), value);
    return copy;
  });

function setPath(
  place: Record<string, unknown>,
  [key = "", ...rest]: readonly string[],
  value: unknown,
): void {
  const inner = place[key];
  if (rest.length === 0) place[key] = value;
  else if (typeof inner === "object" && inner !== null)
    setPath(inner as Record<string, unknown>, rest, value);
}

describe("parseVerificationRequest, against the interface document", () => {
  it("refuses nothing that the document allows, and returns only what follows every rule", () => {
    fc.assert(
      fc.property(looselyWritten, (order) => {
        expect(isStrictlyDocumented(toBody(parseVerificationRequest(order)))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("keeps everything that the document limits, and returns the same for its own result", () => {
    fc.assert(
      fc.property(documentedRequest, (order) => {
        const request = parseVerificationRequest(order);
        const { customerName, shippingAddress, orderAmount, isFirstTimeCustomer, items = [] } = order;

        expect(request).toMatchObject({ customerName, shippingAddress, orderAmount, isFirstTimeCustomer });
        expect(request.items ?? []).toHaveLength((items as readonly unknown[]).length);
        expect(parseVerificationRequest(request)).toStrictEqual(request);
        expect(toMailbox(request.customerEmail)).toBe(toMailbox(String(order["customerEmail"])));
      }),
      { numRuns: 200 },
    );
  });

  it("treats every way to leave a field out as the same state of an order", () => {
    fc.assert(
      fc.property(documentedRequest, fc.constantFrom(...OPTIONAL_FIELDS), (order, field) => {
        const { [field]: _given, ...without } = order;
        const [absent, ...others] = [
          without,
          ...[undefined, null, "", " "].map((nothing) => ({ ...order, [field]: nothing })),
        ].map((one) => fingerprintOrder(parseVerificationRequest(one), (text) => text));

        expect(new Set(others)).toEqual(new Set([absent]));
      }),
      { numRuns: 100 },
    );
  });

  it("returns nothing that a strict service refuses, whatever an order contains", () => {
    let refused = 0;
    fc.assert(
      fc.property(mutated, (order) => {
        const request = parseOrUndefined(order);
        if (request === undefined) refused += 1;
        else expect(isStrictlyDocumented(toBody(request)), JSON.stringify(request)).toBe(true);
      }),
      { numRuns: 600 },
    );
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(600);
  });
});

/** One card in 5,000 has digits that make the sandbox fail or force a decision. */
const asksNothing = (order: unknown): boolean => findForcedOutcome(order) === undefined;

describe("the client and the sandbox, over HTTP", () => {
  const service = createSandboxService({ engine: { assess: () => RESULT }, keepCalls: 1 });
  let client: VerificationClient;
  let url: URL;

  beforeAll(async () => {
    url = await service.listen();
    client = createVerificationClient({
      url,
      apiKey: SANDBOX_API_KEY,
      organization: "sandbox",
      timeoutMs: 30_000,
    });
  });
  afterAll(async () => {
    await client.close();
    await service.close();
  });

  it("agree on every request that the document allows, and on every other one that is sent", async () => {
    const order = fc.oneof(looselyWritten, mutated);
    await fc.assert(
      fc.asyncProperty(order, async (one) => {
        const request = parseOrUndefined(one);
        if (request === undefined || !asksNothing(request)) return;
        await expect(client.verify(request)).resolves.toMatchObject({ result: RESULT });
        expect(isStrictlyDocumented(service.calls.at(-1)?.body)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ["a private character", "ada\ue000@example.com"],
    ["one that Unicode doesn't have yet", "ada\u0378@example.com"],
    ["a joiner, which is left out", "a\u200dda@example.com"],
  ])("agree on an email address with %s", async (_, customerEmail) => {
    await expect(client.verify({ ...anOrder(), customerEmail })).resolves.toMatchObject({ result: RESULT });
  });

  it("accept what the document allows even if another client sends it", async () => {
    await fc.assert(
      fc.asyncProperty(documentedRequest.filter(asksNothing), async (order) => {
        const response = await fetch(new URL("/api/sandbox/order-verification", url), {
          method: "POST",
          headers: { "x-api-key": SANDBOX_API_KEY, "content-type": "application/json" },
          body: JSON.stringify(order),
        });

        expect(await response.json()).toMatchObject({ success: true });
      }),
      { numRuns: 150 },
    );
  });
});

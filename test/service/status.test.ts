import { describe, expect, it } from "vitest";
import type { ErrorCode, Metered } from "../../src/base/errors.ts";
import { clientOf, sendJson, startServer } from "./loopback.ts";
import { CANARY_EMAIL, failureOf, REQUEST } from "./samples.ts";
import * as fc from "fast-check";
import { verificationRequestSchema } from "../../src/order/request.ts";
import { findRefusedFields } from "../../src/service/status.ts";

const NOW_MS = 1_800_000_000_000;
const now = () => NOW_MS;

const STATUSES: [status: number, code: ErrorCode, retryable: boolean, metered: Metered][] = [
  ...[300, 302, 304, 308].map(
    (status) =>
      [status, "VERIFICATION_MALFORMED", true, "unknown"] satisfies [number, ErrorCode, boolean, Metered],
  ),
  [400, "VERIFICATION_REFUSED", false, "yes"],
  [401, "VERIFICATION_UNAUTHORIZED", false, "no"],
  [402, "VERIFICATION_NO_CREDITS", true, "no"],
  [403, "VERIFICATION_FORBIDDEN", false, "no"],
  [404, "CONFIG_INVALID", false, "yes"],
  [413, "VERIFICATION_REFUSED", false, "yes"],
  [422, "VERIFICATION_REFUSED", false, "yes"],
  ...[405, 407, 409, 425, 451, 499].map(
    (status) => [status, "VERIFICATION_FAILED", true, "yes"] satisfies [number, ErrorCode, boolean, Metered],
  ),
  [408, "VERIFICATION_FAILED", true, "yes"],
  [429, "VERIFICATION_RATE_LIMITED", true, "no"],
  ...[500, 502, 503, 504, 599].map(
    (status) => [status, "VERIFICATION_FAILED", true, "yes"] satisfies [number, ErrorCode, boolean, Metered],
  ),
  [600, "VERIFICATION_MALFORMED", true, "unknown"],
  [999, "VERIFICATION_MALFORMED", true, "unknown"],
];

describe("toStatusError", () => {
  it.each(STATUSES)(
    "maps status %i to %s, with the service's answer and with a proxy's page",
    async (status, code, retryable, metered) => {
      const server = await startServer((response, _seen, count) => {
        const message = `Something about ${CANARY_EMAIL}`;
        if (count === 1) return sendJson(response, status, { success: false, message });
        return response.writeHead(status, { "content-type": "text/html" }).end(`<h1>${message}</h1>`);
      });

      const error = await failureOf(clientOf(server.url).verify(REQUEST));
      const ofPage = await failureOf(clientOf(server.url).verify(REQUEST));

      expect(error).toMatchObject({ code, retryable, metered });
      expect(error.message).toContain(String(status));
      expect(error.message).not.toContain("Something");
      // Both the paid and the free call got a page, so another server answers.
      const isElsewhere = (status < 400 && status !== 304) || status === 405;
      expect(ofPage).toMatchObject({ code: isElsewhere ? "CONFIG_INVALID" : code });
      expect(server.seen).toHaveLength(isElsewhere ? 3 : 2);
    },
  );

  it("doesn't follow a redirect, not even to the same server", async () => {
    const server = await startServer((response) => {
      response.writeHead(307, { location: "/elsewhere" });
      response.end();
    });

    await failureOf(clientOf(server.url).verify(REQUEST));

    // The free call shows whether another server answers.
    expect(server.seen.map(({ url }) => url)).toEqual([
      "/api/acme/order-verification",
      "/api/organizations/get",
    ]);
  });

  it.each([
    [401, "Missing API Key"],
    [403, "Invalid API Key"],
    [429, "Rate limit exceeded"],
    [500, "Internal Server Error"],
  ])("repeats the service's constant message of status %i", async (status, message) => {
    const server = await startServer((response) => sendJson(response, status, { success: false, message }));

    expect((await failureOf(clientOf(server.url).verify(REQUEST))).message).toContain(message);
  });

  it("includes the request fields that a refusal names, and nothing else of it", async () => {
    const message = `Invalid request body: shippingAddress.postalCode must not be "${CANARY_EMAIL}"; customerPhone too long`;
    const server = await startServer((response) => sendJson(response, 400, { success: false, message }));

    const error = await failureOf(clientOf(server.url).verify(REQUEST));

    expect(error.fields.map((field) => field.path)).toEqual(["shippingAddress.postalCode", "customerPhone"]);
  });

  it("reads no fields from the message of another status", async () => {
    const server = await startServer((response) =>
      sendJson(response, 500, { success: false, message: "currency" }),
    );

    expect((await failureOf(clientOf(server.url).verify(REQUEST))).fields).toEqual([]);
  });

  it.each(["null", "[]", '"text"', '{"message":5}', "{}", "{"])(
    "reads no fields from the body %s",
    async (body) => {
      const server = await startServer((response) => {
        response.writeHead(400);
        response.end(body);
      });

      expect((await failureOf(clientOf(server.url).verify(REQUEST))).fields).toEqual([]);
    },
  );

  it.each<[title: string, status: number, headers: Record<string, string>, retryAtMs: number | undefined]>([
    ["the reset in seconds", 429, { "x-ratelimit-reset": "1800000030" }, NOW_MS + 30_000],
    ["the reset in milliseconds", 429, { "x-ratelimit-reset": "1800000030500" }, NOW_MS + 30_500],
    [
      "the reset before Retry-After",
      429,
      { "x-ratelimit-reset": "1800000030", "retry-after": "5" },
      NOW_MS + 30_000,
    ],
    [
      "Retry-After when the reset has passed",
      429,
      { "x-ratelimit-reset": "1799999990", "retry-after": "5" },
      NOW_MS + 5_000,
    ],
    ["Retry-After in seconds", 429, { "retry-after": "7" }, NOW_MS + 7_000],
    ["Retry-After as a date", 429, { "retry-after": new Date(NOW_MS + 9_000).toUTCString() }, NOW_MS + 9_000],
    ["a second when nothing is said", 429, {}, NOW_MS + 1_000],
    [
      "a second when only nonsense is said",
      429,
      { "x-ratelimit-reset": "soon", "retry-after": "-1" },
      NOW_MS + 1_000,
    ],
    [
      "a second when Retry-After is another kind of date",
      429,
      { "retry-after": "2099-01-01" },
      NOW_MS + 1_000,
    ],
    ["a second when the reset has passed", 429, { "x-ratelimit-reset": "1799999990" }, NOW_MS + 1_000],
    [
      "an hour when the reset is further away",
      429,
      { "x-ratelimit-reset": "1900000000" },
      NOW_MS + 3_600_000,
    ],
    ["an hour when Retry-After is longer", 429, { "retry-after": "999999" }, NOW_MS + 3_600_000],
    ["a server error's Retry-After", 503, { "retry-after": "20" }, NOW_MS + 20_000],
    ["nothing for a server error without one", 503, {}, undefined],
    ["nothing for other statuses", 402, { "retry-after": "20" }, undefined],
  ])("says when to try again: %s", async (_title, status, headers, retryAtMs) => {
    const server = await startServer((response) => sendJson(response, status, {}, headers));

    expect((await failureOf(clientOf(server.url, { now }).verify(REQUEST))).retryAtMs).toBe(retryAtMs);
  });

  it("keeps the status if its body is cut off or too long", async () => {
    const server = await startServer((response, _seen, count) => {
      if (count === 1) {
        response.writeHead(401, { "content-length": "500" });
        response.write("{", () => response.destroy());
      } else {
        response.writeHead(502);
        response.end("x".repeat(1_100_000));
      }
    });
    const client = clientOf(server.url);

    expect(await failureOf(client.verify(REQUEST))).toMatchObject({
      code: "VERIFICATION_UNAUTHORIZED",
      metered: "no",
    });
    expect(await failureOf(client.verify(REQUEST))).toMatchObject({
      code: "VERIFICATION_FAILED",
      metered: "yes",
    });
  });
});

const paths = (message: string) => findRefusedFields(message).map((field) => field.path);

describe("findRefusedFields", () => {
  it.each<[message: string, found: string[]]>([
    ["Invalid request body: customerEmail is not an email address", ["customerEmail"]],
    ["Invalid request body: orderAmount, currency, orderAmount", ["orderAmount", "currency"]],
    ["shippingAddress.postalCode is too long", ["shippingAddress.postalCode"]],
    ["billingAddress/city and paymentInfo['holderName']", ["billingAddress.city", "paymentInfo.holderName"]],
    ["items[3].price must be positive", ["items[3].price"]],
    ["items.12.sku", ["items[12].sku"]],
    [JSON.stringify([{ path: ["items", 0, "quantity"] }]), ["items[0].quantity"]],
    [JSON.stringify([{ path: ["shippingAddress", "state"] }], null, 2), ["shippingAddress.state"]],
    ["shippingAddress, state and city are wrong", ["shippingAddress"]],
    ["shippingAddress.price", ["shippingAddress"]],
    ["billingAddress.7.city", ["billingAddress.city"]],
    ["items.1234.sku", ["items"]],
    ["the name, the city and the state", []],
    ["mycustomerEmail customerEmails", []],
    ["", []],
  ])("finds in %j the fields %j", (message, found) => {
    expect(paths(message)).toEqual(found);
  });

  it("returns only names of the request's own fields", () => {
    const names = Object.keys(verificationRequestSchema.shape);
    const words = fc.array(
      fc.oneof(fc.constantFrom(...names, ".", "[", "]", '"', "0", "city", "sku"), fc.string()),
    );
    const known = /^[A-Za-z]+(\[\d{1,3}\])?(\.[A-Za-z]+)?$/;
    fc.assert(
      fc.property(words, (parts) => {
        for (const path of paths(parts.join(""))) {
          expect(path).toMatch(known);
          expect(names).toContain(path.split(/[.[]/)[0]);
        }
      }),
    );
  });

  it("stays fast on a megabyte made to slow it down", () => {
    const startedAtMs = performance.now();

    paths(`items${" ".repeat(30)}`.repeat(30_000));
    paths(`items${"[".repeat(1_000_000)}`);

    // A backtracking expression would take minutes.
    expect(performance.now() - startedAtMs).toBeLessThan(30_000);
  });
});

import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { orderWith, PLAIN_ORDER } from "../engine/sample-order.ts";
import { KEY, start, verify } from "./service-stage.ts";

/** Sends bytes unchanged and reads the whole response. */
async function sendRaw(base: URL, bytes: string): Promise<string> {
  const socket = connect(Number(base.port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(bytes);
  return text(socket);
}

/** The status code and body of a raw response. */
function parseRaw(raw: string): { readonly status: number; readonly head: string; readonly body: unknown } {
  const [head = "", body = ""] = raw.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body: body === "" ? "" : JSON.parse(body) };
}

const OWN_KEY = `x-api-key: ${KEY["x-api-key"]}`;

describe("paths and methods", () => {
  it.each([
    ["GET", "/", 404],
    ["GET", "/api", 404],
    ["POST", "/api/order-verification", 404],
    ["POST", "/api/sandbox/order-verification/", 404],
    ["POST", "/api/sandbox//order-verification", 404],
    ["POST", "/api//order-verification", 404],
    ["POST", "/api/a/b/order-verification", 404],
    ["POST", "/api/sandbox/Order-Verification", 404],
    ["GET", "/api/organizations/get/", 404],
    ["POST", "/api/sandbox/products/steal", 404],
    ["GET", "/api/sandbox/products/get", 405],
    ["GET", "/sandbox", 404],
    ["GET", "/sandbox/nothing", 404],
    ["GET", "/api/sandbox/order-verification", 405],
    ["PUT", "/api/sandbox/order-verification", 405],
    ["DELETE", "/api/organizations/get", 405],
    ["POST", "/api/organizations/get", 405],
    ["HEAD", "/api/organizations/get", 405],
    ["OPTIONS", "/api/sandbox/order-verification", 405],
    ["DELETE", "/sandbox/credits", 405],
  ])("%s %s get %d", async (method, path, status) => {
    const { base, service } = await start();

    const response = await fetch(new URL(path, base), { method, headers: KEY });
    const body = await response.text();

    expect(response.status).toBe(status);
    if (method === "HEAD") expect(body).toBe("");
    else {
      const message = status === 404 ? "Not Found" : "Method Not Allowed";
      expect(JSON.parse(body)).toEqual({ success: false, message });
    }
    expect(response.headers.has("allow")).toBe(status === 405);
    expect(service.calls).toEqual([]);
  });

  it("don't allow browsers: a key doesn't belong there", async () => {
    const { base } = await start();
    const headers = {
      origin: "https://shop.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-api-key",
    };

    const preflight = await fetch(new URL("/api/sandbox/order-verification", base), {
      method: "OPTIONS",
      headers,
    });
    const call = await verify(base, { headers: { ...KEY, ...headers } });

    expect([preflight.status, call.status]).toEqual([405, 200]);
    expect(preflight.headers.get("allow")).toBe("POST");
    for (const response of [preflight, call]) {
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it.each([
    ["a query", "/api/sandbox/order-verification?trace=1"],
    ["an escaped letter of the organization", "/api/s%61ndbox/order-verification"],
    ["an escape of the path itself", "/api/sandbox/order%2Dverification"],
  ])("accept a path with %s", async (_what, path) => {
    const { base } = await start();
    const request = { method: "POST", headers: { ...KEY, "content-type": "application/json" } };

    const response = await fetch(new URL(path, base), { ...request, body: JSON.stringify(PLAIN_ORDER) });

    expect(response.status).toBe(200);
  });

  it("accept an escaped slash as part of the organization's name", async () => {
    const { base } = await start();

    expect((await verify(base, { organization: "sandbox%2Fother" })).status).toBe(403);
  });

  it("accept a target with scheme and host, as through a proxy", async () => {
    const { base } = await start();
    const head = `GET http://verify.example/api/organizations/get HTTP/1.1\r\nHost: a\r\n${OWN_KEY}\r\nConnection: close\r\n\r\n`;

    expect(parseRaw(await sendRaw(base, head)).status).toBe(200);
  });

  it("accept header names in any case", async () => {
    const { base } = await start();
    const key = "X-API-KEY: sandbox-key";
    const head = `GET /api/organizations/get HTTP/1.1\r\nHOST: a\r\n${key}\r\nCONNECTION: close\r\n\r\n`;

    expect(parseRaw(await sendRaw(base, head)).status).toBe(200);
  });

  it("refuse a key that is sent twice", async () => {
    const { base } = await start();
    const head = `GET /api/organizations/get HTTP/1.1\r\nHost: a\r\n${OWN_KEY}\r\n${OWN_KEY}\r\nConnection: close\r\n\r\n`;

    expect(parseRaw(await sendRaw(base, head)).status).toBe(403);
  });

  it.each([
    ["no HTTP", "HELLO\r\n\r\n", 400],
    ["headers without an end to them", `GET / HTTP/1.1\r\nX: ${"x".repeat(40_000)}\r\n\r\n`, 431],
  ])("answer %s in the failure envelope, with the rate limit", async (_what, bytes, status) => {
    const { base, service } = await start();

    const answer = parseRaw(await sendRaw(base, bytes));

    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ success: false, message: expect.any(String) });
    expect(answer.head).toMatch(/X-RateLimit-Reset: \d{10}/);
    expect(service.calls).toEqual([]);
  });
});

describe("bodies", () => {
  it.each<[string, object]>([
    ["texts that only Holdfast limits", { companyName: "x".repeat(300), orderId: "x".repeat(300) }],
    ["an empty optional text", { companyName: "", customerPhone: "" }],
    ["a count below zero, which the interface does not rule out", { accountAgeInDays: -1 }],
    ["an order time without an offset", { orderTimestamp: "2026-11-18T15:20:00" }],
    ["a currency in lower case", { currency: "usd" }],
    ["a card's expiry in words", { paymentInfo: { expiry: "end of August twenty twenty-eight" } }],
  ])("may have %s", async (_what, fields) => {
    const { base } = await start();

    expect((await verify(base, { body: orderWith(fields) })).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ["null in place of nothing", { customerPhone: null }, "customerPhone: "],
    ["a required text of blanks", { customerName: "  " }, "customerName: expected text that is not blank"],
    [
      "three of the last four digits",
      { paymentInfo: { lastFourDigits: "424" } },
      "paymentInfo.lastFourDigits: ",
    ],
    ["a date without its time", { orderTimestamp: "2026-11-18" }, "orderTimestamp: "],
  ])("are refused with %s", async (_what, fields, detail) => {
    const { base } = await start();

    const response = await verify(base, { body: { ...PLAIN_ORDER, ...fields } });

    expect(response.status).toBe(400);
    const { message } = (await response.json()) as { message: string };
    expect(message).toContain(`Invalid request body: ${detail}`);
  });

  it("have twenty problems listed and the rest counted", async () => {
    const { base } = await start();
    const items = Array.from({ length: 30 }, () => ({ name: "Mug", quantity: 0, price: 3 }));

    const response = await verify(base, { body: orderWith({ items }) });

    const { message } = (await response.json()) as { message: string };
    expect(message).toContain("items[19].quantity: ");
    expect(message).not.toContain("items[20].quantity: ");
    expect(message).toMatch(/; and 10 more$/);
  });

  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])(
    "are accepted as %s",
    async (type) => {
      const { base } = await start();

      expect((await verify(base, { headers: { ...KEY, "content-type": type } })).status).toBe(200);
    },
  );

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])(
    "are refused as %s",
    async (type) => {
      const { base } = await start();

      expect((await verify(base, { headers: { ...KEY, "content-type": type } })).status).toBe(400);
    },
  );

  it("end the connection if they never end", async () => {
    const { base } = await start();
    const body = "x".repeat(80 * 1024 * 1024);

    await expect(verify(base, { body })).rejects.toThrow("fetch failed");
  });
});

describe("the sandbox's own route", () => {
  const add = (base: URL, body: unknown, headers: Readonly<Record<string, string>> = KEY) =>
    fetch(new URL("/sandbox/credits", base), { headers, method: "POST", body: JSON.stringify(body) });

  it("adds credits", async () => {
    const { base, service } = await start({ credits: 0 });

    const answer = await add(base, { add: 5 });

    expect(await answer.json()).toEqual({ success: true, data: { credits: 5 } });
    expect((await verify(base)).status).toBe(200);
    expect(service.credits).toBe(4);
  });

  it("returns null if credits are unlimited", async () => {
    const { base } = await start();

    await expect((await add(base, { add: 1 })).json()).resolves.toMatchObject({ data: { credits: null } });
  });

  it.each([{}, { add: -1 }, { add: "5" }, { set: 1, add: 1 }, null, []])("refuses %j", async (body) => {
    const { base, service } = await start({ credits: 1 });

    const response = await add(base, body);

    expect(response.status).toBe(400);
    expect(service.credits).toBe(1);
  });

  it.each([
    [401, {}],
    [403, { "x-api-key": "nope" }],
  ])("answers %d without the key", async (status, headers) => {
    const { base, service } = await start({ credits: 1 });

    expect((await add(base, { add: 5 }, headers)).status).toBe(status);
    expect(service.credits).toBe(1);
  });
});

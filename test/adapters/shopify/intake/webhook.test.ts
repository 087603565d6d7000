import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createWebhookAuthenticator } from "../../../../adapters/shopify/intake/webhook.ts";
import type { RawDelivery } from "../../../../src/adapter-kit.ts";
import { HoldfastError } from "../../../../src/index.ts";

// Computed with `openssl dgst -sha256 -hmac SECRET -binary | base64` over the UTF-8 bytes of BODY.
const BODY = '{"id":820982911946154508,"name":"#1001","note":"Zażółć gęślą jaźń 測試 🛒"}';
const SIGNED_BY_HUSH = "eSnAgpOAXsp7fpKEZKSot8LxjHPiLi8v/aYLbbOZHyU=";
const SIGNED_BY_HUSH_BEFORE = "q3ercLfS55MyNZ8BMvt+T0HYsbrc4HcGdGSAuZin4Ng=";

const HEADERS = {
  "x-shopify-topic": "orders/create",
  "x-shopify-shop-domain": "demo.myshopify.com",
  "x-shopify-webhook-id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
  "x-shopify-triggered-at": "2026-10-01T16:00:00.123456789Z",
};

const authenticate = createWebhookAuthenticator({ secrets: ["hush"] });

function signedBy(secret: string, body: Buffer): string {
  return createHmac("sha256", secret).update(body).digest("base64");
}

function deliver(changes: RawDelivery["headers"] = {}, body: Buffer | string = BODY) {
  const bytes = Buffer.from(body);
  return authenticate({
    headers: { ...HEADERS, "x-shopify-hmac-sha256": signedBy("hush", bytes), ...changes },
    body: bytes,
  });
}

describe("createWebhookAuthenticator", () => {
  it("accepts the fixed vector and reads the headers", () => {
    const result = authenticate({
      headers: { ...HEADERS, "x-shopify-hmac-sha256": SIGNED_BY_HUSH },
      body: Buffer.from(BODY),
    });

    expect(result).toEqual({
      outcome: "accepted",
      tenant: "shopify:demo.myshopify.com",
      deliveryId: "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
      topic: "orders/create",
    });
  });

  it("accepts either secret during a rotation, in either order", () => {
    for (const secrets of [
      ["hush", "hush-before"],
      ["hush-before", "hush"],
    ]) {
      const either = createWebhookAuthenticator({ secrets });
      for (const signature of [SIGNED_BY_HUSH, SIGNED_BY_HUSH_BEFORE]) {
        const headers = { ...HEADERS, "x-shopify-hmac-sha256": signature };
        expect(either({ headers, body: Buffer.from(BODY) }).outcome).toBe("accepted");
      }
    }
  });

  it("refuses the previous secret once it is gone", () => {
    expect(deliver({ "x-shopify-hmac-sha256": SIGNED_BY_HUSH_BEFORE })).toEqual({
      outcome: "unauthenticated",
      reason: "signature-mismatch",
      isSigned: true,
    });
  });

  it("hashes the bytes of a body inside a larger buffer", () => {
    const pool = Buffer.from(`garbage before${BODY}garbage after`);
    const body = pool.subarray(14, 14 + Buffer.byteLength(BODY));

    const headers = { ...HEADERS, "x-shopify-hmac-sha256": SIGNED_BY_HUSH };
    expect(body.byteOffset).not.toBe(0);
    expect(authenticate({ headers, body }).outcome).toBe("accepted");
  });

  it("hashes bytes that are not valid UTF-8", () => {
    const body = Buffer.concat([
      Buffer.from('{"id":1,"note":"'),
      Buffer.from([0xff, 0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    expect(deliver({}, body).outcome).toBe("accepted");
  });

  it("refuses a body that was parsed and written again", () => {
    const again = JSON.stringify(JSON.parse(BODY));
    expect(again).not.toBe(BODY);

    expect(deliver({ "x-shopify-hmac-sha256": SIGNED_BY_HUSH }, again)).toEqual({
      outcome: "unauthenticated",
      reason: "signature-mismatch",
      isSigned: true,
    });
  });

  it("refuses a body with one changed bit", () => {
    const body = Buffer.from(BODY);
    body[10] = (body[10] ?? 0) ^ 1;
    expect(deliver({ "x-shopify-hmac-sha256": SIGNED_BY_HUSH }, body).outcome).toBe("unauthenticated");
  });

  it.each<[string, string | string[] | undefined, string]>([
    ["no header", undefined, "signature-missing"],
    ["an empty header", "", "signature-malformed"],
    ["a short signature", SIGNED_BY_HUSH.slice(4), "signature-malformed"],
    ["a long signature", `AAAA${SIGNED_BY_HUSH}`, "signature-malformed"],
    ["33 bytes", Buffer.alloc(33).toString("base64"), "signature-malformed"],
    ["31 bytes", Buffer.alloc(31).toString("base64"), "signature-malformed"],
    ["no padding", SIGNED_BY_HUSH.slice(0, -1), "signature-malformed"],
    ["base64url", SIGNED_BY_HUSH.replaceAll("/", "_"), "signature-malformed"],
    ["hexadecimal", Buffer.from(SIGNED_BY_HUSH, "base64").toString("hex"), "signature-malformed"],
    ["spare bits that are set", SIGNED_BY_HUSH.replace("U=", "V="), "signature-malformed"],
    ["white space inside", SIGNED_BY_HUSH.replace("eS", "e S"), "signature-malformed"],
    ["a line break at the end", `${SIGNED_BY_HUSH}\n`, "signature-malformed"],
    ["the header twice, joined", `${SIGNED_BY_HUSH}, ${SIGNED_BY_HUSH}`, "signature-malformed"],
    ["the header twice, as a list", [SIGNED_BY_HUSH, SIGNED_BY_HUSH], "signature-malformed"],
    ["an empty list", [], "signature-malformed"],
    ["32 other bytes", Buffer.alloc(32, 7).toString("base64"), "signature-mismatch"],
  ])("refuses %s", (_case, signature, reason) => {
    const isSigned = reason === "signature-mismatch" ? { isSigned: true } : {};
    expect(deliver({ "x-shopify-hmac-sha256": signature })).toEqual({
      outcome: "unauthenticated",
      reason,
      ...isSigned,
    });
  });

  it.each(['"hush"', "'hush'", " ", ""])("takes no secret that can't be the app's: %s", (secret) => {
    expect(() => createWebhookAuthenticator({ secrets: ["hush", secret] })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });

  it("looks at nothing before the signature is valid", () => {
    const headers = { "x-shopify-hmac-sha256": SIGNED_BY_HUSH_BEFORE, "x-shopify-topic": "?" };
    expect(authenticate({ headers, body: Buffer.from("not JSON") }).outcome).toBe("unauthenticated");
  });

  it.each<[string, RawDelivery["headers"], string]>([
    ["no topic", { "x-shopify-topic": undefined }, "topic-unusable"],
    ["two topics", { "x-shopify-topic": "orders/create, shop/redact" }, "topic-unusable"],
    ["a topic that is a path", { "x-shopify-topic": "../../etc" }, "topic-unusable"],
    ["no shop", { "x-shopify-shop-domain": undefined }, "shop-domain-unusable"],
    ["a foreign domain", { "x-shopify-shop-domain": "demo.example.com" }, "shop-domain-unusable"],
    ["a lookalike", { "x-shopify-shop-domain": "demo.myshopify.com.example.com" }, "shop-domain-unusable"],
    ["a path", { "x-shopify-shop-domain": "demo.myshopify.com/admin" }, "shop-domain-unusable"],
    ["credentials", { "x-shopify-shop-domain": "a@demo.myshopify.com" }, "shop-domain-unusable"],
    ["a subdomain", { "x-shopify-shop-domain": "a.demo.myshopify.com" }, "shop-domain-unusable"],
    ["a hyphen first", { "x-shopify-shop-domain": "-demo.myshopify.com" }, "shop-domain-unusable"],
    [
      "a label too long",
      { "x-shopify-shop-domain": `${"a".repeat(64)}.myshopify.com` },
      "shop-domain-unusable",
    ],
    ["a line break", { "x-shopify-shop-domain": "demo.myshopify.com\n" }, "shop-domain-unusable"],
    ["no webhook id", { "x-shopify-webhook-id": undefined }, "webhook-id-unusable"],
    ["an empty webhook id", { "x-shopify-webhook-id": "" }, "webhook-id-unusable"],
    ["an endless webhook id", { "x-shopify-webhook-id": "a".repeat(256) }, "webhook-id-unusable"],
    ["an unprintable webhook id", { "x-shopify-webhook-id": "a\u0000b" }, "webhook-id-unusable"],
    ["two webhook ids", { "x-shopify-webhook-id": ["a", "b"] }, "webhook-id-unusable"],
  ])("calls a signed delivery with %s unusable", (_case, headers, reason) => {
    expect(deliver(headers)).toEqual({ outcome: "unusable", reason });
  });

  it.each(["", "null", "[]", '"text"', "1", "{", '{"a":1}}', "id=1"])(
    "calls the signed body %j unusable",
    (body) => {
      expect(deliver({}, body)).toEqual({ outcome: "unusable", reason: "body-not-a-json-object" });
    },
  );

  it.each(["orders/create", "orders/updated", "orders/cancelled", "orders/delete"])(
    "calls a signed body of %s unusable if it names no order",
    (topic) => {
      const outcomeOf = (body: string) => deliver({ "x-shopify-topic": topic }, body);
      for (const body of ["{}", '{"id":null}', '{"id":"abc"}', '{"id":0}', '{"id":-1}', '{"id":[1]}']) {
        expect(outcomeOf(body), body).toEqual({ outcome: "unusable", reason: "no-order-id" });
      }
      const named = [
        '{"id":820982911946154508}',
        '{"id":"1"}',
        '{"admin_graphql_api_id":"gid://shopify/Order/1"}',
      ];
      for (const body of named) expect(outcomeOf(body), body).toMatchObject({ outcome: "accepted" });
    },
  );

  it("writes topic and shop in lower case", () => {
    expect(
      deliver({ "x-shopify-topic": "ORDERS/Create", "x-shopify-shop-domain": "Demo.MyShopify.com" }),
    ).toMatchObject({ topic: "orders/create", tenant: "shopify:demo.myshopify.com" });
  });

  it("treats a list of one as that value", () => {
    expect(
      deliver({ "x-shopify-hmac-sha256": [SIGNED_BY_HUSH], "x-shopify-topic": ["orders/create"] }),
    ).toMatchObject({ outcome: "accepted", topic: "orders/create" });
  });

  it.each([undefined, "", "yesterday", "2026-10-01", "2026-10-01T16:00:00", "2026-02-30T00:00:00Z"])(
    "leaves the time out when it says %j",
    (triggeredAt) => {
      expect(deliver({ "x-shopify-triggered-at": triggeredAt })).toMatchObject({
        outcome: "accepted",
      });
    },
  );

  it("accepts the header family of Shopify's newer events", () => {
    const headers = {
      "shopify-hmac-sha256": SIGNED_BY_HUSH,
      "shopify-topic": "orders/create",
      "shopify-shop-domain": "demo.myshopify.com",
      "shopify-webhook-id": "1",
      "shopify-triggered-at": "2026-10-01T16:00:00Z",
    };
    expect(authenticate({ headers, body: Buffer.from(BODY) })).toMatchObject({
      outcome: "accepted",
      deliveryId: "1",
    });
  });

  it("does not mix the two header families", () => {
    const headers = { ...HEADERS, "shopify-hmac-sha256": SIGNED_BY_HUSH };
    expect(authenticate({ headers, body: Buffer.from(BODY) })).toEqual({
      outcome: "unusable",
      reason: "topic-unusable",
    });
  });

  it.each([[[]], [[""]], [["hush", " "]]])("refuses to start with the secrets %j", (secrets) => {
    expect(() => createWebhookAuthenticator({ secrets })).toThrow(HoldfastError);
  });
});

describe("a run of the Flow action", () => {
  const RUN = {
    shopify_domain: "Demo.myshopify.com",
    action_run_id: "0f8a-11",
    handle: "holdfast-check-order",
    properties: { order_id: "1" },
  };

  function run(changes: object, headers: RawDelivery["headers"] = {}) {
    const body = Buffer.from(JSON.stringify({ ...RUN, ...changes }));
    return authenticate({ headers: { "x-shopify-hmac-sha256": signedBy("hush", body), ...headers }, body });
  }

  it("names its shop and itself in its signed content", () => {
    expect(run({})).toEqual({
      outcome: "accepted",
      tenant: "shopify:demo.myshopify.com",
      deliveryId: "flow:0f8a-11",
      topic: "flow/check_order",
    });
  });

  it.each([
    [{ handle: "another-action" }, {}],
    [{ shopify_domain: "evil.example" }, {}],
    [{ action_run_id: 7 }, {}],
    [{ action_run_id: "a b" }, {}],
    [{ properties: "1" }, {}],
    // With a topic it is a webhook, and a webhook names its shop in a header.
    [{}, { "x-shopify-topic": "flow/check_order" }],
  ])("is refused as %j with %j", (changes, headers) => {
    expect(run(changes, headers).outcome).toBe("unusable");
  });

  it("isn't trusted without its signature", () => {
    expect(run({}, { "x-shopify-hmac-sha256": SIGNED_BY_HUSH }).outcome).toBe("unauthenticated");
  });
});

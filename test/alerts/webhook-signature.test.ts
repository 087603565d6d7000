import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { isWebhookSecret, signWebhook } from "../../src/alerts/webhook-signature.ts";
import { codeBlocks, readSection } from "../support/markdown.ts";

/** The vector that every library of github.com/standard-webhooks/standard-webhooks is tested with. */
const VECTOR = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  time: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

describe("signWebhook", () => {
  it("matches the published vector of Standard Webhooks", () => {
    const { secret, id, time, body, signature } = VECTOR;

    expect(signWebhook(secret, id, time * 1000 + 999, body)).toEqual({
      "webhook-id": id,
      "webhook-timestamp": String(time),
      "webhook-signature": signature,
    });
  });

  it("uses the bytes of any other text as the key, even if it looks like base64", () => {
    const { id, time, body, signature } = VECTOR;
    const raw = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").toString("base64");
    const ofText = signWebhook("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", id, time * 1000, body);

    expect(ofText["webhook-signature"]).not.toBe(signature);
    expect(signWebhook(`whsec_${raw}`, id, time * 1000, body)).toEqual(ofText);
  });
});

describe("isWebhookSecret", () => {
  const ofBytes = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;

  it.each([VECTOR.secret, ofBytes(24), ofBytes(25), ofBytes(64), "0123456789abcdef"])(
    "accepts %s",
    (text) => {
      expect(isWebhookSecret(text)).toBe(true);
    },
  );

  it.each([
    ofBytes(23),
    ofBytes(65),
    "whsec_",
    "whsec_not-base64-at-all",
    "fifteen-letters",
    "sixteen letters!",
  ])("refuses %s", (text) => {
    expect(isWebhookSecret(text)).toBe(false);
  });
});

describe("the verification in docs/alerts.md", () => {
  type Verify = (secret: string, headers: Record<string, string>, body: string) => boolean;
  let verify: Verify;
  const sign = (secret: string, body = VECTOR.body, nowMs = Date.now()) => ({
    ...signWebhook(secret, VECTOR.id, nowMs, body),
  });

  beforeAll(async () => {
    const section = readSection(readFileSync("docs/alerts.md", "utf8"), "Send alerts to people");
    const [code = ""] = codeBlocks(section, "js");
    const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { verify: Verify };
    verify = module.verify;
  });

  it.each([VECTOR.secret, "0123456789abcdef"])("accepts what is signed with %s", (secret) => {
    const headers = sign(secret);

    expect(verify(secret, headers, VECTOR.body)).toBe(true);
    const rotated = { ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` };
    expect(verify(secret, rotated, VECTOR.body)).toBe(true);
  });

  it("refuses another body, secret, id, signature or version, an old message and one from the future", () => {
    const { secret, body } = VECTOR;
    const headers = sign(secret);
    const [, digest = ""] = String(headers["webhook-signature"]).split(",");
    const refused: readonly Parameters<Verify>[] = [
      [secret, headers, `${body} `],
      ["0123456789abcdef", headers, body],
      [secret, { ...headers, "webhook-id": "msg_2" }, body],
      [secret, { ...headers, "webhook-signature": "v1,AAAA" }, body],
      [secret, { ...headers, "webhook-signature": `v2,${digest}` }, body],
      [secret, { ...headers, "webhook-timestamp": "soon" }, body],
      [secret, sign(secret, body, Date.now() - 301_000), body],
      [secret, sign(secret, body, Date.now() + 302_000), body],
      [secret, {}, body],
    ];

    expect(refused.filter((given) => verify(...given))).toEqual([]);
  });
});

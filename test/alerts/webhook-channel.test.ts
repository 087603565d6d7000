import { createHmac } from "node:crypto";
import { Agent } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { toAlertMessage } from "../../src/alerts/alert-message.ts";
import { createOutbox } from "../../src/alerts/outbox.ts";
import { createWebhookChannel, type WebhookChannelOptions } from "../../src/alerts/webhook-channel.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { Secret } from "../../src/base/secret.ts";
import { findClosedPort, startServer, startTcp, TEST_CERTIFICATE } from "../service/loopback.ts";

const KEY = "0123456789abcdef";
const NEVER = new AbortController().signal;
const MESSAGE = toAlertMessage(
  {
    moment: "opened",
    name: "verification_no_credits",
    facts: { code: "VERIFICATION_NO_CREDITS", tenant: "shopify:one.example" },
    orderIds: [],
    count: 1,
    nowMs: Date.UTC(2026, 10, 20, 12),
  },
  "m-1",
  { version: "1.2.3", instance: "abcd1234" },
  "en",
);

const agent = new Agent({ connect: { ca: TEST_CERTIFICATE } });
const closing: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const channel of closing.splice(0)) await channel.close();
});

function channelTo(url: string, options: Partial<WebhookChannelOptions> = {}) {
  const channel = createWebhookChannel({ url: new Secret(url), secret: undefined, ...options });
  closing.push(channel);
  return channel;
}

describe("createWebhookChannel", () => {
  it("posts text for people and fields for programs over TLS, signed", async () => {
    const receiver = await startServer((response) => response.end("ok"), "https");
    const channel = channelTo(`${receiver.url}/services/T0?token=x`, {
      secret: new Secret(KEY),
      dispatcher: agent,
    });

    expect(await channel.send(MESSAGE, NEVER)).toEqual({ outcome: "sent", refused: 0 });

    const [seen] = receiver.seen;
    expect(seen).toMatchObject({ method: "POST", url: "/services/T0?token=x" });
    expect(seen?.headers["content-type"]).toBe("application/json; charset=utf-8");
    const id = seen?.headers["webhook-id"];
    expect(id).toBe(MESSAGE.id);
    const seconds = Number(seen?.headers["webhook-timestamp"]);
    expect(Math.abs(Date.now() / 1000 - seconds)).toBeLessThan(60);
    const signed = createHmac("sha256", KEY).update(`${MESSAGE.id}.${seconds}.${seen?.body}`);
    expect(seen?.headers["webhook-signature"]).toBe(`v1,${signed.digest("base64")}`);
    // Deprecated, and kept for one more version.
    const hmac = createHmac("sha256", KEY).update(seen?.body ?? "");
    expect(seen?.headers["x-holdfast-signature"]).toBe(`sha256=${hmac.digest("hex")}`);
    expect(JSON.parse(seen?.body ?? "")).toEqual({
      id: MESSAGE.id,
      text: expect.stringMatching(
        /^\[Holdfast\] Alert: verification_no_credits \(shopify:one\.example\)\nThe verification service has no credits left\./,
      ),
      event: "opened",
      alert: "verification_no_credits",
      code: "VERIFICATION_NO_CREDITS",
      tenant: "shopify:one.example",
      count: 1,
      time: "2026-11-20T12:00:00.000Z",
      version: "1.2.3",
      instance: "abcd1234",
    });
  });

  it("sends no signature if there is no key", async () => {
    const receiver = await startServer((response) => response.end());

    await channelTo(receiver.url).send(MESSAGE, NEVER);

    const names = Object.keys(receiver.seen[0]?.headers ?? {});
    expect(names.filter((name) => /^webhook-|signature/.test(name))).toEqual([]);
  });

  it("keeps a message's id over its retries", async () => {
    const receiver = await startServer((response, _seen, count) =>
      response.writeHead(count < 3 ? 503 : 204).end(),
    );
    const outbox = createOutbox({
      channel: createWebhookChannel({ url: new Secret(receiver.url), secret: new Secret(KEY) }),
      logger: SILENT_LOGGER,
      retryDelaysMs: [1, 1],
    });

    await new Promise((ended) => outbox.push(MESSAGE, ended));
    await outbox.close(0);

    expect(receiver.seen.map(({ headers }) => headers["webhook-id"])).toEqual(Array(3).fill(MESSAGE.id));
  });

  it("refuses an untrusted certificate", async () => {
    const receiver = await startServer((response) => response.end(), "https");

    expect(await channelTo(receiver.url).send(MESSAGE, NEVER)).toMatchObject({ outcome: "failed" });
    expect(receiver.seen).toEqual([]);
  });

  it("doesn't follow redirects", async () => {
    const elsewhere = await startServer((response) => response.end());
    const receiver = await startServer((response) =>
      response.writeHead(307, { location: elsewhere.url }).end(),
    );

    expect(await channelTo(receiver.url).send(MESSAGE, NEVER)).toEqual({
      outcome: "failed",
      retryable: false,
      problem: "status:307",
    });
    expect(elsewhere.seen).toEqual([]);
  });

  it.each([
    [204, { outcome: "sent" }],
    [400, { outcome: "failed", retryable: false }],
    [404, { outcome: "failed", retryable: false }],
    [408, { outcome: "failed", retryable: true }],
    [429, { outcome: "failed", retryable: true }],
    [500, { outcome: "failed", retryable: true }],
    [503, { outcome: "failed", retryable: true }],
  ])("treats %i as %j", async (status, expected) => {
    const receiver = await startServer((response) => response.writeHead(status).end());

    expect(await channelTo(receiver.url).send(MESSAGE, NEVER)).toMatchObject(expected);
  });

  it("passes on how long the receiver asks to wait", async () => {
    const receiver = await startServer((response) => response.writeHead(429, { "retry-after": "30" }).end());

    const delivery = await channelTo(receiver.url).send(MESSAGE, NEVER);

    expect(delivery).toMatchObject({ retryable: true, retryAfterMs: 30_000 });
  });

  it("uses the status only, whatever the rest of the answer", async () => {
    const endless = await startServer((response) => {
      response.writeHead(200);
      response.write("x".repeat(200_000));
    });

    const channel = channelTo(endless.url, { timeoutMs: 30_000 });

    expect(await channel.send(MESSAGE, NEVER)).toEqual({ outcome: "sent", refused: 0 });
  });

  it("gives up on a receiver that doesn't answer or doesn't exist", async () => {
    const silent = await startTcp(() => {});
    const port = await findClosedPort();

    expect(await channelTo(silent.url, { timeoutMs: 100 }).send(MESSAGE, NEVER)).toEqual({
      outcome: "failed",
      retryable: true,
      problem: "TimeoutError",
    });
    expect(await channelTo(`http://127.0.0.1:${port}/a-secret`).send(MESSAGE, NEVER)).toEqual({
      outcome: "failed",
      retryable: true,
      problem: "ECONNREFUSED",
    });
  });

  it("stops a try when asked to", async () => {
    const silent = await startTcp(() => {});
    const stop = new AbortController();
    const sending = channelTo(silent.url).send(MESSAGE, stop.signal);

    stop.abort();

    expect(await sending).toMatchObject({ outcome: "failed", problem: "AbortError" });
  });
});

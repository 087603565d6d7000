import { afterEach, describe, expect, it } from "vitest";
import { toAlertMessage } from "../../src/alerts/alert-message.ts";
import { createEmailChannel, type EmailChannelOptions } from "../../src/alerts/email-channel.ts";
import { Secret } from "../../src/base/secret.ts";
import { readTlsFixture } from "../support/tls.ts";
import { findClosedPort, startTcp } from "../service/loopback.ts";
import { startMailServer } from "./mail-server.ts";

const CA = readTlsFixture("service").cert;
const NEVER = new AbortController().signal;
const MESSAGE = toAlertMessage(
  {
    moment: "opened",
    name: "hold_expiring",
    facts: { tenant: "shopify:one.example", orderId: "7700000000000000001" },
    orderIds: ["7700000000000000001"],
    count: 1,
    nowMs: Date.UTC(2026, 10, 20, 12),
  },
  "m-1",
  { version: "1.2.3", instance: "abcd1234" },
  "en",
);

const closing: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const channel of closing.splice(0)) await channel.close();
});

function channelTo(smtpUrl: string, options: Partial<EmailChannelOptions> = {}) {
  const channel = createEmailChannel({
    smtpUrl: new Secret(smtpUrl),
    from: "holdfast@shop.example",
    to: ["jane@shop.example", "joe@shop.example"],
    ca: CA,
    ...options,
  });
  closing.push(channel);
  return channel;
}

describe("createEmailChannel", () => {
  it("mails plain text to all recipients, over STARTTLS and signed in", async () => {
    const { port, mails } = await startMailServer();

    const delivery = await channelTo(`smtp://alerts%40shop.example:right@127.0.0.1:${port}`).send(
      MESSAGE,
      NEVER,
    );

    expect(delivery).toEqual({ outcome: "sent", refused: 0 });
    expect(mails).toMatchObject([
      {
        from: "holdfast@shop.example",
        to: ["jane@shop.example", "joe@shop.example"],
        secure: true,
        user: "alerts@shop.example",
      },
    ]);
    const raw = mails[0]?.raw.replaceAll("=\r\n", "") ?? "";
    expect(raw).toContain("Subject: [Holdfast] Alert: hold_expiring (shopify:one.example)\r\n");
    expect(raw).toContain(`Message-ID: <${MESSAGE.id}@shop.example>\r\n`);
    expect(raw).toContain("Auto-Submitted: auto-generated\r\n");
    expect(raw).toContain("Content-Type: text/plain; charset=utf-8\r\n");
    expect(raw).toContain("A hold reaches its deadline");
    expect(raw).toContain("order 7700000000000000001");
  });

  it("uses TLS from the first byte for smtps", async () => {
    const { port, mails } = await startMailServer({ secure: true });

    expect(await channelTo(`smtps://127.0.0.1:${port}`).send(MESSAGE, NEVER)).toMatchObject({
      outcome: "sent",
    });
    expect(mails).toMatchObject([{ secure: true }]);
  });

  it("does without TLS on this machine if the server has none", async () => {
    const { port, mails } = await startMailServer({ disabledCommands: ["STARTTLS"] });

    expect(await channelTo(`smtp://127.0.0.1:${port}`).send(MESSAGE, NEVER)).toMatchObject({
      outcome: "sent",
    });
    expect(mails).toMatchObject([{ secure: false }]);
  });

  // 0.0.0.0 reaches this machine, but the channel treats it as a remote server.
  it("sends nothing secret to a remote server without TLS", async () => {
    const { port, mails, signIns } = await startMailServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
    });

    const delivery = await channelTo(`smtp://alerts:right@0.0.0.0:${port}`).send(MESSAGE, NEVER);

    expect(delivery).toEqual({ outcome: "failed", retryable: false, problem: "ETLS" });
    expect([mails, signIns]).toEqual([[], []]);
  });

  it("sends nothing secret to a remote server with another name's certificate", async () => {
    const { port, mails, signIns } = await startMailServer();

    const delivery = await channelTo(`smtp://alerts:right@0.0.0.0:${port}`).send(MESSAGE, NEVER);

    expect(delivery).toMatchObject({ outcome: "failed" });
    expect([mails, signIns]).toEqual([[], []]);
  });

  it("doesn't retry a wrong password", async () => {
    const { port } = await startMailServer();

    const delivery = await channelTo(`smtp://alerts:wrong@127.0.0.1:${port}`).send(MESSAGE, NEVER);

    expect(delivery).toEqual({ outcome: "failed", retryable: false, problem: "EAUTH" });
  });

  it("counts refused recipients, and fails if all are refused", async () => {
    const refuse = (unwanted: RegExp) =>
      startMailServer({
        onRcptTo({ address }, _session, done) {
          done(unwanted.test(address) ? Object.assign(new Error("no"), { responseCode: 550 }) : null);
        },
      });
    const some = await refuse(/^joe@/);
    const all = await refuse(/./);

    expect(await channelTo(`smtp://127.0.0.1:${some.port}`).send(MESSAGE, NEVER)).toEqual({
      outcome: "sent",
      refused: 1,
    });
    expect(await channelTo(`smtp://127.0.0.1:${all.port}`).send(MESSAGE, NEVER)).toEqual({
      outcome: "failed",
      retryable: false,
      problem: "EENVELOPE",
    });
  });

  it("retries after a temporary refusal by the server", async () => {
    const { port } = await startMailServer({
      onMailFrom(_address, _session, done) {
        done(Object.assign(new Error("busy"), { responseCode: 451 }));
      },
    });

    expect(await channelTo(`smtp://127.0.0.1:${port}`).send(MESSAGE, NEVER)).toMatchObject({
      outcome: "failed",
      retryable: true,
    });
  });

  it("gives up on a server that doesn't answer or doesn't exist", async () => {
    const silent = await startTcp(() => {});
    const port = await findClosedPort();

    expect(
      await channelTo(`smtp://127.0.0.1:${silent.port}`, { timeoutMs: 200 }).send(MESSAGE, NEVER),
    ).toMatchObject({ outcome: "failed", retryable: true });
    expect(await channelTo(`smtp://127.0.0.1:${port}`).send(MESSAGE, NEVER)).toMatchObject({
      outcome: "failed",
      retryable: true,
    });
  });

  it("stops a try when asked to", async () => {
    const silent = await startTcp(() => {});
    const stop = new AbortController();
    const sending = channelTo(`smtp://127.0.0.1:${silent.port}`).send(MESSAGE, stop.signal);

    stop.abort();

    expect(await sending).toMatchObject({ outcome: "failed", problem: "EABORT" });
  });
});

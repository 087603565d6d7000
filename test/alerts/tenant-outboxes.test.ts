import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { createNotifier, withAlerts } from "../../src/alerts/notifier.ts";
import { Secret } from "../../src/base/secret.ts";
import { createCurrentSettings } from "../../src/settings/current-settings.ts";
import { toSettingsContent, UNSET, type AlertContacts } from "../../src/settings/tenant-settings.ts";
import { createTestStore } from "../support/test-store.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { startServer } from "../service/loopback.ts";
import { startMailServer } from "./mail-server.ts";
import { createRecordingChannel } from "./recording-channel.ts";
import { until } from "../support/until.ts";

const ONE = "shopify:one.example";
const TWO = "shopify:two.example";
const KEY = "a-secret-of-sixteen";
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(mail?: { smtpUrl: Secret; from: string }) {
  const store = await createTestStore();
  const { lines, logger } = createLogRecorder();
  const { channel, tried } = createRecordingChannel();
  const notifier = createNotifier({
    channels: [channel],
    mail,
    logger,
    version: "1.2.3",
    now: Date.now,
    retryDelaysMs: [0],
  });
  const settings = createCurrentSettings({ store, logger, now: Date.now });
  notifier.attach({ store, settings });
  closing.push(() => store.close());
  closing.push(() => notifier.close());
  return {
    log: withAlerts(logger, notifier.hear),
    lines,
    notifier,
    /** What the operator was sent. */
    tried,
    tell: async (tenant: string, contacts: Partial<AlertContacts>): Promise<void> => {
      const content = toSettingsContent({ ...UNSET, alerts: { ...UNSET.alerts, ...contacts } });
      await store.settings.save(tenant, content, undefined, Date.now());
      settings.forget(tenant);
    },
  };
}

const expiring = (tenant: string, orderId: string) => ({ alert: "hold_expiring", tenant, orderId });

describe("alerts to tenants", () => {
  it("are those that name them, once per incident, signed, in addition to the operator's", async () => {
    const [one, two] = [await startServer((res) => res.end("ok")), await startServer((res) => res.end("ok"))];
    const { log, tell, tried, notifier } = await start();
    await tell(ONE, { webhookUrl: new Secret(one.url), webhookSecret: new Secret(KEY) });
    await tell(TWO, { webhookUrl: new Secret(two.url) });

    log.error(expiring(ONE, "11"), "a hold is about to reach its deadline");
    log.error(expiring(ONE, "12"), "a hold is about to reach its deadline");
    log.error(expiring("shopify:nobody.example", "13"), "a hold is about to reach its deadline");
    log.error({ alert: "coverage_low" }, "too many orders");
    await until(() => one.seen.length > 0 && tried.length === 3);
    log.error(expiring(TWO, "21"), "a hold is about to reach its deadline");
    await until(() => two.seen.length > 0);
    await notifier.settle();

    const bodies = [...one.seen, ...two.seen].map(({ body }) => JSON.parse(body) as object);
    expect(bodies).toMatchObject([
      { alert: "hold_expiring", tenant: ONE, orderId: expect.stringMatching(/^1[12]$/) },
      { alert: "hold_expiring", tenant: TWO, orderId: "21" },
    ]);
    const hmac = createHmac("sha256", KEY).update(one.seen[0]?.body ?? "");
    expect(one.seen[0]?.headers["x-holdfast-signature"]).toBe(`sha256=${hmac.digest("hex")}`);
    expect(two.seen[0]?.headers["x-holdfast-signature"]).toBeUndefined();
  });

  it("are in the language that the shop chose; the operator's stay in English", async () => {
    const hook = await startServer((res) => res.end("ok"));
    const { log, tell, tried } = await start();
    await tell(ONE, { webhookUrl: new Secret(hook.url), language: "es" });

    log.error({ alert: "order_failed", problem: "A", tenant: ONE }, "failed");
    await until(() => hook.seen.length === 1 && tried.length === 1);

    expect(JSON.parse(hook.seen[0]?.body ?? "")).toMatchObject({
      alert: "order_failed",
      problem: "A",
      text: expect.stringMatching(
        /^\[Holdfast\] Alerta: order_failed .*\nHoldfast no puede terminar un pedido/,
      ),
    });
    expect(tried[0]?.text).toMatch(/^\[Holdfast\] Alert: order_failed .*\nHoldfast can't finish an order/);
  });

  it("go to new addresses as soon as they are saved", async () => {
    const [former, next] = [await startServer((res) => res.end()), await startServer((res) => res.end())];
    const { log, tell } = await start();
    await tell(ONE, { webhookUrl: new Secret(former.url) });
    log.error({ alert: "order_failed", problem: "A", tenant: ONE }, "failed");
    await until(() => former.seen.length === 1);

    await tell(ONE, { webhookUrl: new Secret(next.url) });
    log.error({ alert: "order_failed", problem: "B", tenant: ONE }, "failed");

    await until(() => next.seen.length === 1);
    expect(former.seen).toHaveLength(1);
  });

  it("are mailed to their own addresses by the app's mail server", async () => {
    const server = await startMailServer({ hideSTARTTLS: true });
    const mail = { smtpUrl: new Secret(`smtp://127.0.0.1:${server.port}`), from: "alerts@app.example" };
    const { log, tell } = await start(mail);
    await tell(ONE, { email: ["jane@one.example", "joe@one.example"] });

    log.error(expiring(ONE, "11"), "a hold is about to reach its deadline");

    await until(() => server.mails.length === 1);
    expect(server.mails[0]).toMatchObject({
      from: "alerts@app.example",
      to: ["jane@one.example", "joe@one.example"],
    });
    expect(server.mails[0]?.raw).toContain("hold_expiring");
  });

  it("never go to a private address, whatever its name", async () => {
    const { log, tell, lines } = await start();
    // A name that resolves to this machine, as far as its operating system can tell.
    await tell(ONE, { webhookUrl: new Secret("https://ip6-localhost.localhost/hook?token=t0p") });

    log.error(expiring(ONE, "11"), "a hold is about to reach its deadline");

    await until(() => lines.some(({ alert }) => alert === "notifier_failed"));
    const failed = lines.find(({ alert }) => alert === "notifier_failed");
    expect(failed).toMatchObject({ channel: "webhook", tenant: ONE });
    expect(failed?.["problem"]).toMatch(/^(?:EPRIVATE|ENOTFOUND|EAI_AGAIN)$/);
    expect(JSON.stringify(lines)).not.toContain("t0p");
  });
});

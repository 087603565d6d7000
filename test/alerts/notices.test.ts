import { afterEach, describe, expect, it } from "vitest";
import { toShopKey } from "../../src/platform/shop-key.ts";
import { createNotifier, withAlerts } from "../../src/alerts/notifier.ts";
import { GATHER_MS, SPACING_MS } from "../../src/alerts/notice-bundles.ts";
import { raiseNotice } from "../../src/base/notices.ts";
import { Secret } from "../../src/base/secret.ts";
import { createCurrentSettings } from "../../src/settings/current-settings.ts";
import { toNoticeContent, type NoticeSettings } from "../../src/settings/notice-settings.ts";
import { toSettingsContent, UNSET } from "../../src/settings/tenant-settings.ts";
import { CONSOLE_ACTOR } from "../../src/store/people/person.ts";
import type { Store } from "../../src/store/store.ts";
import { keepOrder } from "../server/console-app.ts";
import { startServer, type Loopback, type Responder } from "../service/loopback.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { createTestStore } from "../support/test-store.ts";
import { until } from "../support/until.ts";
import { startMailServer } from "./mail-server.ts";

const ONE = "shopify:one.example";
const TWO = "shopify:two.example";
const ANN = "person:ann";
const BOB = "person:bob";
const T0 = Date.UTC(2026, 10, 20, 12);
const PUBLIC_URL = "https://holdfast.shop.example";
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Clock {
  nowMs: number;
}

/** One process over a store. */
function startProcess(
  store: Store,
  clock: Clock,
  mail?: { smtpUrl: Secret; from: string },
  retryDelaysMs: readonly number[] = [0],
) {
  const { lines, logger } = createLogRecorder();
  const now = () => clock.nowMs;
  const notifier = createNotifier({
    channels: [],
    mail,
    logger,
    version: "1.2.3",
    now,
    retryDelaysMs,
  });
  const settings = createCurrentSettings({ store, logger, now });
  notifier.attach({
    store,
    settings,
    people: { store, settings, operatorTenant: TWO, publicUrl: PUBLIC_URL },
  });
  closing.push(() => notifier.close());
  const log = withAlerts(logger, notifier.hear);
  return {
    lines,
    log,
    notifier,
    held: (orderId: string, tenant = ONE, reason = "level:high") =>
      raiseNotice(log, { event: "held", tenant, orderId, reason }, "an order is held for review"),
    /** Let waiting notices leave. */
    passTime: async (ms = GATHER_MS): Promise<void> => {
      await notifier.settle();
      clock.nowMs += ms;
      notifier.remind();
    },
  };
}

async function start(mail?: { smtpUrl: Secret; from: string }) {
  const store = await createTestStore();
  closing.push(() => store.close());
  const clock = { nowMs: T0 };
  for (const tenant of [ONE, TWO])
    for (const actor of [ANN, BOB]) await store.people.admit({ tenant, actor }, T0);
  const process = startProcess(store, clock, mail);
  return { store, clock, ...process };
}

async function choose(store: Store, tenant: string, actor: string, chosen: Partial<NoticeSettings>) {
  const settings = {
    events: {},
    email: null,
    emailCode: null,
    webhookUrl: null,
    isEmbedded: true,
    language: null,
    ...chosen,
  };
  await store.notices.save({ tenant, actor }, toNoticeContent(settings), T0);
}

const toHook = ({ url }: Loopback, ...events: (keyof NoticeSettings["events"])[]) => ({
  webhookUrl: new Secret(url),
  events: Object.fromEntries(events.map((event) => [event, ["webhook"]])),
});
const HOUR_MS = 3_600_000;
let listedAtMs = T0;
/** Each call claims the messages for a while, so it comes long after the one before. */
const listUnsent = ({ incidents }: Store) => incidents.takeUnsent((listedAtMs += HOUR_MS));
/** More than the addressees whose connections are kept open. */
const MANY = 105;
const refuse: Responder = (response) => {
  response.statusCode = 503;
  response.end();
};
const receive = (respond: Responder = (response) => response.end("ok")) => startServer(respond);
const bodies = ({ seen }: Loopback) =>
  seen.map(({ body }) => JSON.parse(body) as Record<string, string | number>);

describe("a notice", () => {
  it("names shop, order, reason and amount, leads to the order, and says nothing about the buyer", async () => {
    const { store, held, passTime } = await start();
    const hook = await receive();
    await choose(store, ONE, ANN, toHook(hook, "held"));
    await keepOrder(store, "4711", { tenant: ONE, name: "#1001 <!channel> jane@shop.example\r\n" });

    held("4711");
    await passTime();
    await until(() => hook.seen.length === 1);

    const [body] = bodies(hook);
    expect(body).toMatchObject({
      event: "notice.held",
      count: 1,
      shop: "one.example",
      orderId: "4711",
      amount: 59.9,
      currency: "USD",
      link: "https://holdfast.shop.example/orders/4711?shop=one.example",
    });
    expect(String(body?.["text"]).split("\n")).toEqual([
      "[Holdfast] Order #1001 channel janeshop.example is held for review",
      "Its risk level is high.",
      "Amount: USD 59.90 · Shop: one.example",
      "https://holdfast.shop.example/orders/4711?shop=one.example",
    ]);
    expect(hook.seen[0]?.body).not.toMatch(/[<>@]|Jane|Doe|customer/);
  });

  it.each([
    [
      "de",
      "[Holdfast] Bestellung #1001 ist zur Prüfung zurückgestellt",
      "Ihre Risikostufe ist hoch.",
      "Betrag: 59,90 USD · Shop: one.example",
    ],
    [
      "ja",
      "[Holdfast] 注文#1001を確認のため保留しました",
      "リスクレベルは高です。",
      "金額：USD 59.90 · ショップ：one.example",
    ],
  ] as const)("is in the language that the person chose: %s", async (language, ...expected) => {
    const { store, held, passTime } = await start();
    const hook = await receive();
    await choose(store, ONE, ANN, { ...toHook(hook, "held"), language });
    await keepOrder(store, "4711", { tenant: ONE, name: "#1001" });

    held("4711");
    await passTime();
    await until(() => hook.seen.length === 1);

    const [body] = bodies(hook);
    expect(String(body?.["text"]).split("\n").slice(0, 3)).toEqual(expected);
    expect(body).toMatchObject({ event: "notice.held", reason: "level:high" });
  });

  it("goes by mail to the person's own address", async () => {
    const server = await startMailServer({ hideSTARTTLS: true });
    const mail = { smtpUrl: new Secret(`smtp://127.0.0.1:${server.port}`), from: "holdfast@app.example" };
    const { store, log, passTime } = await start(mail);
    await choose(store, ONE, ANN, { email: "ann@one.example", events: { assigned: ["email"] } });
    await choose(store, ONE, BOB, { email: "bob@one.example", events: { assigned: ["email"] } });
    await keepOrder(store, "1", { tenant: ONE });

    const assigned = { event: "assigned", tenant: ONE, orderId: "1", to: ANN, reason: "mentioned" } as const;
    raiseNotice(log, assigned, "an order is for a colleague");
    await passTime();

    await until(() => server.mails.length === 1);
    expect(server.mails[0]).toMatchObject({ from: "holdfast@app.example", to: ["ann@one.example"] });
    expect(server.mails[0]?.raw).toContain("You are mentioned in a note on order #1");
  });

  it("never goes by mail to an address that nobody confirmed", async () => {
    const server = await startMailServer({ hideSTARTTLS: true });
    const mail = { smtpUrl: new Secret(`smtp://127.0.0.1:${server.port}`), from: "holdfast@app.example" };
    const { store, held, passTime } = await start(mail);
    const events = { held: ["email"] } as const;
    await choose(store, ONE, ANN, { email: "stranger@else.example", emailCode: "12345678", events });
    await choose(store, ONE, BOB, { email: "bob@one.example", events });

    held("1");
    await passTime();

    await until(() => server.mails.length > 0);
    expect(server.mails.map(({ to }) => to)).toEqual([["bob@one.example"]]);
  });

  it.each([["A/1"], ["order 5"], ["x".repeat(80)]])("is about any order: %s", async (orderId) => {
    const { store, held, passTime } = await start();
    const hook = await receive();
    await choose(store, ONE, ANN, toHook(hook, "held"));
    await keepOrder(store, orderId, { tenant: ONE });

    held(orderId);
    await passTime();
    await until(() => hook.seen.length === 1);

    const link = `https://holdfast.shop.example/orders/${encodeURIComponent(orderId)}?shop=one.example`;
    expect(bodies(hook)).toMatchObject([{ orderId, amount: 59.9, link }]);
  });

  it("leads to the console that the person uses", async () => {
    const { store, held, passTime } = await start();
    const hook = await receive();
    await choose(store, ONE, ANN, { ...toHook(hook, "held"), isEmbedded: false });
    await keepOrder(store, "4711", { tenant: ONE });

    held("4711");
    await passTime();
    await until(() => hook.seen.length === 1);

    expect(bodies(hook)).toMatchObject([
      { link: `https://holdfast.shop.example/orders/4711?in=${toShopKey(ONE)}` },
    ]);
  });

  it("goes to pages, and over https only to a receiver whose certificate is trusted", async () => {
    const secure = await startServer((response) => response.end("ok"), "https");
    const { store, held, passTime, lines } = await start();
    await choose(store, ONE, ANN, { ...toHook(secure, "held"), events: { held: ["webhook", "page"] } });
    await keepOrder(store, "1", { tenant: ONE });

    held("1");
    await passTime();

    const key = { tenant: ONE, actor: ANN };
    await until(async () => (await store.notices.listForPages(key, 0)).length === 1);
    const [page] = await store.notices.listForPages(key, 0);
    expect(page?.content).toEqual({
      event: "held",
      reason: "level:high",
      count: 1,
      orderId: "1",
      name: "#1",
      amount: 59.9,
      currency: "USD",
    });
    await until(() => lines.some(({ alert }) => alert === "notifier_failed"));
    expect(secure.seen).toEqual([]);
  });
});

describe("who gets a notice", () => {
  it("is who chose it and still has access, in that shop only", async () => {
    const { store, log, held, passTime } = await start();
    const [ann, bob, theirs, operator] = [await receive(), await receive(), await receive(), await receive()];
    await choose(store, ONE, ANN, toHook(ann, "held", "attention"));
    await choose(store, ONE, BOB, toHook(bob, "held", "attention"));
    await choose(store, TWO, ANN, toHook(theirs, "held", "attention"));
    // The holder of the console token, of another tenant.
    await choose(store, ONE, CONSOLE_ACTOR, toHook(operator, "held"));
    await choose(store, TWO, CONSOLE_ACTOR, toHook(operator, "attention"));
    await store.people.revoke({ tenant: ONE, actor: BOB }, { by: ANN, atMs: T0 });

    held("1");
    log.error({ alert: "order_failed", problem: "INTERNAL", tenant: TWO, orderId: "2" }, "an order failed");
    await passTime();
    await until(() => ann.seen.length === 1 && theirs.seen.length === 1 && operator.seen.length === 1);

    expect(bodies(ann)).toMatchObject([{ event: "notice.held", shop: "one.example" }]);
    expect(bodies(theirs)).toMatchObject([{ event: "notice.attention", shop: "two.example" }]);
    expect(bodies(operator)).toMatchObject([{ event: "notice.attention" }]);
    expect(bob.seen).toEqual([]);
  });

  it("is everybody whose shop uses the installation's key when that has a problem", async () => {
    const { store, log, passTime } = await start();
    const [ann, theirs] = [await receive(), await receive()];
    await choose(store, ONE, ANN, toHook(ann, "service"));
    await choose(store, TWO, ANN, toHook(theirs, "service"));
    const service = { url: null, apiKey: new Secret("own"), organization: "o", savedAtMs: T0 };
    await store.settings.save(TWO, toSettingsContent({ ...UNSET, service }), undefined, T0);

    for (let times = 0; times < 3; times += 1)
      log.error({ alert: "verification_no_credits", code: "VERIFICATION_NO_CREDITS" }, "no credits");
    await passTime();
    await until(() => ann.seen.length === 1);

    expect(bodies(ann)).toMatchObject([
      { event: "notice.service", reason: "verification_no_credits", count: 1 },
    ]);
    log.error({ alert: "verification_unavailable", tenant: TWO, keyId: "own-1" }, "away");
    await passTime();
    await until(() => theirs.seen.length === 1);
    expect(ann.seen).toHaveLength(1);
  });
});

describe("a burst", () => {
  it("becomes one notice, and the next one waits five minutes", async () => {
    const { store, held, passTime } = await start();
    const hook = await receive();
    await choose(store, ONE, ANN, toHook(hook, "held", "inquiry"));

    for (let order = 1; order <= 12; order += 1) held(String(order));
    await passTime();
    await until(() => hook.seen.length === 1);
    held("13");
    held("14");
    await passTime();
    await passTime(SPACING_MS - 2 * GATHER_MS);
    expect(hook.seen).toHaveLength(1);
    await passTime();
    await until(() => hook.seen.length === 2);

    const [first, second] = bodies(hook);
    expect(first).toMatchObject({ count: 12, link: "https://holdfast.shop.example/queue?shop=one.example" });
    expect(first?.["text"]).toMatch(/^\[Holdfast\] 12 orders are held for review\nShop: one\.example/);
    expect(second).toMatchObject({ count: 2 });
  });

  it("of one alert about one order is one notice, in all processes", async () => {
    const { store, clock, log, passTime } = await start();
    const other = startProcess(store, clock);
    const hook = await receive();
    await choose(store, ONE, ANN, toHook(hook, "deadline"));

    const expiring = { alert: "hold_expiring", tenant: ONE, orderId: "1" };
    log.error(expiring, "a hold is about to reach its deadline");
    other.log.error(expiring, "a hold is about to reach its deadline");
    await Promise.all([passTime(), other.passTime(0)]);
    await until(() => hook.seen.length === 1);
    await Promise.all([passTime(SPACING_MS), other.passTime(0)]);

    expect(bodies(hook)).toMatchObject([{ event: "notice.deadline", reason: "hold_expiring", count: 1 }]);
  });
});

describe("delivery", () => {
  it("is taken over from a process that ended before it sent a notice", async () => {
    const { store, clock, held, notifier } = await start();
    const hook = await receive();
    await choose(store, ONE, ANN, toHook(hook, "held"));
    held("1");
    await notifier.settle();
    expect(hook.seen).toEqual([]);

    // The first process never looks again; its claim ends.
    const other = startProcess(store, clock);
    await other.passTime(3 * 60_000);
    await until(async () => {
      await other.passTime();
      expect(hook.seen.length).toBeGreaterThan(0);
    });
    expect(bodies(hook)[0]).toMatchObject({ event: "notice.held", count: 1 });
  });

  it("repeats nothing for others after a restart, when one address can't be reached", async () => {
    const { store, clock } = await start();
    const [good, dead] = [await receive(), await receive(refuse)];
    await choose(store, ONE, ANN, toHook(dead, "held"));
    await choose(store, ONE, BOB, toHook(good, "held"));
    const first = startProcess(store, clock, undefined, [HOUR_MS]);
    first.held("1");
    await first.passTime();
    await until(() => dead.seen.length === 1 && good.seen.length === 1);
    await first.notifier.close();

    const before = dead.seen.length;
    const second = startProcess(store, clock);
    await until(async () => {
      await second.passTime(3 * 60_000);
      expect(dead.seen.length).toBeGreaterThan(before);
    });
    await until(async () => {
      await second.passTime();
      expect(await listUnsent(store)).toEqual([]);
    });
    expect(good.seen).toHaveLength(1);
  });

  it("sends each of many people a notice once while one address can't be reached", async () => {
    const { store, log, passTime } = await start();
    const [good, dead] = [await receive(), await receive(refuse)];
    for (let number = 0; number < MANY; number += 1) {
      const actor = `person:many-${String(number).padStart(3, "0")}`;
      await store.people.admit({ tenant: ONE, actor }, T0);
      await choose(store, ONE, actor, toHook(number === 0 ? dead : good, "service"));
    }

    log.error({ alert: "verification_unavailable", tenant: ONE }, "the service is away");
    await passTime();
    await until(() => expect(good.seen.length).toBeGreaterThanOrEqual(MANY - 1));
    for (let rounds = 0; rounds < 3; rounds += 1) await passTime(3 * 60_000);
    await until(async () => {
      await passTime();
      expect(await listUnsent(store)).toEqual([]);
    });

    expect(good.seen).toHaveLength(MANY - 1);
  });

  it.each<[string, (store: Store) => Promise<unknown>]>([
    [
      "the person is removed",
      (store) => store.people.revoke({ tenant: ONE, actor: BOB }, { by: ANN, atMs: T0 }),
    ],
    ["the address is removed", (store) => choose(store, ONE, BOB, { events: { held: ["webhook"] } })],
  ])("ends for a message that waits for its next try when %s", async (_what, end) => {
    const { store, clock } = await start();
    const { lines, held, passTime } = startProcess(store, clock);
    const ended = Promise.withResolvers<void>();
    const hook = await receive((response, request) => {
      void ended.promise.then(() => refuse(response, request, 1));
    });
    await choose(store, ONE, BOB, toHook(hook, "held"));
    held("1");
    await passTime();
    await until(() => hook.seen.length === 1);

    await end(store);
    ended.resolve();

    await until(async () => expect(await listUnsent(store)).toEqual([]));
    expect(hook.seen).toHaveLength(1);
    expect(lines.filter(({ alert }) => alert !== undefined)).toEqual([]);
  });

  it("that fails is logged, and shown to the person until a message arrives", async () => {
    let status = 410;
    const { store, held, passTime, lines } = await start();
    const hook = await receive((response) => {
      response.statusCode = status;
      response.end();
    });
    await choose(store, ONE, ANN, toHook(hook, "held"));
    const problems = async () => (await store.notices.load({ tenant: ONE, actor: ANN }))?.problems;

    held("1");
    await passTime();
    await until(async () => expect(await problems()).toMatchObject({ webhook: { problem: "status:410" } }));
    await until(() =>
      expect(lines).toContainEqual(
        expect.objectContaining({
          alert: "notifier_failed",
          channel: "webhook",
          problem: "status:410",
          tenant: ONE,
          actor: ANN,
        }),
      ),
    );
    expect(JSON.stringify(lines)).not.toContain(hook.url);

    status = 200;
    held("2");
    await passTime(SPACING_MS);
    await until(async () => expect(await problems()).toEqual({}));
  });

  it("costs nothing where nobody wants to know", async () => {
    const { store, held, notifier } = await start();
    held("1");
    await notifier.settle();
    expect(await store.incidents.takeUnsent(T0 + 3_600_000)).toEqual([]);
  });
});

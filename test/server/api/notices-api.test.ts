import { describe, expect, it } from "vitest";
import { createAppAlerts } from "../../../src/alerts/notifier.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { Secret } from "../../../src/base/secret.ts";
import { startMailServer } from "../../alerts/mail-server.ts";
import { startServer } from "../../service/loopback.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { until } from "../../support/until.ts";
import { bearer, givePerson, toJsonCall } from "../sign-in/signed-in.ts";
import { AS_OPERATOR, AS_SHOP_A, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const AS_SHOP_B = { authorization: "Bearer session.of.b" };
const PATH = "/api/notices";
const TOKEN = "/services/T0000/B0000/aVerySecretToken1234";

function tryOut(email?: { readonly smtpUrl: Secret; readonly from: string }) {
  const config = email && { webhook: undefined, email: { ...email, to: ["operator@app.example"] } };
  const alerts = createAppAlerts({ config, logger: SILENT_LOGGER, version: "1.2.3", now: Date.now });
  return { tryNotice: alerts.tryOut };
}

const installation = {
  service: null,
  catalog: null,
  canMail: true,
  operatorTenant: "default",
  isSingleTenant: true,
};

const put = (app: ConsoleApp, body: object, headers: Record<string, string> = AS_SHOP_A) =>
  app.send("PUT", PATH, toJsonCall(body, headers));
const test = async (app: ConsoleApp, channel: string, headers: Record<string, string> = AS_OPERATOR) => {
  const response = await app.send("POST", `${PATH}/test`, toJsonCall({ channel }, headers));
  return [response.status, await response.json()] as const;
};
const errorsOf = async (response: Response) => {
  const { errors } = (await response.json()) as { errors: { path: string }[] };
  return [response.status, errors.map(({ path }) => path)];
};

describe("/api/notices", () => {
  it("is nothing at first, and each person's own after that", async () => {
    const app = await startConsole();
    const empty = {
      events: {},
      email: null,
      isEmailConfirmed: false,
      webhook: null,
      canMail: false,
      language: null,
      problems: { email: null, webhook: null },
    };
    expect(await (await app.get(PATH, AS_SHOP_A)).json()).toEqual(empty);

    const saved = await put(app, {
      events: { held: ["webhook", "page"] },
      webhookUrl: `https://hooks.slack.com${TOKEN}`,
      language: "de",
      isEmbedded: true,
    });

    const expected = {
      ...empty,
      language: "de",
      events: { held: ["webhook", "page"] },
      webhook: "hooks.slack.com/…1234",
    };
    expect([saved.status, await saved.json()]).toEqual([200, expected]);
    const shown = await (await app.get(PATH, AS_SHOP_A)).text();
    expect(JSON.parse(shown)).toEqual(expected);
    expect(shown + app.log()).not.toContain("aVerySecret");
    expect(await (await app.get(PATH, AS_SHOP_B)).json()).toEqual(empty);
    expect((await app.get(PATH)).status).toBe(401);
  });

  it("keeps what a change doesn't name, and removes what is null", async () => {
    const app = await startConsole();
    await put(app, { events: { held: ["webhook"] }, webhookUrl: `https://hooks.slack.com${TOKEN}` });

    expect(await (await put(app, { events: { service: ["webhook"] } })).json()).toMatchObject({
      events: { service: ["webhook"] },
      webhook: "hooks.slack.com/…1234",
    });
    expect(await (await put(app, { events: {}, webhookUrl: null })).json()).toMatchObject({
      events: {},
      webhook: null,
    });
  });

  it.each([
    ["http://hooks.example/x"],
    ["https://localhost/x"],
    ["https://127.0.0.1/x"],
    ["https://10.0.0.1/x"],
    ["https://[::1]/x"],
    ["https://169.254.169.254/latest/meta-data"],
    ["https://user:pass@hooks.example/x"],
    ["https://hooks.example/x#y"],
    ["not a URL"],
  ])("refuses the webhook %s, at its field", async (webhookUrl) => {
    const app = await startConsole();
    expect(await errorsOf(await put(app, { webhookUrl }))).toEqual([422, ["webhookUrl"]]);
    expect(await (await app.get(PATH, AS_SHOP_A)).json()).toMatchObject({ webhook: null });
  });

  it("refuses what can't arrive: mail without a server, and a channel without an address", async () => {
    const app = await startConsole();
    expect(await errorsOf(await put(app, { email: "ann@one.example" }))).toEqual([422, ["email"]]);
    expect(await errorsOf(await put(app, { email: "Ann <ann@one.example>" }))).toEqual([422, ["email"]]);
    expect(await errorsOf(await put(app, { events: { held: ["webhook", "email"] } }))).toEqual([
      422,
      ["email", "webhookUrl"],
    ]);
    expect((await put(app, { events: { unknown: ["page"] } })).status).toBe(422);
    expect((await put(app, { consoleUrl: "https://evil.example/login" })).status).toBe(422);
  });

  it("lets the operator post to this machine, and nobody else", async () => {
    const app = await startConsole({ installation, ...tryOut() });
    const hook = await startServer((response) => response.end());
    const { token } = await givePerson(app.store, "owner", "default");
    const webhookUrl = `${hook.url}?x=1`;

    expect(await errorsOf(await put(app, { webhookUrl }, bearer(token)))).toEqual([422, ["webhookUrl"]]);
    expect((await test(app, "webhook", bearer(token)))[0]).toBe(409);
    expect((await put(app, { webhookUrl }, AS_OPERATOR)).status).toBe(200);
    expect(hook.seen).toEqual([]);
  });
});

describe("POST /api/notices/test", () => {
  it("says what happened to a webhook, and remembers a failure", async () => {
    const app = await startConsole(tryOut());
    let status = 200;
    const hook = await startServer((response) => {
      response.statusCode = status;
      response.end();
    });
    expect((await test(app, "webhook"))[0]).toBe(409);
    // The operator's own shop may use this machine.
    await put(app, { webhookUrl: hook.url }, AS_OPERATOR);

    expect(await test(app, "webhook")).toEqual([200, { outcome: "sent", status: null }]);
    expect(JSON.parse(hook.seen[0]?.body ?? "")).toMatchObject({
      text: "[Holdfast] This is a test. Your notices arrive here.",
      event: "notice.test",
    });
    status = 410;
    expect(await test(app, "webhook")).toEqual([200, { outcome: "refused", status: 410 }]);
    expect(await (await app.get(PATH, AS_OPERATOR)).json()).toMatchObject({
      problems: { webhook: { problem: "status:410" } },
    });
  });

  it("says that an address isn't public or can't be reached", async () => {
    const app = await startConsole(tryOut());
    // A name that resolves to this machine, as far as its operating system can tell.
    await put(app, { webhookUrl: "https://ip6-localhost.localdomain/x" });
    const [, answer] = await test(app, "webhook", AS_SHOP_A);
    expect(["not-public", "unreachable"]).toContain((answer as { outcome: string }).outcome);
  });

  it("sends a code that confirms a new address, then tests, and says that the server refuses the address", async () => {
    const server = await startMailServer({
      hideSTARTTLS: true,
      onRcptTo({ address }, _session, done) {
        done(address.startsWith("nobody") ? new Error("no such mailbox") : null);
      },
    });
    const smtpUrl = new Secret(`smtp://127.0.0.1:${server.port}`);
    const app = await startConsole({ ...tryOut({ smtpUrl, from: "holdfast@app.example" }), installation });
    const email = "ann@one.example";
    await put(app, { email });

    expect(await test(app, "email", AS_SHOP_A)).toEqual([200, { outcome: "sent", status: null }]);
    expect(server.mails).toMatchObject([{ to: [email] }]);
    const raw = server.mails[0]?.raw ?? "";
    expect(raw).not.toMatch(/https?:|a\.example/);
    const [, code = ""] = /Your code is (\d{8})\r$/m.exec(raw) ?? [];
    expect(await (await put(app, { email })).json()).toMatchObject({ email, isEmailConfirmed: false });
    expect(await errorsOf(await put(app, { emailCode: "00000000" }))).toEqual([422, ["emailCode"]]);
    // A code confirms no other address than the one it was sent to.
    expect(await errorsOf(await put(app, { email: "eve@one.example", emailCode: code }))).toEqual([
      422,
      ["emailCode"],
    ]);
    const confirmed = await (await put(app, { email, emailCode: ` ${code}` })).text();
    expect(JSON.parse(confirmed)).toMatchObject({ email, isEmailConfirmed: true });
    expect(confirmed + app.log()).not.toContain(code);

    await test(app, "email", AS_SHOP_A);
    expect(server.mails[1]?.raw).toContain("This is a test.");
    await put(app, { email: "nobody@one.example" });
    expect(await test(app, "email", AS_SHOP_A)).toEqual([200, { outcome: "address-refused", status: null }]);
  });

  it("lets a code be guessed 20 times an hour", async () => {
    const app = await startConsole({ installation });
    await put(app, { email: "ann@one.example" });
    const guess = async () => (await put(app, { emailCode: "00000000" })).status;
    for (let times = 0; times < 20; times += 1) expect(await guess()).toBe(422);

    expect(await guess()).toBe(429);
    expect((await put(app, { events: {} })).status).toBe(200);
  });

  it("can be done 20 times an hour by each person", async () => {
    const app = await startConsole({ tryNotice: async () => ({ outcome: "sent", refused: 0 }) });
    for (const headers of [AS_SHOP_A, AS_SHOP_B])
      await put(app, { webhookUrl: "https://hooks.slack.com/x" }, headers);
    for (let times = 0; times < 20; times += 1) expect((await test(app, "webhook", AS_SHOP_A))[0]).toBe(200);

    expect((await test(app, "webhook", AS_SHOP_A))[0]).toBe(429);
    expect((await test(app, "webhook", AS_SHOP_B))[0]).toBe(200);
  });
});

describe("notices of what people do", () => {
  it("are for the colleague who is mentioned or gets the order, and for nobody else", async () => {
    const { lines, logger } = createLogRecorder();
    const app = await startConsole({ logger });
    await keepOrder(app.store, "1", { decided: { level: "high", action: "hold" }, state: "review" });
    await app.get("/api/session", AS_SHOP_A);
    await app.store.people.admit({ tenant: "fake:a.example", actor: "person:8" }, 1);
    const act = (method: string, path: string, body: object) =>
      app.send(method, `/api/orders/1/${path}`, toJsonCall(body, AS_SHOP_A));

    await act("POST", "note", { note: "Known to you?", mentions: ["person:8", "person:7"] });
    await act("PUT", "assignee", { assignee: "person:8" });
    await act("PUT", "assignee", { assignee: "person:8" });
    await act("PUT", "assignee", { assignee: "person:7" });
    await act("PUT", "assignee", { assignee: null });

    const about = { notice: "assigned", tenant: "fake:a.example", orderId: "1", to: "person:8" };
    expect(lines.filter(({ notice }) => notice !== undefined)).toMatchObject([
      { ...about, reason: "mentioned" },
      { ...about, reason: "assigned" },
    ]);
    expect(JSON.stringify(lines)).not.toContain("Known to you");
  });
});

describe("GET /api/events", () => {
  it("has the notices for a person's pages, after the newest one that a page got", async () => {
    const app = await startConsole();
    const key = { tenant: "fake:a.example", actor: "person:7" };
    await put(app, { events: { held: ["page"] } });
    await app.store.notices.addForPages(key, { event: "held", count: 1 }, 0);
    const follow = async (query: string, headers = AS_SHOP_A) => {
      const stop = new AbortController();
      const response = await fetch(`${app.origin}/api/events${query}`, { headers, signal: stop.signal });
      let text = "";
      const reading = (async () => {
        for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
      })().catch(() => "stopped");
      return {
        notices: () =>
          [...text.matchAll(/^event: notice\ndata: (.*)$/gm)].map(
            ([, data = ""]) => JSON.parse(data) as { id: number },
          ),
        text: () => text,
        stop: async () => (stop.abort(), await reading),
      };
    };

    const fresh = await follow("");
    await until(() => expect(fresh.text()).toMatch(/^event: notices$/m));
    const theirs = await follow("?after=0", AS_SHOP_B);
    await app.store.notices.addForPages(key, { event: "held", count: 2 }, 0);
    await until(() => expect(fresh.notices()).toMatchObject([{ count: 2 }]));
    const again = await follow("?after=0");
    await until(() => expect(again.notices()).toMatchObject([{ count: 1 }, { count: 2 }]));

    await until(() => expect(theirs.text()).toMatch(/^event: orders$/m));
    expect(theirs.notices()).toEqual([]);
    await Promise.all([fresh.stop(), theirs.stop(), again.stop()]);
  });
});

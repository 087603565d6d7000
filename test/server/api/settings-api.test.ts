import { describe, expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createProductLookups } from "../../../src/pipeline/decide/product-lookups.ts";
import { createSandboxService } from "../../../src/sandbox/sandbox-service.ts";
import { parseSettings, UNSET } from "../../../src/settings/tenant-settings.ts";
import { AS_OPERATOR, AS_SHOP_A, startConsole, type ConsoleApp } from "../console-app.ts";

const JSON_TYPE = { "content-type": "application/json" };

function put(app: ConsoleApp, body: unknown, headers: Record<string, string> = AS_SHOP_A) {
  return app.send("PUT", "/api/settings", {
    headers: { ...headers, ...JSON_TYPE },
    body: JSON.stringify(body),
  });
}

const ORGANIZATIONS = ["one", "two"].map((slug) => ({ id: slug, slug, name: slug, role: "owner" as const }));

const INSTALLATION = {
  service: null,
  catalog: null,
  canMail: false,
  operatorTenant: "default",
  isSingleTenant: true,
};
const NO_ALERTS = { email: [], webhookUrl: null, webhookSecret: null, language: "en" };

const hook = (webhookUrl: string) => ({ alerts: { webhookUrl } });

describe("/api/settings", () => {
  it("starts with nothing set", async () => {
    const app = await startConsole();

    const answer = await app.get("/api/settings", AS_SHOP_A);

    expect(answer.headers.get("etag")).toBe('"0"');
    expect(await answer.json()).toEqual({
      version: 0,
      service: {
        from: "none",
        url: null,
        organization: null,
        keyHint: null,
        savedAt: null,
        problem: null,
        plansUrl: null,
      },
      catalog: { from: "none", url: null, organization: null, keyHint: null, savedAt: null, problem: null },
      alerts: { email: [], webhookUrl: null, hasWebhookSecret: false, language: "en", canMail: false },
      money: { currency: null, creditPrice: null, rates: [], enteredIn: null },
      disputes: { keepDays: null, keptFrom: null, limitShare: 0.015, limitCount: 1_500 },
      platform: null,
    });
  });

  it("keeps how reports count money, and changes only what is named", async () => {
    const app = await startConsole();
    const rates = [{ currency: "EUR", from: "2026-11-01", rate: 1.08 }];
    expect((await put(app, { money: { currency: "USD", rates } })).status).toBe(200);

    const saved = await put(app, { money: { creditPrice: 0.02 } });

    expect(await saved.json()).toMatchObject({
      money: { currency: "USD", creditPrice: 0.02, rates, enteredIn: "USD" },
    });
    const { entries } = await app.store.accessLog.list("fake:a.example", { limit: 1 });
    expect(entries[0]).toMatchObject({ what: "settings", subject: "money" });
  });

  it("takes as many rates as there may be, in one request", async () => {
    const app = await startConsole();
    const rates = Array.from({ length: 1_000 }, (_, index) => ({
      currency: "EUR",
      from: new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10),
      rate: 1.123_456_789,
    }));

    expect((await put(app, { money: { currency: "USD", rates } })).status).toBe(200);
  });

  it("doesn't take amounts in one currency for amounts in another", async () => {
    const app = await startConsole();
    const at = { currency: "CHF", from: "2026-11-01" };
    const money = {
      currency: "EUR",
      creditPrice: 0.02,
      rates: [
        { ...at, rate: 1.1 },
        { ...at, currency: "USD", rate: 0.9 },
      ],
    };
    expect((await put(app, { money })).status).toBe(200);

    const refused = async (change: object) => {
      const answer = await put(app, { money: change });
      expect(answer.status).toBe(422);
      return ((await answer.json()) as { errors: { path: string; message: string }[] }).errors;
    };
    const paths = async (change: object) => (await refused(change)).map(({ path }) => path);
    expect(await paths({ currency: "GBP" })).toEqual([
      "money.creditPrice",
      "money.rates[0].rate",
      "money.rates[1].rate",
    ]);
    // As the console's form sends them, where somebody forgot one rate.
    const rates = [
      { ...at, rate: 0.97 },
      { ...at, currency: "USD", rate: 0.9 },
    ];
    expect(await refused({ ...money, currency: "GBP", creditPrice: 0.018, rates })).toEqual([
      {
        path: "money.rates[1].rate",
        message: "expected an amount in GBP: this one is in EUR. Change it, or remove it first",
        code: "amount-other-currency",
        params: { currency: "GBP", former: "EUR" },
      },
    ]);
    // The shop's own currency isn't known here.
    expect(await paths({ currency: null })).toEqual(["money.currency"]);
    expect(
      (await put(app, { money: { currency: "GBP", creditPrice: 0.018, rates: [rates[0]] } })).status,
    ).toBe(200);
    expect((await put(app, { money: { currency: null, creditPrice: null, rates: [] } })).status).toBe(200);
  });

  it.each([
    { currency: "usd" },
    { creditPrice: -1 },
    { rates: [{ currency: "EUR", from: "2026-11-31", rate: 1 }] },
    { rates: [{ currency: "EUR", from: "2026-11-01", rate: 0 }] },
    { rates: [1, 2].map((rate) => ({ currency: "EUR", from: "2026-11-01", rate })) },
  ])("refuses %j", async (money) => {
    const app = await startConsole();
    expect((await put(app, { money })).status).toBe(422);
  });

  it("stores addresses, changes only the named fields, never shows the secret, and records who did it", async () => {
    const app = await startConsole();
    const webhookSecret = "a-secret-of-sixteen";
    const first = { email: ["jane@shop.example"], webhookUrl: "https://hooks.example/a?b=c", webhookSecret };

    const saved = await put(app, { alerts: first });
    expect(saved.status).toBe(200);
    expect(saved.headers.get("etag")).toBe('"1"');
    expect(await (await put(app, { alerts: { email: [] } })).json()).toMatchObject({
      version: 2,
      alerts: { email: [], webhookUrl: first.webhookUrl, hasWebhookSecret: true },
    });
    const cleared = await (await put(app, { alerts: { webhookUrl: null } })).json();
    expect(cleared).toMatchObject({ alerts: { webhookUrl: null, hasWebhookSecret: false } });

    const other = await (await app.get("/api/settings", AS_OPERATOR)).json();
    expect(other).toMatchObject({ version: 0 });
    const log = (await (await app.get("/api/access-log", AS_SHOP_A)).json()) as { entries: object[] };
    expect(log.entries).toEqual(
      Array(3).fill(expect.objectContaining({ what: "settings", subject: "alerts", actor: "person:7" })),
    );
    expect(app.log()).not.toMatch(/hooks\.example|jane@|a-secret/);
  });

  it.each([
    [{ alerts: { email: ["Jane <jane@shop.example>"] } }, "alerts.email[0]"],
    [{ alerts: { email: ["a@b.example\r\nBcc: c@d.example"] } }, "alerts.email[0]"],
    [{ alerts: { webhookSecret: "short" } }, "alerts.webhookSecret"],
    [{ alerts: { webhookSecret: "whsec_not-base64-at-all" } }, "alerts.webhookSecret"],
    [hook("http://hooks.example/"), "alerts.webhookUrl"],
    [hook("https://10.0.0.1/"), "alerts.webhookUrl"],
    [hook("https://[::1]/"), "alerts.webhookUrl"],
    [hook("http://127.0.0.1:9000/"), "alerts.webhookUrl"],
    [hook("https://169.254.169.254/latest/meta-data"), "alerts.webhookUrl"],
    [hook("https://user:pass@hooks.example/"), "alerts.webhookUrl"],
    [hook("hooks.example"), "alerts.webhookUrl"],
    [{ service: { apiKey: "" } }, "service.apiKey"],
    [{ service: { apiKey: "with space" } }, "service.apiKey"],
    [{ service: { url: "https://a.example" } }, "service.apiKey"],
    [{ service: { apiKey: "k" } }, "service.url"],
    [{ catalog: { apiKey: "" } }, "catalog.apiKey"],
    [{ catalog: { apiKey: "k", url: "https://a.example" } }, "catalog.url"],
    [{ catalog: { apiKey: "k" } }, "catalog.apiKey"],
    [{ colour: "red" }, "colour"],
    [{ alerts: { phone: "1" } }, "alerts.phone"],
    [[], ""],
  ])("refuses %j at %j and stores nothing", async (body, path) => {
    const app = await startConsole();

    const answer = await put(app, body);

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ path }] });
    expect(await (await app.get("/api/settings", AS_SHOP_A)).json()).toMatchObject({ version: 0 });
  });

  it("stores a shop's own catalog key once the catalog accepts it, and never shows it", async () => {
    const apiKey = "own-key-of-the-catalog";
    const service = createSandboxService({ apiKeys: { [apiKey]: { organizations: ORGANIZATIONS } } });
    const url = (await service.listen()).href;
    onTestFinished(() => service.close());
    const catalog = { url, apiKey: undefined, organization: undefined };
    const products = createProductLookups({
      catalog,
      settings: { of: async () => UNSET },
      logger: SILENT_LOGGER,
    });
    onTestFinished(() => products.close());
    const installation = { ...INSTALLATION, catalog: { url, hasKey: false, organization: undefined } };
    const app = await startConsole({ products, installation });

    const wrong = await put(app, { catalog: { apiKey: "another-key" } });
    expect(wrong.status).toBe(422);
    expect(await wrong.json()).toMatchObject({ errors: [{ path: "catalog.apiKey" }] });
    const several = await put(app, { catalog: { apiKey } });
    expect(await several.json()).toMatchObject({ errors: [{ path: "catalog.organization" }] });

    const saved = await put(app, { catalog: { apiKey, organization: "two" } });
    expect(await saved.json()).toMatchObject({
      version: 1,
      catalog: { from: "own", url, organization: "two", keyHint: "…alog", problem: null },
    });
    const kept = parseSettings(1, (await app.store.settings.load("fake:a.example"))?.content);
    expect(kept.catalog?.apiKey.reveal()).toBe(apiKey);
    expect(app.log()).not.toContain(apiKey);

    // Fields that aren't named stay, and another shop gets none of them.
    await put(app, { alerts: { email: [] } });
    const shown = async (headers: Record<string, string>) =>
      ((await (await app.get("/api/settings", headers)).json()) as { catalog: object }).catalog;
    expect(await shown(AS_SHOP_A)).toMatchObject({ from: "own" });
    expect(await shown(AS_OPERATOR)).toMatchObject({ from: "none", url, problem: null });

    await service.close();
    const unreachable = await put(app, { catalog: { apiKey, organization: "one" } });
    expect(unreachable.status).toBe(503);
    await put(app, { catalog: null });
    expect(await shown(AS_SHOP_A)).toMatchObject({ from: "none", keyHint: null });
  });

  it("explains why a saved catalog key isn't used", async () => {
    const catalog = { url: "https://catalog.example/", hasKey: true, organization: undefined };
    const shown = async (app: ConsoleApp) =>
      ((await (await app.get("/api/settings", AS_SHOP_A)).json()) as { catalog: object }).catalog;
    const own = { apiKey: "own-key-of-the-catalog", organization: "two", savedAtMs: 1 };
    const content = {
      service: null,
      catalog: own,
      alerts: NO_ALERTS,
      phantom: null,
      money: UNSET.money,
      disputes: UNSET.disputes,
    };

    const without = await startConsole();
    await without.store.settings.save("fake:a.example", content, 0, 1);
    expect(await shown(without)).toMatchObject({ from: "none", url: null, problem: "no-address" });

    const app = await startConsole({ installation: { ...INSTALLATION, catalog } });
    await app.store.settings.save("fake:a.example", { catalog: "damaged" }, 0, 1);
    // The environment's key belongs to another merchant.
    expect(await shown(app)).toMatchObject({ from: "none", url: catalog.url, problem: "unreadable" });
  });

  it("keeps settings that can't be decrypted, with the service key in them, until somebody starts over", async () => {
    const app = await startConsole();
    const kept = { service: "damaged" };
    await app.store.settings.save("fake:a.example", kept, 0, 1);

    for (const change of [{ alerts: { email: ["jane@shop.example"] } }, { catalog: null }, {}]) {
      const answer = await put(app, change);
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("DATA_KEY") as string });
    }
    expect(await app.store.settings.load("fake:a.example")).toMatchObject({ version: 1, content: kept });

    expect((await put(app, { service: null })).status).toBe(200);
    expect((await put(app, { alerts: { email: ["jane@shop.example"] } })).status).toBe(200);
  });

  it("lets the operator of a single shop use this machine's address", async () => {
    const app = await startConsole();

    expect((await put(app, hook("http://127.0.0.1:9000/hook"), AS_OPERATOR)).status).toBe(200);
  });

  it("limits how many keys each shop can try in an hour", async () => {
    const app = await startConsole();
    // Refused for its address, so that no call is made.
    const guess = (headers?: Record<string, string>) => put(app, { service: { apiKey: "k" } }, headers);

    for (let tries = 0; tries < 30; tries += 1) expect((await guess()).status).toBe(422);
    const answer = await guess();

    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("600");
    expect((await put(app, { alerts: { email: [] } })).status).toBe(200);
    expect((await put(app, { service: null })).status).toBe(200);
    expect((await guess(AS_OPERATOR)).status).toBe(422);
  });

  it("is for owners", async () => {
    const app = await startConsole();
    const made = await app.send("POST", "/api/people", {
      headers: { ...AS_OPERATOR, ...JSON_TYPE },
      body: JSON.stringify({ name: "Rita Reviewer", role: "reviewer" }),
    });
    const { token } = (await made.json()) as { token: string };
    const asReviewer = { authorization: `Bearer ${token}` };

    expect((await app.get("/api/settings", asReviewer)).status).toBe(403);
    expect((await put(app, { alerts: { email: [] } }, asReviewer)).status).toBe(403);
    expect((await app.get("/api/setup", asReviewer)).status).toBe(200);
    expect((await app.get("/api/overview", asReviewer)).status).toBe(200);
  });
});

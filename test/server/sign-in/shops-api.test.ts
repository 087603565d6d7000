import { describe, expect, it } from "vitest";
import { toShopKey } from "../../../src/platform/shop-key.ts";
import { createSessionValue } from "../../../src/server/sign-in/session-cookie.ts";
import {
  AS_OPERATOR,
  AS_SHOP_A,
  CONSOLE_TOKEN,
  type ConsoleApp,
  keepOrder,
  startConsole,
} from "../console-app.ts";
import { bearer, givePerson, signIn, toCookie, toJsonCall } from "./signed-in.ts";

const [TENANT_A, TENANT_B] = ["fake:a.example", "fake:b.example"];
const [A, B, DEFAULT] = [TENANT_A, TENANT_B, "default"].map(toShopKey);
const forShop = (key: string | undefined) => ({ "x-holdfast-shop": key ?? "" });

/** A browser's cookies by name, as it would send them. */
class Browser {
  readonly cookies = new Map<string, string>();
  readonly app: ConsoleApp;

  constructor(app: ConsoleApp) {
    this.app = app;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  note(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const name = pair.slice(0, pair.indexOf("="));
      if (/Max-Age=0\b/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(name.length + 1));
    }
    return response;
  }

  async signIn(token: string): Promise<Response> {
    return this.note(await signIn(this.app, token, { cookie: this.cookie }));
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.app.get(path, { cookie: this.cookie, ...headers });
  }

  async send(method: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
    const all = { cookie: this.cookie, "x-holdfast": "1", ...headers };
    return this.note(await this.app.send(method, path, { headers: all }));
  }

  async listShops(): Promise<readonly string[]> {
    const { sessions } = (await (await this.get("/api/sessions")).json()) as {
      sessions: { tenant: string }[];
    };
    return sessions.map(({ tenant }) => tenant).toSorted();
  }
}

/** A browser that is signed in to two shops, which have an order each with the same ID. */
async function openTwoShops() {
  const app = await startConsole();
  const browser = new Browser(app);
  for (const tenant of [TENANT_A, TENANT_B]) {
    await keepOrder(app.store, "1", { tenant });
    await keepOrder(app.store, `only-${toShopKey(tenant)}`, { tenant });
  }
  const [a, b] = [
    await givePerson(app.store, "owner", TENANT_A),
    await givePerson(app.store, "reviewer", TENANT_B),
  ];
  expect((await browser.signIn(a.token)).status).toBe(200);
  expect((await browser.signIn(b.token)).status).toBe(200);
  return { app, browser, a, b };
}

async function expectRefused(response: Promise<Response>, code: string): Promise<void> {
  const { status, headers } = await response;
  expect(status).toBe(401);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(await (await response).json()).toMatchObject({ status: 401, code });
}

describe("a browser with sessions of two shops", () => {
  it("keeps the earlier session, and each request gets the shop that it names", async () => {
    const { browser, a, b } = await openTwoShops();

    expect(await (await browser.get("/api/session", forShop(A))).json()).toMatchObject({
      tenant: TENANT_A,
      shopKey: A,
      actor: a.actor,
      role: "owner",
    });
    expect(await (await browser.get("/api/session", forShop(B))).json()).toMatchObject({
      tenant: TENANT_B,
      actor: b.actor,
      role: "reviewer",
    });
    for (const [key, other] of [
      [A, B],
      [B, A],
    ]) {
      expect((await browser.get(`/api/orders/only-${key}`, forShop(key))).status).toBe(200);
      expect((await browser.get(`/api/orders/only-${other}`, forShop(key))).status).toBe(404);
    }
    // The role is the one in the shop.
    expect((await browser.get("/api/people", forShop(A))).status).toBe(200);
    expect((await browser.get("/api/people", forShop(B))).status).toBe(403);
  });

  it("is asked which shop is meant, and nothing is read or changed until then", async () => {
    const { app, browser } = await openTwoShops();
    for (const path of ["/api/session", "/api/orders", "/api/orders/1", "/api/orders.csv", "/api/events"])
      await expectRefused(browser.get(path), "SHOP_REQUIRED");
    await expectRefused(browser.send("POST", "/api/orders/1/approve"), "SHOP_REQUIRED");
    await expectRefused(browser.send("DELETE", "/api/session"), "SHOP_REQUIRED");
    for (const tenant of [TENANT_A, TENANT_B])
      expect((await app.store.accessLog.list(tenant, { limit: 9 })).entries).toMatchObject([
        { what: "sign-in" },
        { what: "people" },
      ]);
  });

  it("lists its shops, and says nothing about others", async () => {
    const { app, browser } = await openTwoShops();
    expect(await (await browser.get("/api/sessions")).json()).toEqual({
      sessions: [
        expect.objectContaining({ tenant: TENANT_A, shopKey: A, shop: "a.example", role: "owner" }),
        expect.objectContaining({ tenant: TENANT_B, shopKey: B, shop: "b.example", role: "reviewer" }),
      ],
    });
    expect(await (await app.get("/api/sessions")).json()).toEqual({ sessions: [] });
    expect(await (await app.get("/api/sessions", AS_OPERATOR)).json()).toEqual({ sessions: [] });
    const { status } = await browser.get("/api/sessions", { "sec-fetch-site": "cross-site" });
    expect(status).toBe(403);
  });

  it("doesn't tell a shop without a session from one that doesn't exist", async () => {
    const { browser } = await openTwoShops();
    const seen = await Promise.all(
      [DEFAULT, toShopKey("fake:nobody.example")].map(async (key) => {
        const response = await browser.get("/api/session", forShop(key));
        return [response.status, await response.text()];
      }),
    );
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]).toEqual([401, expect.stringContaining("SHOP_NOT_SIGNED_IN")]);
  });

  it("ends one shop's session without the other's", async () => {
    const { app, browser } = await openTwoShops();
    const before = browser.cookie;
    expect((await browser.send("DELETE", "/api/session", forShop(A))).status).toBe(204);

    expect(await browser.listShops()).toEqual([TENANT_B]);
    await expectRefused(browser.get("/api/session", forShop(A)), "SHOP_NOT_SIGNED_IN");
    // With one session left, no shop has to be named.
    expect(await (await browser.get("/api/session")).json()).toMatchObject({ tenant: TENANT_B });
    // The cookie from before opens nothing, nor is it taken for the other shop's.
    await expectRefused(app.get("/api/session", { cookie: before, ...forShop(A) }), "SHOP_NOT_SIGNED_IN");
    expect(await (await app.get("/api/session", { cookie: before })).json()).toMatchObject({
      tenant: TENANT_B,
    });
  });

  it("ends all of them, for every holder of their cookies", async () => {
    const { app, browser } = await openTwoShops();
    const before = browser.cookie;
    expect((await browser.send("DELETE", "/api/sessions")).status).toBe(204);

    expect(browser.cookies.size).toBe(0);
    for (const key of [A, B])
      await expectRefused(app.get("/api/session", { cookie: before, ...forShop(key) }), "SHOP_NOT_SIGNED_IN");
    expect((await browser.send("DELETE", "/api/sessions")).status).toBe(204);
  });

  it.each([
    ["without the header", { "x-holdfast": "" }],
    ["from a foreign origin", { origin: "https://evil.example" }],
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from a neighbouring site", { "sec-fetch-site": "same-site" }],
  ])("changes nothing %s", async (_name, headers) => {
    const { browser } = await openTwoShops();
    const cookies = browser.cookie;
    for (const [method, path] of [
      ["DELETE", "/api/sessions"],
      ["DELETE", "/api/session"],
      ["POST", "/api/orders/1/approve"],
    ] as const) {
      const response = await browser.send(method, path, { ...forShop(A), ...headers });
      expect([path, response.status]).toEqual([path, 403]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect(browser.cookie).toBe(cookies);
    expect(await browser.listShops()).toEqual([TENANT_A, TENANT_B]);
  });

  it("loses only the session of the shop in which the person was removed", async () => {
    const { app, browser, b } = await openTwoShops();
    await app.store.people.revoke({ tenant: TENANT_B, actor: b.actor }, { by: "person:test", atMs: 2 });
    expect(await browser.listShops()).toEqual([TENANT_A]);
    await expectRefused(browser.get("/api/session", forShop(B)), "SHOP_NOT_SIGNED_IN");
    expect((await browser.get("/api/session", forShop(A))).status).toBe(200);
  });

  it("loses only the operator's session when CONSOLE_TOKEN changes", async () => {
    const { app, browser } = await openTwoShops();
    await browser.signIn(CONSOLE_TOKEN);
    expect(await browser.listShops()).toEqual(["default", TENANT_A, TENANT_B]);
    const changed = await startConsole({ store: app.store, consoleToken: "another-token-of-the-test" });
    const get = (key: string | undefined) =>
      changed.get("/api/session", { cookie: browser.cookie, ...forShop(key) });
    await expectRefused(get(DEFAULT), "SHOP_NOT_SIGNED_IN");
    for (const key of [A, B]) expect((await get(key)).status).toBe(200);
  });

  it("replaces the session of the same shop, as another person or the same", async () => {
    const { app, browser } = await openTwoShops();
    const before = browser.cookie;
    const another = await givePerson(app.store, "viewer", TENANT_A);
    await browser.signIn(another.token);

    expect(browser.cookies.size).toBe(2);
    expect(await (await browser.get("/api/session", forShop(A))).json()).toMatchObject({
      actor: another.actor,
    });
    await expectRefused(app.get("/api/session", { cookie: before, ...forShop(A) }), "SHOP_NOT_SIGNED_IN");
    expect((await browser.get("/api/session", forShop(B))).status).toBe(200);
  });
});

describe("a hostile request", () => {
  it("gets nothing for one shop's cookie under the other's name", async () => {
    const { app, browser } = await openTwoShops();
    const [valueA = "", valueB = ""] = browser.cookies.values();
    const swapped = `holdfast_session_${A}=${valueB}; holdfast_session_${B}=${valueA}`;
    for (const key of [A, B])
      await expectRefused(
        app.get("/api/orders/1", { cookie: swapped, ...forShop(key) }),
        "SHOP_NOT_SIGNED_IN",
      );
    expect((await app.get("/api/session", { cookie: swapped })).status).toBe(401);
    expect((await app.get("/api/session", { cookie: `holdfast_session_${B}=${valueA}` })).status).toBe(401);
    expect(await (await app.get("/api/sessions", { cookie: swapped })).json()).toEqual({ sessions: [] });
  });

  it.each([
    ["empty", ""],
    ["another shop's tenant", TENANT_B],
    ["two of them", `${A}, ${B}`],
    ["too long", `${A}${A}`],
    ["a pattern", ".{16}"],
    ["a name of every object", "__proto__"],
    ["of no shop", "A".repeat(16)],
  ])("gets nothing for a header that is %s, not even with one session", async (_name, shop) => {
    const { app, browser } = await openTwoShops();
    const one = { cookie: `holdfast_session_${A}=${browser.cookies.get(`holdfast_session_${A}`)}` };
    expect((await app.get("/api/session", one)).status).toBe(200);
    for (const cookie of [one.cookie, browser.cookie])
      await expectRefused(app.get("/api/session", { cookie, "x-holdfast-shop": shop }), "SHOP_NOT_SIGNED_IN");
  });

  it("gets nothing for two cookies of a shop, and the other shop's doesn't stand in", async () => {
    const { app, browser } = await openTwoShops();
    const cookie = `${browser.cookie}; holdfast_session_${A}=${createSessionValue()}`;
    await expectRefused(app.get("/api/session", { cookie, ...forShop(A) }), "SHOP_NOT_SIGNED_IN");
    expect((await app.get("/api/session", { cookie, ...forShop(B) })).status).toBe(200);
  });

  it("finds its session among many cookies that are none", async () => {
    const { app, browser } = await openTwoShops();
    const junk = Array.from(
      { length: 30 },
      (_, at) => `holdfast_session_${toShopKey(`shop:${at}`)}=${createSessionValue()}`,
    );
    const cookie = `${junk.join("; ")}; holdfast_session_=x; holdfast_session=${createSessionValue()}; ${browser.cookie}`;
    expect((await app.get("/api/session", { cookie, ...forShop(B) })).status).toBe(200);
    await expectRefused(app.get("/api/session", { cookie }), "SHOP_REQUIRED");
    const one = `${junk.join("; ")}; holdfast_session_${A}=${browser.cookies.get(`holdfast_session_${A}`)}`;
    expect(await (await app.get("/api/session", { cookie: one })).json()).toMatchObject({ tenant: TENANT_A });
  });

  it("is refused with a token of another shop than the one that it names", async () => {
    const { app, a } = await openTwoShops();
    await expectRefused(
      app.get("/api/orders/1", { ...bearer(a.token), ...forShop(B) }),
      "SHOP_NOT_SIGNED_IN",
    );
    await expectRefused(app.get("/api/orders/1", { ...AS_SHOP_A, ...forShop(B) }), "SHOP_NOT_SIGNED_IN");
    await expectRefused(app.get("/api/orders/1", { ...AS_OPERATOR, ...forShop(A) }), "SHOP_NOT_SIGNED_IN");
    expect((await app.get("/api/orders/1", { ...bearer(a.token), ...forShop(A) })).status).toBe(200);
    expect((await app.get("/api/orders/1", { ...AS_SHOP_A, ...forShop(A) })).status).toBe(200);
  });

  it("isn't counted as a guess, and guesses are counted across shops", async () => {
    const { app, browser, a } = await openTwoShops();
    for (let call = 0; call < 30; call += 1) await browser.get("/api/session", forShop("x".repeat(16)));
    for (let guess = 0; guess < 20; guess += 1)
      expect((await browser.signIn(`guess-${guess}`)).status).toBe(401);
    expect((await browser.signIn("guess")).status).toBe(429);
    expect(await browser.listShops()).toEqual([TENANT_A, TENANT_B]);
    expect((await signIn(app, a.token)).status).toBe(200);
  });
});

describe("the number of a browser's sessions", () => {
  it("is limited: the oldest one is ended, and the answer says which", async () => {
    let nowMs = 1_000;
    const app = await startConsole({ now: () => nowMs });
    const browser = new Browser(app);
    const tenants = Array.from({ length: 22 }, (_, at) => `fake:${String.fromCodePoint(97 + at)}.example`);
    const dropped: unknown[] = [];
    let first = "";
    for (const tenant of tenants) {
      nowMs += 1_000;
      const { token } = await givePerson(app.store, "viewer", tenant);
      const response = await browser.signIn(token);
      first ||= toCookie(response);
      const body = (await response.json()) as { dropped: { tenant: string }[] };
      dropped.push(...body.dropped.map((one) => one.tenant));
    }

    expect(dropped).toEqual(tenants.slice(0, 2));
    expect(browser.cookies.size).toBe(20);
    expect(await browser.listShops()).toEqual(tenants.slice(2));
    expect((await app.get("/api/session", { cookie: first })).status).toBe(401);
    // All of them together are far below the limits of proxies.
    expect(browser.cookie.length).toBeLessThan(2_000);
  });
});

describe("a call that changes something", () => {
  it("reaches only the shop that it names, although both have such an order", async () => {
    const { app, browser } = await openTwoShops();
    const call = toJsonCall({ note: "ours" }, { cookie: browser.cookie, "x-holdfast": "1", ...forShop(B) });
    expect((await app.send("POST", "/api/orders/1/note", call)).status).toBe(200);
    const read = async (key: string | undefined) => (await browser.get("/api/orders/1", forShop(key))).text();
    expect(await read(B)).toContain("ours");
    expect(await read(A)).not.toContain("ours");
  });
});

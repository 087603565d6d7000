import { describe, expect, it } from "vitest";
import { createTestStore } from "../../support/test-store.ts";
import { HoldfastError } from "../../../src/base/errors.ts";
import { toShopKey } from "../../../src/platform/shop-key.ts";
import { CONSOLE_ACTOR } from "../../../src/store/people/person.ts";
import type { ServerParts } from "../../../src/server/parts/server-parts.ts";
import { AS_OPERATOR, AS_SHOP_A, CONSOLE_TOKEN, keepOrder, startConsole } from "../console-app.ts";
import { bearer, givePerson, openSession, signIn, toCookie, toJsonCall } from "./signed-in.ts";

const HOUR_MS = 3_600_000;
/** The name of the operator's cookie over plain http. */
const NAME = `holdfast_session_${toShopKey("default")}`;
const ABOUT = { version: "1.2.3-test", verification: "service" };

describe("POST /api/session", () => {
  it("signs the operator in with the console token, for twelve hours", async () => {
    const app = await startConsole();

    const response = await signIn(app);

    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      tenant: "default",
      shopKey: toShopKey("default"),
      shop: null,
      timeZone: null,
      currency: null,
      actor: "person:console",
      name: null,
      role: "owner",
      signedInBy: "cookie",
      names: {},
      colleagues: [],
      about: ABOUT,
      dropped: [],
    });
    const [cookie, ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(
      /^holdfast_session_[\w-]{16}=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect((await app.get("/api/orders", { cookie: toCookie(response) })).status).toBe(200);
  });

  it("signs a person in with their token, with their own tenant, role and name", async () => {
    const app = await startConsole();
    const { actor, token } = await givePerson(app.store, "reviewer", "fake:a.example");

    const response = await signIn(app, token);

    expect(await response.json()).toMatchObject({
      tenant: "fake:a.example",
      shop: "a.example",
      actor,
      name: expect.stringMatching(/^Person /),
      role: "reviewer",
    });
    const session = await app.get("/api/session", { cookie: toCookie(response) });
    expect(await session.json()).toMatchObject({ actor, signedInBy: "cookie", about: ABOUT });
  });

  it.each([
    ["an app that knows it is reached over https", { https: true }, {}],
    ["a page over https, behind a proxy that ends TLS", { https: false }, { origin: "https://HOST" }],
  ])("sets a cookie that only https can set and read for %s", async (_name, parts, headers) => {
    const app = await startConsole(parts);
    const host = app.origin.slice("http://".length);
    const asked = Object.entries(headers).map(([name, value]) => [name, value.replace("HOST", host)]);

    const response = await signIn(app, CONSOLE_TOKEN, Object.fromEntries(asked));

    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-holdfast_session_[\w-]{16}=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect((await app.get("/api/orders", { cookie: toCookie(response) })).status).toBe(200);
  });

  it.each([
    ["another token", "guess"],
    ["a part of the console token", CONSOLE_TOKEN.slice(1)],
    ["a platform's session, which needs none of ours", "session.of.a"],
    ["a token of the right form that nobody has", `hf_${"A".repeat(43)}`],
  ])("refuses %s", async (_name, token) => {
    const app = await startConsole();

    const response = await signIn(app, token);

    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(app.log()).toContain("a sign-in failed");
    expect(app.log()).not.toContain(token);
    expect((await app.store.accessLog.list("default", { limit: 9 })).entries).toEqual([]);
  });

  it("is closed to everybody if there is no console token and nobody with a token", async () => {
    const app = await startConsole({ consoleToken: "" });
    for (const token of ["undefined", CONSOLE_TOKEN, " "])
      expect((await signIn(app, token)).status).toBe(401);
  });

  it.each([
    ["no token", {}, ["token"]],
    ["an empty one", { token: "" }, ["token"]],
    ["one that is no text", { token: { $ne: "" } }, ["token"]],
    ["one that is too long", { token: "x".repeat(1_001) }, ["token"]],
    ["another field", { token: "x", role: "owner" }, ["role"]],
    ["a list", [CONSOLE_TOKEN], [""]],
  ])("refuses a body with %s, by field", async (_name, body, paths) => {
    const app = await startConsole();

    const response = await app.send("POST", "/api/session", toJsonCall(body, {}));

    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path)).toEqual(paths);
  });

  it.each([
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, `token=${CONSOLE_TOKEN}`, 415],
    ["plain text", { "content-type": "text/plain" }, JSON.stringify({ token: CONSOLE_TOKEN }), 415],
    ["no JSON", { "content-type": "application/json" }, "{", 400],
    ["too much", { "content-type": "application/json" }, `{"token":"${"x".repeat(5_000)}"}`, 413],
  ])("refuses %s", async (_name, headers, body, status) => {
    const app = await startConsole();
    const response = await app.send("POST", "/api/session", { headers, body });
    expect(response.status).toBe(status);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ["a foreign origin", { origin: "https://evil.example" }],
    ["the null origin", { origin: "null" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
  ])("signs nobody in for %s", async (_name, headers) => {
    const app = await startConsole();
    const response = await signIn(app, CONSOLE_TOKEN, headers);
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("slows down guessing, together with guesses at bearer tokens, but lets people in", async () => {
    let nowMs = 0;
    const app = await startConsole({ now: () => nowMs });
    const { token } = await givePerson(app.store, "viewer");
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await signIn(app, `guess-${guess}`)).status).toBe(401);
      expect((await app.get("/api/orders", bearer(`guess-${guess}`))).status).toBe(401);
    }
    nowMs = 20_000;

    const blocked = await signIn(app, "guess");
    expect(blocked.status).toBe(429);
    expect(blocked.headers.get("retry-after")).toBe("40");
    for (const right of [token, CONSOLE_TOKEN]) expect((await signIn(app, right)).status).toBe(200);
    expect((await app.get("/api/orders", AS_OPERATOR)).status).toBe(200);
  });

  it("creates a new session each time, and ends the one that was sent along", async () => {
    const app = await startConsole();
    const first = await openSession(app);
    const planted = `${NAME}=${"x".repeat(43)}`;

    const second = await signIn(app, CONSOLE_TOKEN, { cookie: first.cookie });
    const third = await signIn(app, CONSOLE_TOKEN, { cookie: planted });

    expect(new Set([first.cookie, toCookie(second), toCookie(third), planted]).size).toBe(4);
    const open = async (cookie: string) => (await app.get("/api/session", { cookie })).status;
    expect(await open(first.cookie)).toBe(401);
    expect(await open(planted)).toBe(401);
    expect(await open(toCookie(second))).toBe(200);
    expect(await open(toCookie(third))).toBe(200);
  });

  it("leaves no token or cookie in the log or, in plain text, in the store", async () => {
    const app = await startConsole();
    const { token } = await givePerson(app.store, "owner");
    const { cookie } = await openSession(app, token);
    await app.get("/api/session", { cookie });
    await app.get("/api/session", bearer(token));

    expect(app.log()).toContain("somebody signed in");
    for (const secret of [token, cookie.slice(cookie.indexOf("=") + 1)])
      expect(app.log()).not.toContain(secret);
  });

  it("is recorded with the person, or doesn't happen", async () => {
    const app = await startConsole();
    const { actor, token } = await givePerson(app.store, "viewer");
    await openSession(app);
    await openSession(app, token);

    const { entries } = await app.store.accessLog.list("default", { limit: 9, what: "sign-in" });
    expect(entries).toMatchObject([{ actor }, { actor: "operator" }]);

    const error = new HoldfastError("STORE_UNAVAILABLE", "away", { retryable: true });
    const store = await createTestStore();
    const broken = await startConsole({
      store: { ...store, sessions: { ...store.sessions, start: () => Promise.reject(error) } },
    });
    const response = await signIn(broken);
    expect(response.status).toBe(503);
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

describe("GET /api/session", () => {
  it("shows a platform user who they are", async () => {
    const app = await startConsole();
    const response = await app.get("/api/session", AS_SHOP_A);
    expect(await response.json()).toEqual({
      tenant: "fake:a.example",
      shopKey: toShopKey("fake:a.example"),
      shop: "a.example",
      timeZone: null,
      currency: null,
      actor: "person:7",
      name: null,
      role: "owner",
      signedInBy: "bearer",
      names: {},
      colleagues: ["person:7"],
      about: ABOUT,
    });
  });

  it("shows the names of colleagues, and nobody else's", async () => {
    const app = await startConsole();
    const add = async (headers: Record<string, string>, name: string) => {
      const body = JSON.stringify({ name, role: "viewer" });
      const added = await app.send("POST", "/api/people", {
        headers: { ...headers, "content-type": "application/json" },
        body,
      });
      return ((await added.json()) as { person: { actor: string } }).person.actor;
    };
    const jane = await add(AS_SHOP_A, "Jane Example");
    await add(AS_OPERATOR, "Somebody else");

    const session = await app.get("/api/session", AS_SHOP_A);

    expect(await session.json()).toMatchObject({ names: { [jane]: "Jane Example" } });
    expect(
      Object.keys(((await (await app.get("/api/session", AS_SHOP_A)).json()) as { names: object }).names),
    ).toEqual([jane]);
  });

  it("shows the operator, and refuses callers who aren't signed in", async () => {
    const app = await startConsole();
    const operator = await app.get("/api/session", AS_OPERATOR);
    expect(await operator.json()).toMatchObject({ actor: CONSOLE_ACTOR, signedInBy: "bearer" });
    expect((await app.get("/api/session")).status).toBe(401);
  });
});

describe("DELETE /api/session", () => {
  it("ends the session for every holder of its cookie", async () => {
    const app = await startConsole();
    const mine = await openSession(app);
    const other = await openSession(app);

    const response = await app.send("DELETE", "/api/session", { headers: mine });

    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([
      `${NAME}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`,
    ]);
    expect((await app.get("/api/session", mine)).status).toBe(401);
    expect((await app.send("DELETE", "/api/session", { headers: mine })).status).toBe(401);
    expect((await app.get("/api/session", other)).status).toBe(200);
  });

  it("makes a browser forget the cookie of https and the one from before", async () => {
    const app = await startConsole({ https: true });
    const { cookie, ...mine } = await openSession(app);
    const sent = { ...mine, cookie: `${NAME}=${"x".repeat(43)}; ${cookie}` };
    const response = await app.send("DELETE", "/api/session", { headers: sent });
    expect(response.headers.getSetCookie().map((line) => line.replace(/=.*/, ""))).toEqual([
      NAME,
      `__Host-${NAME}`,
    ]);
    expect((await app.get("/api/session", { cookie })).status).toBe(401);
  });

  it("ends nothing for a call with a token", async () => {
    const app = await startConsole();
    const mine = await openSession(app);
    const call = { headers: { ...AS_OPERATOR, ...mine } };
    expect((await app.send("DELETE", "/api/session", call)).status).toBe(204);
    expect((await app.get("/api/session", mine)).status).toBe(200);
  });
});

describe("a session", () => {
  it("expires after twelve hours, before any cleanup", async () => {
    let nowMs = 1_000;
    const app = await startConsole({ now: () => nowMs });
    const mine = await openSession(app);

    nowMs = 1_000 + 12 * HOUR_MS - 1;
    expect((await app.get("/api/session", mine)).status).toBe(200);
    nowMs += 1;
    expect((await app.get("/api/session", mine)).status).toBe(401);
  });

  it("ends when its person is shut out, as does their token", async () => {
    const app = await startConsole();
    const { actor, token } = await givePerson(app.store, "owner");
    const theirs = await openSession(app, token);
    expect((await app.send("DELETE", `/api/people/${actor}`, { headers: AS_OPERATOR })).status).toBe(204);

    expect((await app.get("/api/session", theirs)).status).toBe(401);
    expect((await app.get("/api/session", bearer(token))).status).toBe(401);
    expect((await signIn(app, token)).status).toBe(401);
  });

  it("has its person's current role", async () => {
    const app = await startConsole();
    const { actor, token } = await givePerson(app.store, "owner");
    const theirs = await openSession(app, token);
    expect((await app.get("/api/people", theirs)).status).toBe(200);
    const call = toJsonCall({ role: "viewer" }, AS_OPERATOR);
    expect((await app.send("PUT", `/api/people/${actor}`, call)).status).toBe(200);

    for (const headers of [theirs, bearer(token)]) {
      expect((await app.get("/api/people", headers)).status).toBe(403);
      expect(await (await app.get("/api/session", headers)).json()).toMatchObject({ role: "viewer" });
    }
  });

  it("of the operator ends when CONSOLE_TOKEN changes, or the operator's tenant", async () => {
    const store = await createTestStore();
    const app = await startConsole({ store });
    const mine = await openSession(app);
    const { token } = await givePerson(store, "viewer");
    const theirs = await openSession(app, token);
    const restart = (parts: Partial<ServerParts>) => startConsole({ store, ...parts });

    expect((await (await restart({})).get("/api/session", mine)).status).toBe(200);
    for (const parts of [
      { consoleToken: "another" },
      { consoleToken: undefined },
      { consoleToken: "" },
      { consoleTenant: "other" },
    ]) {
      const restarted = await restart(parts);
      expect((await restarted.get("/api/session", mine)).status).toBe(401);
      expect((await restarted.get("/api/session", theirs)).status).toBe(200);
    }
  });

  it("shows its own tenant and no other's", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { tenant: "fake:a.example" });
    await keepOrder(app.store, "2", { tenant: "fake:b.example" });
    const { token } = await givePerson(app.store, "owner", "fake:a.example");
    const stranger = await givePerson(app.store, "viewer", "fake:b.example");

    for (const headers of [await openSession(app, token), { ...bearer(token), "x-holdfast": "1" }]) {
      const { orders } = (await (await app.get("/api/orders", headers)).json()) as {
        orders: { orderId: string }[];
      };
      expect(orders.map(({ orderId }) => orderId)).toEqual(["1"]);
      expect((await app.get("/api/orders/2", headers)).status).toBe(404);
      expect(await (await app.get("/api/people", headers)).text()).not.toContain(stranger.actor);
      const path = `/api/people/${stranger.actor}`;
      const call = toJsonCall({ role: "owner" }, headers);
      expect((await app.send("PUT", path, call)).status).toBe(404);
      expect((await app.send("DELETE", path, { headers })).status).toBe(404);
    }
    expect(await app.store.people.list("fake:b.example")).toMatchObject([
      { role: "viewer", revokedAtMs: null },
    ]);
  });

  it("is answered with 503 while the store can't be asked", async () => {
    const error = new HoldfastError("STORE_UNAVAILABLE", "away", { retryable: true });
    const store = await createTestStore();
    const app = await startConsole({
      store: {
        ...store,
        sessions: { ...store.sessions, find: () => Promise.reject(error) },
        people: { ...store.people, findTokenHolder: () => Promise.reject(error) },
      },
    });
    const { token } = await givePerson(store, "viewer");
    const cookie = `${NAME}=${"x".repeat(43)}`;
    expect((await app.get("/api/session", { cookie })).status).toBe(503);
    expect((await app.get("/api/session", bearer(token))).status).toBe(503);
    expect((await signIn(app, token)).status).toBe(503);
    // The console token needs no store.
    expect((await app.get("/api/session", AS_OPERATOR)).status).toBe(200);
  });
});

describe("a call with a cookie", () => {
  const change = { name: "Ada", role: "viewer" };
  it.each([
    ["without the header", { "x-holdfast": "" }],
    ["from a foreign origin", { origin: "https://evil.example" }],
    ["from the null origin", { origin: "null" }],
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from a neighbouring site", { "sec-fetch-site": "same-site" }],
    [
      "from an origin that forwarding headers speak for",
      { origin: "https://evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
    ],
  ])("changes nothing %s", async (_name, headers) => {
    const app = await startConsole();
    const mine = { ...(await openSession(app)), ...headers };

    for (const [method, path] of [
      ["POST", "/api/people"],
      ["DELETE", "/api/session"],
    ] as const) {
      const response = await app.send(method, path, toJsonCall(change, mine));
      expect([method, path, response.status]).toEqual([method, path, 403]);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
    expect(await app.store.people.list("default")).toEqual([]);
    expect((await app.get("/api/session", { cookie: mine.cookie })).status).toBe(200);
  });

  it("changes things for the app's own page", async () => {
    const app = await startConsole();
    const mine = { ...(await openSession(app)), origin: app.origin, "sec-fetch-site": "same-origin" };
    expect((await app.send("POST", "/api/people", toJsonCall(change, mine))).status).toBe(201);
  });

  it("isn't answered for another site's page either", async () => {
    const app = await startConsole();
    const { cookie } = await openSession(app);
    const read = async (site: string) =>
      (await app.get("/api/orders", { cookie, "sec-fetch-site": site })).status;
    expect(await read("cross-site")).toBe(403);
    expect(await read("same-origin")).toBe(200);
    expect(await read("none")).toBe(200);
  });

  it("is authenticated only by its bearer token, wherever it comes from", async () => {
    const app = await startConsole();
    const { cookie } = await openSession(app);
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const post = (headers: Record<string, string>) =>
      app.send("POST", "/api/people", toJsonCall(change, headers));

    expect((await post({ ...AS_OPERATOR, ...foreign })).status).toBe(201);
    expect((await post({ ...AS_OPERATOR, ...foreign, cookie })).status).toBe(201);
    expect((await post({ ...bearer("wrong"), cookie, "x-holdfast": "1" })).status).toBe(401);
    expect((await post({ authorization: "Bearer", cookie, "x-holdfast": "1" })).status).toBe(401);
    // A proxy's own sign-in is ignored.
    expect((await post({ authorization: "Basic eA==", cookie, "x-holdfast": "1" })).status).toBe(201);
  });

  it("is refused if two cookies claim to be the session", async () => {
    const app = await startConsole();
    const mine = await openSession(app);
    const other = await openSession(app);
    const cookie = `${mine.cookie}; ${other.cookie}`;
    expect((await app.get("/api/session", { cookie })).status).toBe(401);
    expect((await signIn(app, CONSOLE_TOKEN, { cookie })).status).toBe(200);
    // Both were set at the sign-in.
    expect((await app.get("/api/session", mine)).status).toBe(401);
    expect((await app.get("/api/session", other)).status).toBe(401);
  });

  it("doesn't count as a guess, however often an expired one is sent", async () => {
    const app = await startConsole();
    const cookie = `${NAME}=${"x".repeat(43)}`;
    for (let call = 0; call < 30; call += 1) await app.get("/api/session", { cookie });
    expect((await signIn(app)).status).toBe(200);
  });
});

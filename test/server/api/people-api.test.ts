import { describe, expect, it } from "vitest";
import { AS_OPERATOR, AS_SHOP_A, createFakePlatform, startConsole, type ConsoleApp } from "../console-app.ts";
import { bearer, givePerson, signIn, toJsonCall } from "../sign-in/signed-in.ts";

interface PersonJson {
  readonly actor: string;
  readonly role: string;
  readonly revokedAt: string | null;
}

type Headers = Record<string, string>;

const START_MS = Date.UTC(2026, 10, 20, 12);
/** The platform's test sessions all belong to user 7, except on this platform. */
const byUser = createFakePlatform({
  async openSession(token) {
    const userId = /^user\.(.+)$/.exec(token)?.[1];
    return userId === undefined ? null : { tenant: "fake:a.example", userId };
  },
});
const asUser = (userId: string) => bearer(`user.${userId}`);

const send = (app: ConsoleApp, method: string, path: string, body: unknown, headers: Headers = AS_OPERATOR) =>
  app.send(method, `/api/people${path}`, toJsonCall(body, headers));
const add = (app: ConsoleApp, body: unknown, headers?: Headers) => send(app, "POST", "", body, headers);
const change = (app: ConsoleApp, actor: string, body: unknown, headers?: Headers) =>
  send(app, "PUT", `/${actor}`, body, headers);
const revoke = (app: ConsoleApp, actor: string, headers: Headers = AS_OPERATOR) =>
  app.send("DELETE", `/api/people/${actor}`, { headers });

async function list(app: ConsoleApp, headers: Headers = AS_OPERATOR) {
  const response = await app.get("/api/people", headers);
  expect(response.status).toBe(200);
  return (await response.json()) as { people: PersonJson[] };
}

describe("POST /api/people", () => {
  it("returns a token once, which signs in as the new person", async () => {
    const app = await startConsole({ now: () => START_MS });

    const response = await add(app, { name: "  Ada Lovelace ", role: "reviewer" });

    expect(response.status).toBe(201);
    const { person, token } = (await response.json()) as { person: PersonJson; token: string };
    expect(token).toMatch(/^hf_[\w-]{43}$/);
    expect(person).toEqual({
      actor: expect.stringMatching(/^person:key-[\w-]{12}$/),
      name: "Ada Lovelace",
      role: "reviewer",
      kind: "token",
      createdAt: "2026-11-20T12:00:00.000Z",
      seenAt: null,
      revokedAt: null,
    });
    expect(await (await signIn(app, token)).json()).toMatchObject({ actor: person.actor });
    const listed = await app.get("/api/people", AS_OPERATOR);
    expect(await listed.text()).not.toContain(token.slice(3));
    expect(app.log()).not.toContain(token);
    expect(app.log()).not.toContain("Lovelace");
  });

  it("binds a token to the shop whose owner creates it", async () => {
    const app = await startConsole();
    const response = await add(app, { name: "Ada", role: "owner" }, AS_SHOP_A);
    const { token } = (await response.json()) as { token: string };
    const session = await app.get("/api/session", bearer(token));
    expect(await session.json()).toMatchObject({ tenant: "fake:a.example", signedInBy: "bearer" });
  });

  it.each([
    ["no name", { role: "viewer" }, ["name"]],
    ["an empty name", { name: "", role: "viewer" }, ["name"]],
    ["a blank name", { name: " \u{3000} ", role: "viewer" }, ["name"]],
    ["a long name", { name: "x".repeat(101), role: "viewer" }, ["name"]],
    ["a name that would add a header", { name: "Ada\r\nSet-Cookie: a=b", role: "viewer" }, ["name"]],
    ["a name with a tab", { name: "Ada\tLovelace", role: "viewer" }, ["name"]],
    ["a name with a null character", { name: "Ada\0", role: "viewer" }, ["name"]],
    ["a name with an escape sequence", { name: "\u{1B}[31mAda", role: "viewer" }, ["name"]],
    ["a name on two lines", { name: "Ada\u{2028}Lovelace", role: "viewer" }, ["name"]],
    ["a name that is read backwards", { name: "Ada \u{202E}renwo", role: "viewer" }, ["name"]],
    ["half a character", { name: "Ada \uD83D", role: "viewer" }, ["name"]],
    ["an unknown role", { name: "Ada", role: "admin" }, ["role"]],
    ["a role in another case", { name: "Ada", role: "Owner" }, ["role"]],
    ["an actor of one's own", { name: "Ada", role: "viewer", actor: "person:console" }, ["actor"]],
    ["two mistakes", { name: "", role: "" }, ["name", "role"]],
  ])("refuses %s", async (_name, body, paths) => {
    const app = await startConsole();

    const response = await add(app, body);

    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { path: string }[] };
    expect([...new Set(errors.map(({ path }) => path))]).toEqual(paths);
    expect(await app.store.people.list("default")).toEqual([]);
  });

  it("accepts names in any script, up to a hundred characters", async () => {
    const app = await startConsole();
    for (const name of ["Ярослав", "عائشة", "田中", "👩‍🔧 Ada", "𝒜".repeat(100), "<b>O'Brien</b>"])
      expect((await add(app, { name, role: "viewer" })).status).toBe(201);
  });

  it("reports that there are too many tokens", async () => {
    const app = await startConsole();
    for (let count = 0; count < 200; count += 1) await givePerson(app.store, "viewer");
    expect((await add(app, { name: "Ada", role: "viewer" })).status).toBe(409);
  });
});

describe("GET /api/people", () => {
  it("lists the operator, people with tokens, and platform users", async () => {
    const app = await startConsole({ now: () => START_MS });
    await givePerson(app.store, "viewer");
    await givePerson(app.store, "owner", "fake:a.example");
    await app.get("/api/orders", AS_SHOP_A);

    expect((await list(app)).people).toMatchObject([
      {
        actor: "person:console",
        name: null,
        role: "owner",
        kind: "operator",
        createdAt: null,
        seenAt: null,
        revokedAt: null,
      },
      { role: "viewer", kind: "token" },
    ]);
    expect((await list(app, AS_SHOP_A)).people).toMatchObject([
      { role: "owner", kind: "token", seenAt: null },
      { actor: "person:7", kind: "platform", seenAt: "2026-11-20T12:00:00.000Z" },
    ]);
  });

  it("has no operator if there is no console token", async () => {
    const app = await startConsole({ consoleToken: undefined });
    const { token } = await givePerson(app.store, "owner");
    expect((await list(app, bearer(token))).people).toMatchObject([{ kind: "token" }]);
  });
});

describe("PUT /api/people/:actor", () => {
  it("changes a name, a role, or both", async () => {
    const app = await startConsole();
    const { actor } = await givePerson(app.store, "viewer");

    const named = await change(app, actor, { name: "Grace" });
    expect(await named.json()).toMatchObject({ actor, name: "Grace", role: "viewer" });
    const raised = await change(app, actor, { role: "owner" });
    expect(await raised.json()).toMatchObject({ name: "Grace", role: "owner" });
    expect((await change(app, encodeURIComponent(actor), { name: "G", role: "reviewer" })).status).toBe(200);
  });

  it.each([
    ["nothing", {}, ""],
    ["another field", { role: "viewer", revokedAt: null }, "revokedAt"],
    ["a wrong name", { name: "a\nb" }, "name"],
    ["a wrong role", { role: "" }, "role"],
  ])("refuses %s", async (_name, body, path) => {
    const app = await startConsole();
    const { actor } = await givePerson(app.store, "viewer");
    const response = await change(app, actor, body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ path }] });
  });

  it.each([
    "person:nobody",
    "nobody",
    "*",
    "%00",
    "person:%00",
    "person:",
    "%F0%9F%98%80",
    "x".repeat(5_000),
  ])("finds nobody called %s", async (actor) => {
    const app = await startConsole();
    expect((await change(app, actor, { role: "owner" })).status).toBe(404);
    expect((await revoke(app, actor)).status).toBe(404);
    expect(await list(app)).toMatchObject({ people: [{ kind: "operator" }] });
  });

  it("doesn't let owners remove their own role", async () => {
    const app = await startConsole({ platforms: [byUser] });
    await app.get("/api/orders", asUser("1"));
    await app.get("/api/orders", asUser("2"));
    expect((await change(app, "person:2", { role: "owner" }, asUser("2"))).status).toBe(403);
    expect((await change(app, "person:2", { role: "owner" }, asUser("1"))).status).toBe(200);

    expect((await change(app, "person:1", { role: "viewer" }, asUser("1"))).status).toBe(409);
    expect((await revoke(app, "person:1", asUser("1"))).status).toBe(409);
    expect((await change(app, "person:1", { name: "Me", role: "owner" }, asUser("1"))).status).toBe(200);
    expect((await change(app, "person:1", { role: "viewer" }, asUser("2"))).status).toBe(200);
    // The other one is now the last owner.
    expect((await change(app, "person:2", { role: "viewer" }, asUser("2"))).status).toBe(409);
    expect((await app.get("/api/people", asUser("1"))).status).toBe(403);
  });

  it("lets the operator remove the last owner's role", async () => {
    const app = await startConsole();
    const { actor, token } = await givePerson(app.store, "owner");
    expect((await revoke(app, actor, bearer(token))).status).toBe(409);
    expect((await change(app, actor, { role: "viewer" })).status).toBe(200);
    expect((await revoke(app, actor)).status).toBe(204);
  });

  it("doesn't change the operator", async () => {
    const app = await startConsole();
    const { token } = await givePerson(app.store, "owner");
    for (const headers of [AS_OPERATOR, bearer(token)]) {
      expect((await change(app, "person:console", { role: "viewer" }, headers)).status).toBe(409);
      expect((await revoke(app, "person:console", headers)).status).toBe(409);
    }
  });
});

describe("DELETE /api/people/:actor", () => {
  it("removes a platform user's access until they get a role again", async () => {
    const app = await startConsole({ platforms: [byUser], now: () => START_MS });
    await app.get("/api/orders", asUser("1"));
    await app.get("/api/orders", asUser("2"));
    expect((await revoke(app, "person:2", asUser("1"))).status).toBe(204);

    const refused = await app.get("/api/orders", asUser("2"));
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("removed") });
    const revokedAt = "2026-11-20T12:00:00.000Z";
    expect((await list(app, asUser("1"))).people).toMatchObject([{ revokedAt: null }, { revokedAt }]);

    expect((await change(app, "person:2", { role: "viewer" }, asUser("1"))).status).toBe(200);
    expect((await app.get("/api/orders", asUser("2"))).status).toBe(200);
  });

  it("revokes a token for good", async () => {
    const app = await startConsole();
    const { actor, token } = await givePerson(app.store, "viewer");
    expect((await revoke(app, actor)).status).toBe(204);
    expect((await revoke(app, actor)).status).toBe(204);

    expect((await change(app, actor, { role: "viewer" })).status).toBe(409);
    expect((await app.get("/api/orders", bearer(token))).status).toBe(401);
    expect((await list(app)).people.map(({ revokedAt }) => revokedAt === null)).toEqual([true, false]);
  });
});

describe("a platform's user", () => {
  it.each(["console", "key-1"])("isn't the other person called %s", async (userId) => {
    const app = await startConsole({ platforms: [byUser] });
    await app.store.people.add(
      { tenant: "fake:a.example", actor: "person:key-1", name: "Ada", role: "owner", token: "t" },
      { by: "person:test", atMs: 1 },
    );
    expect((await app.get("/api/people", asUser(userId))).status).toBe(403);
    expect(await app.store.people.list("fake:a.example")).toHaveLength(1);
  });

  it("is saved as seen once in ten minutes", async () => {
    let nowMs = START_MS;
    const app = await startConsole({ now: () => nowMs });
    const seenAt = async () => (await app.store.people.list("fake:a.example"))[0]?.seenAtMs;
    await app.get("/api/orders", AS_SHOP_A);
    nowMs += 10 * 60_000 - 1;
    await app.get("/api/orders", AS_SHOP_A);
    expect(await seenAt()).toBe(START_MS);
    nowMs += 1;
    await app.get("/api/orders", AS_SHOP_A);
    expect(await seenAt()).toBe(nowMs);
  });
});

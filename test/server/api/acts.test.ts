import { describe, expect, it } from "vitest";
import { keepOrder } from "../console-app.ts";
import { startFileConsole, type FileApp } from "../file-app.ts";
import { bearer, givePerson, openSession, signIn, toJsonCall } from "../sign-in/signed-in.ts";

type Headers = Record<string, string>;

const decided = { level: "high", action: "hold" } as const;
/** From here on, nothing can be written to the access log. */
const BREAK_LOG = `create trigger broken before insert on access_log
  begin select raise(abort, 'the log cannot be written'); end`;

function press(app: FileApp, as: Headers, act: string): Promise<Response> {
  return app.send("POST", `/api/orders/2/${act}`, toJsonCall({ note: "as agreed" }, as));
}

/** Calls that show personal data or change something, and the log's name for each. */
const NOTED = [
  ["an order", "order", "1", (app: FileApp, as: Headers) => app.get("/api/orders/1", as)],
  ["a buyer's orders", "buyer", "1", (app: FileApp, as: Headers) => app.get("/api/orders/1/buyer", as)],
  [
    "the list of data requests",
    "data-requests",
    "",
    (app: FileApp, as: Headers) => app.get("/api/data-requests", as),
  ],
  [
    "a data request",
    "data-request",
    "77",
    (app: FileApp, as: Headers) => app.get("/api/data-requests/77", as),
  ],
  ...(["approve", "decline", "recheck"] as const).map(
    (act) => [`to ${act} an order`, act, "2", (app: FileApp, as: Headers) => press(app, as, act)] as const,
  ),
  ["a note", "note", "2", (app: FileApp, as: Headers) => press(app, as, "note")],
  [
    "an order that is assigned",
    "assign",
    "2",
    (app: FileApp, as: Headers) =>
      app.send("PUT", "/api/orders/2/assignee", toJsonCall({ assignee: "person:key-seen" }, as)),
  ],
  ["a file of orders", "export", "report", (app: FileApp, as: Headers) => app.get("/api/report.csv", as)],
  [
    "other settings",
    "settings",
    "alerts",
    (app: FileApp, as: Headers) =>
      app.send("PUT", "/api/settings", toJsonCall({ alerts: { email: ["ops@shop.example"] } }, as)),
  ],
  [
    "another policy",
    "policy",
    "1",
    (app: FileApp, as: Headers) => app.send("PUT", "/api/policy", toJsonCall({ mode: "shadow" }, as)),
  ],
  [
    "another role",
    "people",
    "person:key-seen",
    (app: FileApp, as: Headers) =>
      app.send("PUT", "/api/people/person:key-seen", toJsonCall({ role: "owner" }, as)),
  ],
  [
    "a person who is shut out",
    "people",
    "person:key-seen",
    (app: FileApp, as: Headers) => app.send("DELETE", "/api/people/person:key-seen", { headers: as }),
  ],
] as const;

async function start() {
  const app = await startFileConsole();
  await keepOrder(app.store, "1", { tenant: "default", decided });
  await keepOrder(app.store, "2", { tenant: "default", decided, state: "review" });
  await app.store.reports.save("default", "77", JSON.stringify({ secretPart: true }), 1_000);
  await app.store.people.add(
    { tenant: "default", actor: "person:key-seen", name: "Ada", role: "reviewer", token: "t" },
    { by: "person:test", atMs: 1 },
  );
  const { actor, token } = await givePerson(app.store, "owner");
  await app.get("/api/session", bearer(token));
  return { app, actor, as: bearer(token) };
}

describe("the access log", () => {
  it.each(NOTED)("records who did it: %s", async (_name, what, subject, call) => {
    const { app, actor, as } = await start();

    expect((await call(app, as)).ok).toBe(true);

    const { entries } = await app.store.accessLog.list("default", { limit: 1 });
    expect(entries).toMatchObject([{ actor, what, subject }]);
  });

  it.each(NOTED)(
    "is written before %s is shown or kept, or nothing is",
    async (_name, _what, _subject, call) => {
      const { app, as } = await start();
      app.exec(BREAK_LOG);
      const before = app.dump();

      const response = await call(app, as);

      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(await response.text()).not.toMatch(/reasoning|secretPart|preparedAt/);
      expect(app.dump()).toEqual(before);
    },
  );

  it("is written before a token is created or a person signs in; if it can't be, neither happens", async () => {
    const { app, as } = await start();
    const person = toJsonCall({ name: "Ada", role: "viewer" }, as);
    const added = await app.send("POST", "/api/people", person);
    const { person: made } = (await added.json()) as { person: { actor: string } };
    expect(await app.store.accessLog.list("default", { limit: 1 })).toMatchObject({
      entries: [{ what: "people", subject: made.actor }],
    });
    app.exec(BREAK_LOG);
    const before = app.dump();

    expect((await app.send("POST", "/api/people", person)).status).toBeGreaterThanOrEqual(500);
    const refused = await signIn(app);
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(app.dump()).toEqual(before);
  });

  it("has every act, however soon it is repeated, and reads once in ten minutes", async () => {
    const { app, as } = await start();
    for (let time = 0; time < 3; time += 1) {
      await app.send("PUT", "/api/policy", toJsonCall({ mode: "shadow" }, as));
      await app.send("PUT", "/api/people/person:key-seen", toJsonCall({ role: "viewer" }, as));
      await app.get("/api/orders/1", as);
    }
    const { entries } = await app.store.accessLog.list("default", { limit: 100 });
    const count = (kind: string) => entries.filter(({ what }) => what === kind).length;
    expect([count("policy"), count("people"), count("order")]).toEqual([3, 5, 1]);
  });

  it("has no entries for refused calls", async () => {
    const { app, actor, as } = await start();
    const before = app.dump()["access_log"];
    await app.send("PUT", "/api/policy", toJsonCall({ mode: "off" }, as));
    await app.send("PUT", "/api/policy", toJsonCall({ mode: "shadow" }, { ...as, "if-match": '"7"' }));
    await app.send("PUT", `/api/people/${actor}`, toJsonCall({ role: "viewer" }, as));
    await app.send("DELETE", "/api/people/person:nobody", { headers: as });
    await app.send("POST", "/api/people", toJsonCall({ name: "", role: "viewer" }, as));
    await signIn(app, "wrong");
    expect(app.dump()["access_log"]).toEqual(before);
  });

  it("can be filtered by one person and one kind", async () => {
    const { app, actor, as } = await start();
    await app.get("/api/orders/1", as);
    await app.send("PUT", "/api/policy", toJsonCall({ mode: "shadow" }, as));
    const read = async (query: string) => {
      const { entries } = (await (await app.get(`/api/access-log${query}`, as)).json()) as {
        entries: { what: string }[];
      };
      return entries.map(({ what }) => what);
    };

    expect(await read(`?actor=${actor}`)).toEqual(["policy", "order"]);
    expect(await read(`?actor=${actor}&what=order`)).toEqual(["order"]);
    expect(await read("?what=order&actor=operator")).toEqual([]);
    for (const query of ["?what=x", "?what=order&what=order", "?actor=person:%00"])
      expect((await app.get(`/api/access-log${query}`, as)).status).toBe(400);
  });
});

describe("the data stored about people", () => {
  it("contains no name, token or cookie in plain text, on the disk or in the log", async () => {
    const app = await startFileConsole();
    const added = await app.send(
      "POST",
      "/api/people",
      toJsonCall({ name: "Visible Lovelace", role: "owner" }, bearer("console-token-of-the-test")),
    );
    const { token } = (await added.json()) as { token: string };
    const { cookie } = await openSession(app, token);
    await openSession(app);
    const value = cookie.slice(cookie.indexOf("=") + 1);

    expect(app.bytes()).toContain("person:key-");
    for (const secret of ["Lovelace", token, token.slice(3), value, "console-token-of-the-test"]) {
      expect(app.bytes()).not.toContain(secret);
      expect(app.log()).not.toContain(secret);
    }
  });

  it("doesn't stop people from working if their last visit can't be saved", async () => {
    let nowMs = Date.UTC(2026, 10, 20);
    const app = await startFileConsole({ now: () => nowMs });
    const { token } = await givePerson(app.store, "viewer");
    const theirs = await openSession(app, token);
    app.exec(`create trigger broken before update on people begin select raise(abort, 'no'); end`);
    nowMs += 3_600_000;

    for (const headers of [theirs, bearer(token)])
      expect((await app.get("/api/session", headers)).status).toBe(200);
  });
});

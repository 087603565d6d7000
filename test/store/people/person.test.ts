import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ApiOperation } from "../../../src/server/http/api-route.ts";
import { isAtLeast, ROLES, type Role } from "../../../src/store/people/person.ts";
import { ACCESS_KINDS } from "../../../src/store/people/access-log.ts";
import { startConsole, type ConsoleApp } from "../../server/console-app.ts";
import { startFileConsole } from "../../server/file-app.ts";
import { bearer, givePerson, openSession, toJsonCall } from "../../server/sign-in/signed-in.ts";

interface Listed {
  readonly method: string;
  /** As the documentation writes it: `/api/orders/:orderId`. */
  readonly address: string;
  readonly operation: ApiOperation;
}

function listOperations({ routes }: Pick<ConsoleApp, "routes">): readonly Listed[] {
  return routes.flatMap(({ path, operations }) =>
    Object.entries(operations).map(([method, operation]) => ({ method, address: `/api${path}`, operation })),
  );
}

/** Calls an operation with a body that no operation can use, since the role is checked before anything is read. */
function call(app: ConsoleApp, { method, address }: Listed, headers: Record<string, string>) {
  const path = address.replaceAll(/:\w+/g, "1");
  return app.send(method, path, method === "GET" ? { headers } : toJsonCall(["no", "use"], headers));
}

describe("isAtLeast", () => {
  it.each([
    ["viewer", "viewer", true],
    ["viewer", "reviewer", false],
    ["viewer", "owner", false],
    ["reviewer", "viewer", true],
    ["reviewer", "reviewer", true],
    ["reviewer", "owner", false],
    ["owner", "viewer", true],
    ["owner", "reviewer", true],
    ["owner", "owner", true],
  ] as const)("lets a %s do what needs a %s: %s", (role, needed, may) => {
    expect(isAtLeast(role, needed)).toBe(may);
  });

  it("grants nothing to a role that this release doesn't know", () => {
    for (const needed of ROLES) expect(isAtLeast("admin" as Role, needed)).toBe(false);
  });
});

describe("every operation of the API", () => {
  it.each(["viewer", "reviewer"] as const)(
    "is refused to a %s if it needs a higher role, and changes nothing",
    async (role) => {
      const app = await startFileConsole();
      const { token } = await givePerson(app.store, role);
      const cookie = await openSession(app, token);
      expect((await app.get("/api/session", bearer(token))).status).toBe(200);
      const before = app.dump();
      expect(before["people"]).toHaveLength(1);

      const tooMuch = listOperations(app).filter(
        ({ operation }) => operation.role !== null && !isAtLeast(role, operation.role),
      );
      expect(tooMuch.length).toBeGreaterThan(5);
      for (const listed of tooMuch) {
        for (const headers of [bearer(token), cookie]) {
          const response = await call(app, listed, headers);
          expect([listed.method, listed.address, response.status]).toEqual([
            listed.method,
            listed.address,
            403,
          ]);
          expect(await response.json()).toMatchObject({
            detail: `Requires the ${listed.operation.role} role. Ask an owner for access.`,
          });
        }
      }

      expect(app.dump()).toEqual(before);
    },
  );

  it.each(ROLES)("is open to a %s if it needs no higher role", async (role) => {
    const app = await startConsole();
    const { token } = await givePerson(app.store, role);

    for (const listed of listOperations(app)) {
      if (listed.operation.role !== role) continue;
      const response = await call(app, listed, bearer(token));
      expect([401, 403], `${listed.method} ${listed.address}`).not.toContain(response.status);
    }
  });

  it("is for people who are signed in, except for signing in and for what a browser does about its own sessions", async () => {
    const app = await startFileConsole();
    const before = app.dump();
    for (const listed of listOperations(app)) {
      if (listed.operation.role === null) continue;
      for (const headers of [
        {},
        bearer("wrong"),
        { cookie: `holdfast_session_${"x".repeat(16)}=${"x".repeat(43)}`, "x-holdfast": "1" },
      ]) {
        const { status } = await call(app, listed, headers);
        expect([401, 429], `${listed.method} ${listed.address}`).toContain(status);
      }
    }
    expect(app.dump()).toEqual(before);
    const open = listOperations(app).filter(({ operation }) => operation.role === null);
    expect(open.map(({ operation }) => operation.id)).toEqual(["signIn", "listSessions", "signOutOfAll"]);
  });

  it("has its own id, and changes nothing at the role of a viewer, except signing out and their own views and notices", async () => {
    const app = await startConsole();
    const ids = listOperations(app).map(({ operation }) => operation.id);
    expect(new Set(ids).size).toBe(ids.length);
    // A viewer reads. Every change needs at least a reviewer, except of what is the caller's own.
    const changing = listOperations(app).filter(
      ({ method, operation }) => method !== "GET" && operation.role === "viewer",
    );
    expect(changing.map(({ operation }) => operation.id)).toEqual([
      "signOut",
      // Of their own.
      "saveView",
      "changeView",
      "deleteView",
      "changeNotices",
      "testNotice",
    ]);
  });

  it("is in the table of docs/console-access.md, with its role", async () => {
    const app = await startConsole();
    const document = readFileSync("docs/console-access.md", "utf8");
    const rows = [...document.matchAll(/^\| `([A-Z]+ \/api\/\S*)` \| (\w+) \|/gm)];

    const documented = rows.map(([, address, role]) => `${address} ${role}`);
    const real = listOperations(app).map(
      ({ method, address, operation }) => `${method} ${address} ${operation.role ?? "anybody"}`,
    );
    expect(documented.toSorted()).toEqual(real.toSorted());
    const noted = document.matchAll(/^\| `[A-Z]+ \/api\/\S*` \| \w+ \| (`.*) \|$/gm);
    const kinds = [...noted].flatMap(([, text = ""]) => [...text.matchAll(/`([a-z-]+)`/g)]);
    expect(new Set(kinds.map(([, kind]) => kind))).toEqual(new Set(ACCESS_KINDS));
  });
});

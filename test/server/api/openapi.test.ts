import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { createApiRoutes } from "../../../src/server/api/api.ts";
import { SKIP_REASONS } from "../../../src/order/skip-reasons.ts";
import type { ServerParts } from "../../../src/server/parts/server-parts.ts";
import { AS_SHOP_A, startConsole } from "../console-app.ts";
import { expectDescribed } from "../described-answers.ts";

describe("GET /api/openapi.json", () => {
  it("is a valid OpenAPI 3.1 document that anybody can read", async () => {
    const app = await startConsole();

    const response = await app.get("/api/openapi.json");

    expect(response.status).toBe(200);
    const document = (await response.json()) as { openapi: string };
    expect(document.openapi).toBe("3.1.0");
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it("can only be read", async () => {
    const app = await startConsole();
    for (const method of ["POST", "OPTIONS"]) {
      const response = await app.send(method, "/api/openapi.json", {});
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("describes every operation once, with the role it needs", async () => {
    const app = await startConsole();
    const { paths } = (await (await app.get("/api/openapi.json")).json()) as {
      paths: Record<string, Record<string, { operationId?: string; description?: string }>>;
    };

    // Creating routes uses none of the parts.
    const routes = createApiRoutes({} as ServerParts);
    const wanted = routes.flatMap(({ path, operations }) =>
      Object.entries(operations).map(([method, { id, role }]) => {
        return `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")} ${id} ${role}`;
      }),
    );
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([key]) => key !== "parameters")
        .map(([method, { operationId, description = "" }]) => {
          const role = /the (\w+) role/.exec(description)?.[1] ?? null;
          return `${method.toUpperCase()} ${path} ${operationId} ${role}`;
        }),
    );

    expect(described.toSorted()).toEqual(wanted.toSorted());
    const ids = routes.flatMap(({ operations }) => Object.values(operations).map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(wanted.length).toBeGreaterThan(6);
  });

  it("describes refused calls", async () => {
    const app = await startConsole();

    const response = await app.send("PUT", "/api/policy", {
      headers: { ...AS_SHOP_A, "content-type": "application/json" },
      body: '{"mode":"sometimes"}',
    });

    expect(response.status).toBe(422);
  });

  it("describes parameters and bodies as they are validated", async () => {
    const app = await startConsole();
    const { paths } = (await (await app.get("/api/openapi.json")).json()) as {
      paths: Record<string, Record<string, { parameters?: object[]; requestBody?: object }>>;
    };

    expect(paths["/orders"]?.["get"]?.parameters).toContainEqual({
      name: "limit",
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    });
    expect(paths["/policy/versions/{version}"]?.["get"]?.parameters).toEqual([
      {
        name: "version",
        in: "path",
        required: true,
        schema: { type: "integer", minimum: 0, maximum: 2_147_483_647 },
      },
    ]);
    expect(paths["/orders/{orderId}/approve"]?.["post"]?.requestBody).toMatchObject({ required: false });
    expect(paths["/orders/{orderId}/note"]?.["post"]?.requestBody).toMatchObject({ required: true });
    for (const [path, method] of [
      ["/policy", "put"],
      ["/policy/replay", "post"],
    ] as const) {
      expect(JSON.stringify(paths[path]?.[method]?.requestBody)).toContain('"deadlineHours"');
    }
    // Read-only fields must not be sent.
    expect(JSON.stringify(paths)).not.toContain('"readOnly"');
    // A client can tell every reason for not sending an order.
    expect(JSON.stringify(paths["/orders"])).toContain(JSON.stringify(SKIP_REASONS));
    // A rule has an action or `skip`, not both.
    expect(JSON.stringify(paths["/policy"])).toContain('"skip":{"not":{}}');
  });
});

describe("the check of every answer in these tests", () => {
  const page = {
    people: [
      {
        actor: "person:1",
        name: null,
        role: "owner",
        kind: "token",
        createdAt: null,
        seenAt: null,
        revokedAt: null,
      },
    ],
    hasWorkspace: false,
  };
  const [person] = page.people;
  const problem = {
    type: "about:blank",
    title: "Forbidden",
    status: 403,
    detail: "Requires the owner role. Ask an owner for access.",
    refusal: "owner-required",
  };
  const routes = createApiRoutes({} as ServerParts);
  const check = (body: unknown, status = 200, type = "application/json; charset=utf-8") =>
    expectDescribed(
      routes,
      "GET",
      "/api/people?x=1",
      new Response(JSON.stringify(body), { status, headers: { "content-type": type } }),
    );

  it("accepts what the route defines", async () => {
    await check(page);
    await check(problem, 403, "application/problem+json");
  });

  it.each<[name: string, body: unknown, status?: number, type?: string]>([
    ["an extra key", { ...page, secret: 1 }],
    ["an extra key deep inside", { ...page, people: [{ ...person, token: "t" }] }],
    ["a missing key", { people: [] }],
    ["a missing key deep inside", { ...page, people: [{ actor: "person:1" }] }],
    ["a value of another kind", { ...page, hasWorkspace: "no" }],
    ["a status that is not defined", page, 201],
    ["a problem that is not defined", { ...problem, status: 404 }, 404, "application/problem+json"],
    ["a problem with an extra key", { ...problem, hint: "x" }, 403, "application/problem+json"],
    ["a problem with an unknown code", { ...problem, code: "OOPS" }, 403, "application/problem+json"],
    ["another media type", page, 200, "text/plain"],
  ])("refuses %s", async (_name, body, status, type) => {
    await expect(check(body, status, type)).rejects.toThrow("GET /api/people answers");
  });

  it("checks what the server sends", async () => {
    const figures = { spentToday: 0.5, spentMonth: 1, savedMonth: 0, savedByReason: {}, dailyCap: null };
    const app = await startConsole({
      credits: async () => ({ ...figures, monthlyCap: null, circuit: "closed", runsOutOn: null }),
    });

    await expect(app.get("/api/credits", AS_SHOP_A)).rejects.toThrow("GET /api/credits answers 200");
  });
});

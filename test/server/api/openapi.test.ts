import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { createApiRoutes } from "../../../src/server/api/api.ts";
import type { ServerParts } from "../../../src/server/server-parts.ts";
import { AS_SHOP_A, startConsole } from "../console-app.ts";

describe("GET /api/openapi.json", () => {
  it("is a valid OpenAPI 3.1 document, and anybody may read it", async () => {
    const app = await startConsole();

    const response = await app.get("/api/openapi.json");

    expect(response.status).toBe(200);
    const document = (await response.json()) as { openapi: string };
    expect(document.openapi).toBe("3.1.0");
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it("describes every operation once, with the role it takes", async () => {
    const app = await startConsole();
    const { paths } = (await (await app.get("/api/openapi.json")).json()) as {
      paths: Record<string, Record<string, { operationId?: string; description?: string }>>;
    };

    // Creating routes touches none of the parts.
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

  it("describes what is refused", async () => {
    const app = await startConsole();

    const response = await app.send("PUT", "/api/policy", {
      headers: { ...AS_SHOP_A, "content-type": "application/json" },
      body: '{"mode":"sometimes"}',
    });

    expect(response.status).toBe(422);
  });
});

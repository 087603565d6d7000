import { expect } from "vitest";
import { z } from "zod";
import type { ApiOperation, ApiRoute } from "../../src/server/http/api-route.ts";
import { listProblems, problemJson } from "../../src/server/api/base/openapi.ts";

/** Fails unless an API response is one that its route defines, with nothing missing or extra. */
export async function expectDescribed(
  routes: readonly ApiRoute[],
  method: string,
  target: string,
  response: Response,
): Promise<void> {
  const path = target.replace(/\?.*/s, "");
  const route = routes.find((one) => toPattern(one.path).test(path));
  const operation = findOperation(route, method);
  if (route === undefined || operation === undefined || response.status === 304) return;
  const what = `${method} ${path} answers ${response.status}`;
  if (!response.ok) expect(listProblems(route.path, operation), what).toContain(response.status);
  else expect(Object.keys(operation.answers), what).toContain(String(response.status));
  if (method === "HEAD") return;
  const schema = response.ok ? operation.answers[response.status] : problemJson;
  const type = response.headers.get("content-type");
  if (schema === "text/event-stream") return expect(type, what).toBe(schema);
  const text = await response.clone().text();
  if (schema instanceof z.ZodType) {
    expect(type, what).toMatch(response.ok ? /^application\/json\b/ : /^application\/problem\+json$/);
    expectExactly(schema, JSON.parse(text), what);
  } else if (schema === null) expect(text, what).toBe("");
  else expect(type?.split(";")[0], what).toBe(schema);
}

function expectExactly(schema: z.ZodType, body: unknown, what: string): void {
  const parsed = schema.safeParse(body);
  expect(parsed.error?.issues, what).toBeUndefined();
  expect(body, what).toEqual(parsed.data);
}

function findOperation(route: ApiRoute | undefined, method: string): ApiOperation | undefined {
  const name = method === "HEAD" ? "GET" : method;
  return Object.entries(route?.operations ?? {}).find(([known]) => known === name)?.[1];
}

function toPattern(path: string): RegExp {
  return new RegExp(`^/api${path.replaceAll(/:\w+/g, "[^/]+")}$`);
}

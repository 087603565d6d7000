import { expect } from "vitest";
import type { ApiOperation, ApiRoute } from "../../src/server/api/api-route.ts";

/** Fails unless an answer of the API is one of those that its operation describes, with nothing left out or on top. */
export async function expectDescribed(
  routes: readonly ApiRoute[],
  method: string,
  target: string,
  response: Response,
): Promise<void> {
  const operation = findOperation(routes, method, target);
  if (operation === undefined || response.status === 304) return;
  const what = `${method} ${target.replace(/\?.*/, "")} answers ${response.status}`;
  if (!response.ok) {
    const known = [400, 401, 403, 429, 500, 503, ...(operation.problems ?? [])];
    expect(known, what).toContain(response.status);
    return;
  }
  const statuses = Object.keys(operation.answers);
  expect(statuses, what).toContain(String(response.status));
  const schema = operation.answers[response.status];
  if (schema === null || schema === undefined || method === "HEAD") return;
  const body: unknown = await response.clone().json();
  const parsed = schema.safeParse(body);
  expect(parsed.error?.issues, what).toBeUndefined();
  expect(body, what).toEqual(parsed.data);
}

function findOperation(
  routes: readonly ApiRoute[],
  method: string,
  target: string,
): ApiOperation | undefined {
  const path = target.replace(/\?.*/s, "");
  const name = method === "HEAD" ? "GET" : method;
  const found = routes.find((route) => toPattern(route.path).test(path));
  return Object.entries(found?.operations ?? {}).find(([known]) => known === name)?.[1];
}

function toPattern(path: string): RegExp {
  return new RegExp(`^/api${path.replaceAll(/:\w+/g, "[^/]+")}$`);
}

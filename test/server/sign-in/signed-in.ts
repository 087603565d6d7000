import { expect } from "vitest";
import { createPersonToken } from "../../../src/server/sign-in/auth.ts";
import type { Role } from "../../../src/store/people/person.ts";
import type { Store } from "../../../src/store/store.ts";
import { CONSOLE_TOKEN, type ConsoleApp } from "../console-app.ts";

/** A header with a bearer token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Signs in over HTTP. */
export function signIn(
  app: ConsoleApp,
  token: unknown = CONSOLE_TOKEN,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.send("POST", "/api/session", {
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ token }),
  });
}

/** The cookies that a browser sends back after a response that sets them: `name=value`. */
export function toCookie(response: Response): string {
  const [cookie = ""] = response.headers.getSetCookie();
  return cookie.replace(/;.*/, "");
}

/** Signs in and resolves to the headers of the console page's later calls. */
export async function openSession(app: ConsoleApp, token?: string) {
  const response = await signIn(app, token);
  expect(response.status).toBe(200);
  return { cookie: toCookie(response), "x-holdfast": "1" };
}

let people = 0;

/** Gives a person a token, without HTTP. */
export async function givePerson(
  store: Store,
  role: Role,
  tenant = "default",
): Promise<{ readonly actor: string; readonly token: string }> {
  const token = createPersonToken();
  const actor = `person:key-${(people += 1)}`;
  await store.people.add(
    { tenant, actor, name: `Person ${people}`, role, token },
    { by: "person:test", atMs: 1 },
  );
  return { actor, token };
}

/** Body and content type of a JSON call. */
export function toJsonCall(body: unknown, headers: Record<string, string>) {
  return { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

import { describe, expect, it } from "vitest";
import { AS_SHOP_A, startConsole, type ConsoleApp } from "../console-app.ts";
import { bearer, givePerson, toJsonCall } from "../sign-in/signed-in.ts";

const SHOP_A = "fake:a.example";
const LARGE = {
  list: "orders",
  name: "Large",
  shared: true,
  query: { level: "high,critical", sort: "amount" },
};

interface View {
  readonly viewId: string;
  readonly name: string;
  readonly canChange: boolean;
}

const post = (app: ConsoleApp, body: object, headers: Record<string, string> = AS_SHOP_A) =>
  app.send("POST", "/api/views", toJsonCall(body, headers));

async function list(app: ConsoleApp, headers: Record<string, string> = AS_SHOP_A): Promise<readonly View[]> {
  return ((await (await app.get("/api/views", headers)).json()) as { views: View[] }).views;
}

const as = async (app: ConsoleApp, role: "viewer" | "reviewer" | "owner", tenant = SHOP_A) =>
  bearer((await givePerson(app.store, role, tenant)).token);

describe("/api/views", () => {
  it("saves filters and sort under a name, which colleagues see with who saved them", async () => {
    const app = await startConsole();
    const response = await post(app, { ...LARGE, name: "  Large " });

    expect(response.status).toBe(200);
    const view = { ...LARGE, by: "person:7", canChange: true, viewId: expect.any(String) };
    expect(await response.json()).toMatchObject({ views: [view] });
    expect(await list(app, await as(app, "viewer"))).toMatchObject([{ ...view, canChange: false }]);
  });

  it("shows nothing of another shop, and changes nothing there", async () => {
    const app = await startConsole();
    await post(app, LARGE);
    const [view] = await list(app);
    const others = await as(app, "owner", "fake:b.example");

    expect(await list(app, others)).toEqual([]);
    const path = `/api/views/${view?.viewId}`;
    const { list: _list, ...content } = LARGE;
    expect((await app.send("PUT", path, toJsonCall(content, others))).status).toBe(404);
    expect((await app.send("DELETE", path, { headers: others })).status).toBe(404);
    expect(await list(app)).toHaveLength(1);
  });

  it("accepts what the list's own query accepts, and nothing else", async () => {
    const app = await startConsole();
    const refused = async (changes: object) => {
      const response = await post(app, { ...LARGE, ...changes });
      const { errors } = (await response.json()) as { errors?: { path: string }[] };
      return [response.status, errors?.map(({ path }) => path)];
    };

    expect(await refused({ query: { level: "huge" } })).toEqual([422, ["query.level"]]);
    expect(await refused({ query: { country: "Atlantis" } })).toEqual([422, ["query.country"]]);
    expect(await refused({ query: { level: "high", q: "jane" } })).toEqual([422, ["query.q"]]);
    expect(await refused({ query: { cursor: "x", level: "high" } })).toEqual([422, ["query.cursor"]]);
    expect(await refused({ query: {} })).toEqual([422, ["query"]]);
    expect(await refused({ name: " " })).toEqual([422, ["name"]]);
    expect(await refused({ name: "x".repeat(61) })).toEqual([422, ["name"]]);
    expect(await refused({ name: "two\nlines" })).toEqual([422, ["name"]]);
    expect(await refused({ list: "people" })).toEqual([422, ["list"]]);
    expect((await post(app, { ...LARGE, query: { country: "Germany" } })).status).toBe(200);
    expect(await list(app)).toMatchObject([{ query: { country: "DE" } }]);
  });

  it("says at the field that a name is taken", async () => {
    const app = await startConsole();
    await post(app, LARGE);
    const response = await post(app, { ...LARGE, name: "LARGE" });

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      errors: [{ path: "name", message: "A view with this name exists. Choose another name." }],
    });
  });

  it("lets viewers keep views for themselves, but not share them", async () => {
    const app = await startConsole();
    const viewer = await as(app, "viewer");

    expect((await post(app, LARGE, viewer)).status).toBe(403);
    expect((await post(app, { ...LARGE, shared: false }, viewer)).status).toBe(200);
    const [view] = await list(app, viewer);
    const { list: _list, ...content } = LARGE;
    const path = `/api/views/${view?.viewId}`;
    expect((await app.send("PUT", path, toJsonCall(content, viewer))).status).toBe(403);
    expect(await list(app)).toEqual([]);
    expect((await app.send("DELETE", path, { headers: viewer })).status).toBe(200);
  });

  it("lets an owner, but no other colleague, change what somebody shared", async () => {
    const app = await startConsole();
    const [anna, ben] = [await as(app, "reviewer"), await as(app, "reviewer")];
    await post(app, LARGE, anna);
    const [view] = await list(app, anna);
    const path = `/api/views/${view?.viewId}`;
    const { list: _list, ...content } = { ...LARGE, name: "Very large" };

    expect((await app.send("PUT", path, toJsonCall(content, ben))).status).toBe(403);
    expect((await app.send("DELETE", path, { headers: ben })).status).toBe(403);
    expect((await app.send("PUT", path, toJsonCall(content, AS_SHOP_A))).status).toBe(200);
    expect(await list(app, ben)).toMatchObject([{ name: "Very large", canChange: false }]);
    expect((await app.send("DELETE", path, { headers: AS_SHOP_A })).status).toBe(200);
    expect(await list(app, anna)).toEqual([]);
  });
});

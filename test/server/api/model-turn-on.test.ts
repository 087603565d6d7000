import { describe, expect, it } from "vitest";
import { AS_SHOP_A, startConsole, type ConsoleApp } from "../console-app.ts";

const NOW_MS = 1_700_000_100_000;
const DAY_MS = 86_400_000;
const MODEL = { center: 0.5, points: { "NIGHT:6": 8, "percentile:97": 12 } };

async function startShop() {
  let nowMs = NOW_MS;
  const app = await startConsole({ now: () => nowMs });
  return { app, pass: (days: number) => (nowMs += days * DAY_MS) };
}

function put(app: ConsoleApp, path: string, body: unknown): Promise<Response> {
  const headers = { ...AS_SHOP_A, "content-type": "application/json" };
  return app.send("PUT", path, { headers, body: JSON.stringify(body) });
}

const REFUSED = {
  code: "POLICY_INVALID",
  errors: [{ path: "localModel", message: expect.stringContaining("for 7 days first") }],
};

describe("a model of the shop's own", () => {
  it("acts only after it has run as a phantom for a week", async () => {
    const { app, pass } = await startShop();
    expect(await (await put(app, "/api/policy", { localModel: MODEL })).json()).toMatchObject(REFUSED);

    expect((await put(app, "/api/policy/phantom", { localModel: MODEL })).status).toBe(200);
    pass(6.9);
    expect((await put(app, "/api/policy", { localModel: MODEL })).status).toBe(422);
    pass(0.1);
    expect((await put(app, "/api/policy", { localModel: MODEL })).status).toBe(200);
  });

  it("doesn't act in place of another one that has run as a phantom", async () => {
    const { app, pass } = await startShop();
    await put(app, "/api/policy/phantom", { localModel: MODEL });
    pass(8);
    const other = { ...MODEL, points: { ...MODEL.points, "NIGHT:6": -8 } };
    expect(await (await put(app, "/api/policy", { localModel: other })).json()).toMatchObject(REFUSED);
  });

  it("is turned off at once, and a change of something else keeps it", async () => {
    const { app } = await startShop();
    await app.store.policies.save("fake:a.example", { localModel: MODEL }, undefined, 1);

    expect((await put(app, "/api/policy", { localModel: MODEL, mode: "shadow" })).status).toBe(200);
    const off = await put(app, "/api/policy", {});
    expect([off.status, off.headers.get("etag")]).toEqual([200, '"3"']);
    expect(await (await app.get("/api/policy", AS_SHOP_A)).json()).not.toHaveProperty("localModel");
    expect(await (await app.get("/api/policy/versions/2", AS_SHOP_A)).json()).toMatchObject({
      document: { localModel: MODEL },
    });
  });

  it("is turned on, off and run as a phantom by owners only", async () => {
    const { app } = await startShop();
    const headers = { ...AS_SHOP_A, "content-type": "application/json" };
    const body = JSON.stringify({ name: "Rita Reviewer", role: "reviewer" });
    const made = await app.send("POST", "/api/people", { headers, body });
    const { token } = (await made.json()) as { token: string };
    const asReviewer = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    for (const path of ["/api/policy", "/api/policy/phantom"]) {
      const call = { headers: asReviewer, body: JSON.stringify({ localModel: MODEL }) };
      expect((await app.send("PUT", path, call)).status).toBe(403);
    }
  });

  it("can be replayed at any time", async () => {
    const { app } = await startShop();
    const headers = { ...AS_SHOP_A, "content-type": "application/json" };
    const body = JSON.stringify({ policy: { localModel: MODEL }, days: 1 });
    const replayed = await app.send("POST", "/api/policy/replay", { headers, body });
    expect(replayed.status).toBe(200);
  });
});

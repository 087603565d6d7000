import { describe, expect, it } from "vitest";
import { AS_SHOP_A, createFakePlatform, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const HELD = { state: "review", decided: { level: "high", action: "hold" }, holdDeadlineMs: 1 } as const;
const JSON_TYPE = { "content-type": "application/json" };

async function start(): Promise<ConsoleApp> {
  const app = await startConsole();
  await keepOrder(app.store, "1", HELD);
  return app;
}
const claim = (app: ConsoleApp, takeOver?: boolean) =>
  app.send("POST", "/api/orders/1/claim", {
    headers: { ...AS_SHOP_A, ...JSON_TYPE },
    body: JSON.stringify(takeOver === undefined ? {} : { takeOver }),
  });
/** A colleague, in another process. */
const claimAsOther = (app: ConsoleApp) =>
  app.store.reviews.claim(
    { tenant: "fake:a.example", orderId: "1" },
    { actor: "person:8", nowMs: Date.now(), takeOver: true },
  );

describe("POST /api/orders/:orderId/claim", () => {
  it("shows everybody who is reviewing the order, and changes nothing else", async () => {
    const app = await start();
    const before = (await (await app.get("/api/orders/1", AS_SHOP_A)).json()) as { version: string };

    const response = await claim(app);

    expect(response.status).toBe(200);
    const shown = { by: "person:7", until: expect.any(String) };
    expect(await response.json()).toMatchObject({ claim: shown, version: before.version, state: "review" });
    const listed = await (await app.get("/api/orders?view=queue", AS_SHOP_A)).json();
    expect(listed).toMatchObject({ orders: [{ orderId: "1", claim: shown }] });
  });

  it("is refused while somebody else reviews the order, unless taken over; anybody can still decide", async () => {
    const app = await start();
    await claimAsOther(app);

    const refused = await claim(app);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("Take it over") });
    expect(await (await claim(app, true)).json()).toMatchObject({ claim: { by: "person:7" } });

    await claimAsOther(app);
    const approved = await app.send("POST", "/api/orders/1/approve", { headers: AS_SHOP_A });
    expect(approved.status).toBe(200);
    expect(await approved.json()).toMatchObject({ action: "allow", claim: null });
  });

  it("doesn't find another shop's order, and refuses unknown fields", async () => {
    const app = await startConsole({ platforms: [createFakePlatform()] });
    await keepOrder(app.store, "1", { ...HELD, tenant: "fake:b.example" });
    expect((await claim(app)).status).toBe(404);
    const wrong = await app.send("POST", "/api/orders/1/claim", {
      headers: { ...AS_SHOP_A, ...JSON_TYPE },
      body: JSON.stringify({ takeOver: "yes" }),
    });
    expect(wrong.status).toBe(422);
  });
});

describe("DELETE /api/orders/:orderId/claim", () => {
  it("ends only the caller's own claim", async () => {
    const app = await start();
    const release = () => app.send("DELETE", "/api/orders/1/claim", { headers: AS_SHOP_A });
    await claim(app);
    expect(await (await release()).json()).toMatchObject({ claim: null });

    await claimAsOther(app);
    expect(await (await release()).json()).toMatchObject({ claim: { by: "person:8" } });
  });
});

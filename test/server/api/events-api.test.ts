import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEventStream } from "../../../src/server/http/event-stream.ts";
import { createPersonToken } from "../../../src/server/sign-in/auth.ts";
import { AS_OPERATOR, AS_SHOP_A, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";
import { until } from "../../support/until.ts";

/** The events of a stream as they come: their names. */
async function follow(app: ConsoleApp, headers: Record<string, string> = AS_SHOP_A) {
  const stop = new AbortController();
  const response = await fetch(`${app.origin}/api/events`, { headers, signal: stop.signal });
  expect(response.status).toBe(200);
  onTestFinished(() => stop.abort());
  let text = "";
  void (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
  })().catch(() => "stopped");
  return {
    stop: () => stop.abort(),
    response,
    text: () => text,
    names: () => [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name),
  };
}

describe("GET /api/events", () => {
  it("tells a shop's pages that its orders changed, and nothing else", async () => {
    const app = await startConsole();
    const [own, other] = [await follow(app), await follow(app, AS_OPERATOR)];
    await until(() => expect([own.names(), other.names()]).toEqual([["orders"], ["orders"]]));

    await keepOrder(app.store, "4711", { name: "#secret" });
    await until(() => expect(own.names()).toEqual(["orders", "orders"]));

    expect(own.text()).not.toMatch(/4711|secret/);
    expect(other.names()).toEqual(["orders"]);
    expect(own.response.headers.get("content-type")).toBe("text/event-stream");
    expect(own.response.headers.get("cache-control")).toBe("no-store");
  });

  it("begins each stream with a change, because one may have been missed", async () => {
    const app = await startConsole();
    const first = await follow(app);
    await until(() => expect(first.names()).toEqual(["orders"]));
    first.stop();
    const again = await follow(app);
    await until(() => expect(again.names()).toEqual(["orders"]));
  });

  it("lets a shop open a hundred streams, and no more until one ends", async () => {
    const app = await startConsole();
    const pages = await Promise.all(Array.from({ length: 100 }, () => follow(app)));

    const refused = await app.get("/api/events", AS_SHOP_A);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    await follow(app, AS_OPERATOR);

    pages[0]?.stop();
    await until(async () => {
      const stop = new AbortController();
      const { status } = await fetch(`${app.origin}/api/events`, { headers: AS_SHOP_A, signal: stop.signal });
      stop.abort();
      expect(status).toBe(200);
    });
  });

  it("needs a session", async () => {
    const app = await startConsole();
    expect((await app.get("/api/events")).status).toBe(401);
    const headers = { authorization: `Bearer ${createPersonToken()}` };
    expect((await app.get("/api/events", headers)).status).toBe(401);
    expect((await app.send("HEAD", "/api/events", { headers: AS_SHOP_A })).status).toBe(200);
  });
});

describe("an event stream", () => {
  it("ends by itself, so that a page signs in again to go on", async () => {
    const server = createServer((_req, res) => {
      openEventStream(res, { lifeMs: 5 }).send("orders", {});
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;

    const response = await fetch(`http://127.0.0.1:${port}/`);

    expect(await response.text()).toBe("event: orders\ndata: {}\n\n");
  });
});

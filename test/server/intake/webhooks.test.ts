import { createHash } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { MAX_DELIVERY_BYTES } from "../../../src/server/intake/webhooks.ts";
import { HoldfastError } from "../../../src/base/errors.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { NewDelivery } from "../../../src/store/store.ts";
import { createFakePlatform, startConsole, type ConsoleApp } from "../console-app.ts";
import { connectRaw } from "../http/raw-client.ts";
import { until } from "../../support/until.ts";

const GOOD = { "x-fake-signature": "good", "x-fake-id": "d-1" };
const post = (
  app: ConsoleApp,
  body: BodyInit,
  headers: Record<string, string> = GOOD,
  path = "/webhooks/fake",
) => app.send("POST", path, { body, headers });
const counted = (app: ConsoleApp, outcome: string) =>
  app.metric(`holdfast_webhooks_total{platform="fake",outcome="${outcome}"}`);

/** A body without an announced length. */
function stream(bytes: number): { readonly body: BodyInit; readonly duplex: "half" } {
  const CHUNK = 64 * 1024;
  let left = bytes;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = Math.min(CHUNK, left);
      left -= size;
      if (size > 0) controller.enqueue(new Uint8Array(size));
      else controller.close();
    },
  });
  return { body, duplex: "half" };
}

function recordingIntake(result: () => Promise<"accepted" | "duplicate"> = async () => "accepted") {
  const deliveries: NewDelivery[] = [];
  return {
    deliveries,
    intake: {
      accept: (delivery: NewDelivery) => {
        deliveries.push(delivery);
        return result();
      },
      stop: async () => {},
    },
  };
}

describe("createWebhookRoutes", () => {
  it("answers 200 once the delivery is durable, and again for a duplicate", async () => {
    const app = await startConsole();

    const first = await post(app, "{}");
    expect([first.status, await first.json()]).toEqual([200, { status: "accepted" }]);
    const second = await post(app, "{}");
    expect([second.status, await second.json()]).toEqual([200, { status: "duplicate" }]);

    expect((await app.store.figures.backlog()).pending).toBe(1);
    expect(await counted(app, "accepted")).toBe(1);
    expect(await counted(app, "duplicate")).toBe(1);
  });

  it("passes on the body byte for byte, with what the platform read from the headers", async () => {
    const { deliveries, intake } = recordingIntake();
    const app = await startConsole({ intake, now: () => 1_234 });
    const body = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 256));

    await post(app, body);

    const [delivery] = deliveries;
    expect(delivery).toMatchObject({
      tenant: "fake:a.example",
      deliveryId: "d-1",
      platform: "fake",
      topic: "orders/create",
      receivedAtMs: 1_234,
    });
    expect(
      createHash("sha256")
        .update(delivery?.body ?? "")
        .digest("hex"),
    ).toBe(createHash("sha256").update(body).digest("hex"));
  });

  it.each([
    ["a wrong signature", { "x-fake-signature": "bad" }, 401, "unauthenticated"],
    ["no signature", {}, 401, "unauthenticated"],
    ["a signed delivery without its id", { "x-fake-signature": "good" }, 400, "unusable"],
    ["a compressed body", { ...GOOD, "content-encoding": "gzip" }, 415, "unusable"],
  ])("refuses %s", async (_name, headers, status, outcome) => {
    const app = await startConsole();

    const response = await post(app, "{}", headers);

    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await counted(app, outcome)).toBe(1);
    expect((await app.store.figures.backlog()).pending).toBe(0);
  });

  it("alerts after three deliveries in a row with another secret's signature, until one is accepted", async () => {
    const app = await startConsole();
    const bad = { "x-fake-signature": "bad" };
    const logged = (field: string) =>
      app
        .log()
        .split("\n")
        .filter((line) => line.includes(`"${field}":"webhooks_unauthenticated"`)).length;

    for (const headers of [bad, bad, {}, GOOD, bad, bad, {}]) await post(app, "{}", headers);
    expect(logged("alert")).toBe(0);

    for (const headers of [bad, bad]) await post(app, "{}", headers);
    await until(() => logged("alert") === 1);
    expect(logged("resolved")).toBe(0);

    for (const headers of [GOOD, GOOD]) await post(app, "{}", headers);
    await until(() => logged("resolved") === 1);
    expect(logged("alert")).toBe(1);
  });

  it("ends the alert of an earlier process, and alerts even if the store fails", async () => {
    const store = await createTestStore();
    await store.incidents.open({ name: "webhooks_unauthenticated:fake", nowMs: Date.now() });
    const app = await startConsole({ store });

    await post(app, "{}");
    await until(() => app.log().includes('"resolved":"webhooks_unauthenticated"'));

    vi.spyOn(store.incidents, "open").mockRejectedValue(new Error("down"));
    for (let sent = 0; sent < 3; sent += 1) await post(app, "{}", { "x-fake-signature": "bad" });
    await until(() => app.log().includes('"alert":"webhooks_unauthenticated"'));
  });

  it("shows every outcome at zero before the first delivery", async () => {
    const app = await startConsole();

    for (const outcome of [
      "accepted",
      "duplicate",
      "unauthenticated",
      "unusable",
      "too_large",
      "unavailable",
    ]) {
      expect(await counted(app, outcome)).toBe(0);
    }
  });

  it("treats `identity` as no encoding", async () => {
    const app = await startConsole();
    expect((await post(app, "{}", { ...GOOD, "content-encoding": "identity" })).status).toBe(200);
  });

  it("passes an empty body to the platform", async () => {
    const app = await startConsole();
    expect((await post(app, "", {})).status).toBe(401);
    expect((await post(app, "")).status).toBe(200);
  });

  it("ignores a query and a trailing slash", async () => {
    const app = await startConsole();
    expect((await post(app, "{}", GOOD, "/webhooks/fake/?x=1")).status).toBe(200);
  });

  it.each([
    ["announced", (bytes: number) => ({ body: Buffer.alloc(bytes) })],
    ["streamed", stream],
  ])("accepts exactly 5 MB and refuses a byte more (%s)", async (_name, make) => {
    const app = await startConsole();

    const fitting = await app.send("POST", "/webhooks/fake", { ...make(MAX_DELIVERY_BYTES), headers: GOOD });
    expect(fitting.status).toBe(200);
    const over = await app.send("POST", "/webhooks/fake", { ...make(MAX_DELIVERY_BYTES + 1), headers: GOOD });
    expect(over.status).toBe(413);

    expect(MAX_DELIVERY_BYTES).toBe(5 * 1024 * 1024);
    expect(await counted(app, "too_large")).toBe(1);
  });

  it("refuses by the announced length before a byte of the body has arrived", async () => {
    const app = await startConsole();
    const client = await connectRaw(app.port);

    client.write(
      `POST /webhooks/fake HTTP/1.1\r\nHost: x\r\nContent-Length: ${MAX_DELIVERY_BYTES + 1}\r\n\r\n`,
    );

    expect(await client.until("\r\n\r\n")).toContain("413 Payload Too Large");
  });

  it("disconnects a sender that keeps sending after the refusal", async () => {
    const app = await startConsole();
    // Only the amount can end the connection: the time limit never fires.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const client = await connectRaw(app.port);
    client.write("POST /webhooks/fake HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
    await client.until("413");

    for (let sent = 0; sent < 20; sent += 1) client.write(Buffer.alloc(1024 * 1024));

    expect(await client.closed()).toContain("413");
  });

  it("answers the next request on the connection of a refused one", async () => {
    const app = await startConsole();
    const client = await connectRaw(app.port);
    const body = "x".repeat(100);
    const head = `POST /webhooks/fake HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`;

    client.write(`${head}${body}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);

    expect(await client.until('{"status":"ok"}')).toContain("415 Unsupported Media Type");
  });

  it("waits for a body that arrives in pieces", async () => {
    const { deliveries, intake } = recordingIntake();
    const app = await startConsole({ intake });
    const client = await connectRaw(app.port);
    client.write(
      "POST /webhooks/fake HTTP/1.1\r\nHost: x\r\nx-fake-signature: good\r\nx-fake-id: d-1\r\nContent-Length: 6\r\n\r\n",
    );

    client.write("abc");
    client.write("def");

    expect(await client.until("accepted")).toContain("200 OK");
    expect(deliveries[0]?.body.toString()).toBe("abcdef");
  });

  it("gives up on a body that never arrives", async () => {
    const app = await startConsole({ bodyTimeoutMs: 30 });
    const client = await connectRaw(app.port);

    client.write("POST /webhooks/fake HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc");

    expect(await client.until("\r\n\r\n")).toContain("408 Request Timeout");
  });

  it("stores and counts nothing for a delivery whose sender disconnected", async () => {
    const { deliveries, intake } = recordingIntake();
    const app = await startConsole({ intake, draining: () => false });
    const client = await connectRaw(app.port);
    client.write(
      "POST /webhooks/fake HTTP/1.1\r\nHost: x\r\nx-fake-signature: good\r\nx-fake-id: d-1\r\nContent-Length: 6\r\n\r\nabc",
    );

    client.abort();

    // Handled after the reset, since both are events of the same loop and the reset came first.
    expect((await post(app, "{}", {})).status).toBe(401);
    expect(deliveries).toEqual([]);
    expect(await counted(app, "unauthenticated")).toBe(1);
    expect(await counted(app, "unusable")).toBe(0);
    expect(app.log()).not.toContain('"level":"error"');
  });

  it.each(["STORE_UNAVAILABLE", "SHUTTING_DOWN"] as const)(
    "answers 503 with Retry-After on %s",
    async (code) => {
      const error = new HoldfastError(code, "cannot keep it", { retryable: true, retryAtMs: 90_000 });
      const { intake } = recordingIntake(() => Promise.reject(error));
      const app = await startConsole({ intake, now: () => 60_000 });

      const response = await post(app, "{}");

      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("30");
      expect(await response.json()).toMatchObject({ status: 503, code });
      expect(await counted(app, "unavailable")).toBe(1);
    },
  );

  it("answers 503 before the platform gives up on a store that hangs, and holds the memory until it answers", async () => {
    const { promise: kept, resolve: keep } = Promise.withResolvers<"accepted">();
    const { deliveries, intake } = recordingIntake(() => kept);
    const app = await startConsole({ intake, saveTimeoutMs: 30 });
    const large = () => post(app, Buffer.alloc(MAX_DELIVERY_BYTES));

    // As many as fit into the memory for large deliveries.
    for (let index = 0; index < 6; index += 1) {
      expect(await (await large()).json()).toMatchObject({ status: 503, code: "STORE_UNAVAILABLE" });
    }
    expect((await large()).status).toBe(503);
    expect(deliveries).toHaveLength(6);
    expect((await app.get("/readyz")).status).toBe(503);
    keep("accepted");

    expect((await large()).status).toBe(200);
    expect((await app.get("/readyz")).status).toBe(200);
    expect(await counted(app, "unavailable")).toBe(7);
    expect(await counted(app, "accepted")).toBe(1);
  });

  it("answers 503 and ends the connection while the process stops, without reading the body", async () => {
    const { deliveries, intake } = recordingIntake();
    const app = await startConsole({ intake, draining: () => true });
    const client = await connectRaw(app.port);

    client.write("POST /webhooks/fake HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n");

    expect(await client.until("\r\n\r\n")).toMatch(
      /503 Service Unavailable[^]*Connection: close[^]*Retry-After: \d+/,
    );
    expect(deliveries).toEqual([]);
  });

  it("shows only an error ID for an unexpected error", async () => {
    const { intake } = recordingIntake(() => Promise.reject(new Error("jane@example.com broke it")));
    const app = await startConsole({ intake });

    const response = await post(app, "{}");
    const problem = (await response.json()) as { errorId: string };

    expect(response.status).toBe(500);
    expect(JSON.stringify(problem)).not.toContain("jane");
    expect(app.log()).toContain(problem.errorId);
    expect(app.log()).not.toContain("jane@example.com");
    expect(await counted(app, "unavailable")).toBe(1);
  });

  it("releases the memory of finished requests", async () => {
    const { intake } = recordingIntake();
    const app = await startConsole({ intake });

    // More in total than may be held at once.
    for (let index = 0; index < 30; index += 1) {
      expect((await post(app, Buffer.alloc(MAX_DELIVERY_BYTES))).status).toBe(200);
    }
  });

  it("answers 503 to large deliveries that fill the memory set aside for them, and recovers", async () => {
    const { promise: kept, resolve: keep } = Promise.withResolvers<"accepted">();
    const { deliveries, intake } = recordingIntake(() => kept);
    const app = await startConsole({ intake });
    const body = Buffer.alloc(MAX_DELIVERY_BYTES);

    const waiting = Array.from({ length: 6 }, () => post(app, body));
    await until(() => expect(deliveries.length).toBe(6));
    const refused = await post(app, body);
    const ordinary = post(app, Buffer.alloc(8_000));
    await until(() => expect(deliveries.length).toBe(7));
    keep("accepted");
    const statuses = (await Promise.all([...waiting, ordinary])).map((response) => response.status);

    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await post(app, body)).status).toBe(200);
  });

  it("accepts every ordinary delivery while 130 anonymous large bodies hang", async () => {
    const app = await startConsole();
    const flood = await Promise.all(
      Array.from({ length: 130 }, async (_, index) => {
        const client = await connectRaw(app.port);
        client.write(
          `POST /webhooks/fake HTTP/1.1\r\nHost: x\r\nContent-Length: ${MAX_DELIVERY_BYTES}\r\n\r\n`,
        );
        // The smaller bodies fill the space that the large ones leave.
        client.write(Buffer.alloc(index < 30 ? MAX_DELIVERY_BYTES - 1 : index < 90 ? 60_000 : 2_000));
        return client;
      }),
    );
    await Promise.any(flood.map((client) => client.until("503 Service Unavailable")));

    const statuses: number[] = [];
    for (let index = 0; index < 100; index += 1) {
      const headers = { ...GOOD, "x-fake-id": `d-${index}` };
      statuses.push((await post(app, Buffer.alloc(8_000), headers)).status);
    }

    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it.each(["GET", "HEAD", "PUT", "DELETE"])("answers %s with 405", async (method) => {
    const app = await startConsole();

    const response = await app.send(method, "/webhooks/fake");

    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
  });

  it.each(["/webhooks/other", "/webhooks", "/webhooks/", "/webhooks/fake/more", "/webhooks/FAKE"])(
    "finds nothing at %s",
    async (path) => {
      const app = await startConsole();
      expect((await post(app, "{}", GOOD, path)).status).toBe(404);
    },
  );

  it("serves two platforms separately", async () => {
    const other = {
      ...createFakePlatform(),
      name: "other",
      authenticate: () => ({ outcome: "unusable" as const, reason: "" }),
    };
    const app = await startConsole({ platforms: [createFakePlatform(), other] });

    expect((await post(app, "{}")).status).toBe(200);
    expect((await post(app, "{}", GOOD, "/webhooks/other")).status).toBe(400);
    expect(await app.metric('holdfast_webhooks_total{platform="other",outcome="unusable"}')).toBe(1);
  });
});

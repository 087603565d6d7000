import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { connect as connectSocket, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { fastify } from "fastify";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  catalogWebhook,
  openFileInbox,
  parseEvent,
  type CatalogEvent,
  type CatalogWebhook,
  type CatalogWebhookOptions,
  type WatchedJob,
} from "../../src/catalog.ts";
import { sendJson, startServer } from "../service/loopback.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { until } from "../support/until.ts";
import { createMemoryInbox } from "../../src/catalog/events/event-inbox.ts";
import { addProducts, startCatalog } from "./catalog-stage.ts";

/** A receiver whose waits take no time and move no clock. */
function receive(options: CatalogWebhookOptions): CatalogWebhook {
  const wait = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const hook = catalogWebhook({ wait, ...options });
  onTestFinished(() => hook.close());
  return hook;
}

/** Serves a handler on this machine until the test ends. */
async function serve(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const HOSTS: Readonly<Record<string, (hook: CatalogWebhook) => Promise<string>>> = {
  "node:http": (hook) => serve((request, response) => void hook.express(request, response)),
  express: async (hook) => {
    const app = express();
    app.all("/hook", express.json(), (request, response) => void hook.express(request, response));
    return serve(app as Parameters<typeof createServer>[1]);
  },
  fastify: async (hook) => {
    const app = fastify();
    for (const method of ["POST", "PUT"] as const) {
      app.route({ method, url: "/hook", handler: (request, reply) => hook.fastify(request, reply) });
    }
    onTestFinished(() => app.close());
    return `${await app.listen({ port: 0, host: "127.0.0.1" })}/hook`;
  },
  fetch: (hook) =>
    serve((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const { method = "POST" } = request;
        const answer = await hook.fetch(
          new Request("http://host/hook", { method, body: Buffer.concat(chunks).toString() }),
        );
        response.writeHead(answer.status).end();
      })();
    }),
};

describe("catalogWebhook", () => {
  it.each(Object.keys(HOSTS))(
    "receives a job event on %s, and reports the job as the service has it",
    async (host) => {
      for (const payloadKey of ["data", "payload"]) {
        const stage = await startCatalog({ catalog: { payloadKey } });
        const events: CatalogEvent[] = [];
        const hook = receive({ client: stage.client, onEvent: (event) => events.push(event) });
        const url = (await HOSTS[host]?.(hook)) ?? "";
        await stage.client.webhooks.create({
          url,
          method: "put",
          eventType: ["product_enrichment.start", "product_enrichment.completed"],
        });
        const productIds = await addProducts(stage.client, 1);

        const { jobId } = await stage.client.enrichmentJobs.create({ productIds, modelType: "budget-v1" });
        stage.clock.pass(60_000);
        stage.service.advanceJobs();
        await stage.service.delivered();
        await hook.settled();

        expect(stage.service.deliveries.map(({ status }) => status)).toEqual([200, 200]);
        expect(events.map(({ event }) => event).toSorted()).toEqual([
          "product_enrichment.completed",
          "product_enrichment.start",
        ]);
        expect(events[0]).toMatchObject({ jobId, job: { status: "completed", successCount: 1 } });
      }
    },
  );

  it.each(["text", "raw"] as const)("reads a body that express.%s left unparsed", async (reader) => {
    const { client } = await startCatalog();
    const hook = receive({ client, onEvent: () => {} });
    const app = express();
    app.post("/hook", express[reader]({ type: () => true }), (request, response) => {
      void hook.express(request, response);
    });
    const url = await serve(app as Parameters<typeof createServer>[1]);
    const event = { webhookId: "w", event: "product_enrichment.start", data: { id: "job" } };

    const statuses = [];
    for (const body of [JSON.stringify(event), "no event"]) {
      statuses.push((await fetch(url, { method: "POST", body })).status);
    }

    expect(statuses).toEqual([200, 400]);
  });

  /** Posts bodies to a receiver, without a host. */
  const post = async (hook: CatalogWebhook, ...bodies: readonly unknown[]) => {
    const statuses: number[] = [];
    for (const body of bodies) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const answer = await hook.fetch(new Request("http://host/hook", { method: "POST", body: text }));
      statuses.push(answer.status);
    }
    await hook.settled();
    return statuses;
  };

  it("handles a duplicate once, and drops events that the service doesn't confirm", async () => {
    const { client } = await startCatalog();
    const productIds = await addProducts(client, 1);
    const { jobId } = await client.enrichmentJobs.create({ productIds, modelType: "budget-v1" });
    const events: string[] = [];
    const hook = receive({ client, onEvent: ({ event }) => events.push(event) });
    const start = { webhookId: "w", event: "product_enrichment.start", data: { id: jobId } };

    const statuses = await post(
      hook,
      start,
      start,
      { ...start, event: "product_enrichment.stopped" },
      { ...start, event: "product_enrichment.completed" },
      { ...start, data: { id: "nobody" } },
      { webhookId: "w", event: "ai_import.start", whatever: { jobId: "nobody" } },
    );

    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    await hook.settled();
    expect(events).toEqual(["product_enrichment.start"]);
  });

  it("doesn't mistake an early or forged event for the real one", async () => {
    for (const inbox of [createMemoryInbox(), await openFileInbox(":memory:")]) {
      const { client, clock, service } = await startCatalog();
      const productIds = await addProducts(client, 1);
      const { jobId } = await client.enrichmentJobs.create({ productIds, modelType: "budget-v1" });
      const events: string[] = [];
      const hook = receive({ client, inbox, onEvent: ({ event }) => events.push(event) });
      const completed = { webhookId: "w", event: "product_enrichment.completed", data: { id: jobId } };

      await post(hook, completed);
      expect(events).toEqual([]);
      clock.pass(60_000);
      service.advanceJobs();
      await post(hook, completed, completed);

      expect(events).toEqual(["product_enrichment.completed"]);
      expect(await inbox.pending()).toEqual([]);
    }
  });

  it("passes on a market analysis without a job, but no unknown event name", async () => {
    const { client } = await startCatalog();
    const events: CatalogEvent[] = [];
    const hook = receive({ client, onEvent: (event) => events.push(event) });

    const statuses = await post(
      hook,
      { webhookId: "w", event: "order.refund_all", data: { id: "evil" } },
      { webhookId: "w", event: "product_market_analysis.later", data: { id: "evil" } },
      { webhookId: "w", event: "product_market_analysis.start", data: { id: "m" } },
    );

    expect(statuses).toEqual([400, 400, 200]);
    expect(events).toEqual([
      { webhookId: "w", event: "product_market_analysis.start", jobId: "m", job: null },
    ]);
  });

  it("reads no more for a flood of forged events than for one, and stores none of them", async () => {
    const readsFor = async (ids: readonly string[]) => {
      const server = await startServer((response) =>
        sendJson(response, 200, {
          success: true,
          data: {
            jobs: [{ id: "other", status: "completed" }],
            pagination: { page: 1, limit: 100, total: 300, totalPages: 3 },
          },
        }),
      );
      const { connect } = await startCatalog();
      const inbox = await openFileInbox(":memory:");
      const client = connect({ url: server.url });
      const hook = receive({ client, inbox, onEvent: () => expect.fail("forged") });
      const forged = ids.map((id) => ({ webhookId: "w", event: "ai_import.start", data: { id } }));
      expect(new Set(await Promise.all(forged.map(async (event) => (await post(hook, event))[0])))).toEqual(
        new Set([200]),
      );
      expect(await inbox.pending()).toEqual([]);
      return server.seen.length;
    };

    const one = await readsFor(["1"]);

    // A page that repeats the one before ends the list: two quick looks and six thorough ones, of two pages each.
    expect(one).toBe(16);
    expect(await readsFor(Array.from({ length: 50 }, (_, id) => String(id)))).toBeLessThan(3 * one);
  });

  it("refuses a body that isn't an event, from any sender", async () => {
    const { client } = await startCatalog();
    const hook = receive({ client, webhookIds: ["w"], onEvent: () => expect.fail("not an event") });

    const statuses = await post(
      hook,
      "",
      "null",
      "{",
      { webhookId: "w", event: "ai_import.start" },
      { webhookId: "w", event: "x", a: { id: "1" } },
      { webhookId: "w", event: "ai_import.start", a: { id: 1 } },
      { webhookId: "other", event: "ai_import.start", a: { id: "1" } },
      { webhookId: "w", event: "ai_import.start", a: { id: "1", more: "x".repeat(70_000) } },
    );

    expect(new Set(statuses)).toEqual(new Set([400]));
  });

  it("survives a sender that disconnects in the middle of a body", async () => {
    const { client } = await startCatalog();
    const hook = receive({ client, onEvent: () => expect.fail("not an event") });
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    const url = await serve((request, response) => {
      hook.express(request, response).then(
        () => resolve("answered"),
        (error: unknown) => resolve(String(error)),
      );
    });
    const { port } = new URL(url);
    const socket = connectSocket(Number(port), "127.0.0.1");
    socket.write("POST /hook HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{", () => socket.destroy());

    expect(await ended).toBe("answered");
  });

  it("wakes callers that wait for the job", async () => {
    const stage = await startCatalog();
    const productIds = await addProducts(stage.client, 1);
    let waits = 0;
    // No clock moves, so without the hint this would wait forever.
    const patient = stage.connect({
      wait: (_ms, signal) =>
        new Promise((_resolve, reject) => {
          waits += 1;
          signal?.addEventListener("abort", () => reject(new Error("woken")));
        }),
    });
    const { jobId } = await patient.enrichmentJobs.create({ productIds, modelType: "budget-v1" });
    const end = patient.waitForJob(jobId);
    await until(() => waits === 1);
    stage.clock.pass(60_000);

    const hook = receive({ client: patient, onEvent: () => {} });
    await post(hook, { webhookId: "w", event: "product_enrichment.completed", data: { id: jobId } });

    expect(await end).toMatchObject({ outcome: "completed" });
    expect(waits).toBe(1);
  });

  it("keeps its answers across a crash, in a file", async () => {
    const { client } = await startCatalog();
    const productIds = await addProducts(client, 1);
    const { jobId } = await client.enrichmentJobs.create({ productIds, modelType: "budget-v1" });
    const folder = mkdtempSync(join(tmpdir(), "holdfast-inbox-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const start = { webhookId: "w", event: "product_enrichment.start", data: { id: jobId } };
    const before = await openFileInbox(join(folder, "inbox.db"));
    const failing = receive({
      client,
      inbox: before,
      onEvent: () => {
        throw new Error("the handler is broken");
      },
    });
    const answer = await failing.fetch(
      new Request("http://host/hook", { method: "POST", body: JSON.stringify(start) }),
    );
    expect(answer.status).toBe(200);
    await failing.close();
    before.close();

    const inbox = await openFileInbox(join(folder, "inbox.db"));
    onTestFinished(() => inbox.close());
    const events: string[] = [];
    const hook = receive({ client, inbox, onEvent: ({ event }) => events.push(event) });
    await post(hook, start);

    expect(events).toEqual(["product_enrichment.start"]);
    expect(await inbox.pending()).toEqual([]);
  });
});

/** A client whose reads of jobs a test decides, look by look. */
function reads(...looks: readonly (WatchedJob | Error | undefined)[]) {
  const seen: (number | undefined)[] = [];
  let last: WatchedJob | Error | undefined;
  const client = {
    hint: () => {},
    async findJobs(_ids: readonly string[], { maxPages }: { readonly maxPages?: number | undefined }) {
      last = seen.length < looks.length ? looks[seen.length] : last;
      seen.push(maxPages);
      if (last instanceof Error) throw last;
      return new Map(last === undefined ? [] : [[last.id, last]]);
    },
  };
  return { client, seen };
}

function jobIn(status: string): WatchedJob {
  const none = {
    total: null,
    processedCount: null,
    successCount: null,
    failedCount: null,
    errorSummary: null,
  };
  return { id: "job", status, ...none, data: { id: "job", status } };
}

describe("an event that comes only once", () => {
  const completed = {
    webhookId: "w",
    event: "product_enrichment.completed",
    data: { id: "job", status: "completed", completedAt: "2026-11-28T10:00:00Z" },
  };
  const deliver = (hook: CatalogWebhook, body: unknown) =>
    hook.fetch(new Request("http://host/hook", { method: "POST", body: JSON.stringify(body) }));

  it.each([
    ["the read that fails", [new Error("down"), new Error("down"), jobIn("completed")]],
    ["the read that still says processing", [jobIn("processing"), jobIn("processing"), jobIn("completed")]],
    ["the list that shows the job late", [undefined, undefined, undefined, jobIn("completed")]],
  ])("survives %s", async (_what, looks) => {
    const { client } = reads(...looks);
    const events: CatalogEvent[] = [];
    const hook = receive({ client, onEvent: (event) => events.push(event) });

    await deliver(hook, completed);
    await hook.settled();

    expect(events).toMatchObject([
      { event: "product_enrichment.completed", status: "completed", completedAt: "2026-11-28T10:00:00Z" },
    ]);
    expect(events[0]?.job?.status).toBe("completed");
  });

  it("is found beyond the first 200 jobs of the list", async () => {
    const { client, seen } = reads(undefined, undefined, jobIn("completed"));
    const events: CatalogEvent[] = [];
    const hook = receive({ client, onEvent: (event) => events.push(event) });

    await deliver(hook, completed);
    await hook.settled();

    expect(events).toHaveLength(1);
    expect(seen).toEqual([2, 2, undefined]);
  });

  it("survives a handler that throws twice", async () => {
    const { client } = reads(jobIn("completed"));
    let calls = 0;
    const inbox = createMemoryInbox();
    const hook = receive({
      client,
      inbox,
      onEvent: () => {
        calls += 1;
        if (calls < 3) throw new Error("not yet");
      },
    });

    await deliver(hook, completed);
    await hook.settled();

    expect(calls).toBe(3);
    expect(await inbox.pending()).toEqual([]);
  });

  it("isn't held up by eight handlers that hang", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const hung = Promise.withResolvers<void>();
    const client = {
      hint: () => {},
      findJobs: async (ids: readonly string[]) =>
        new Map(ids.map((id) => [id, { ...jobIn("completed"), id }])),
    };
    const handled: string[] = [];
    const hook = receive({
      client,
      onEvent: ({ jobId }) => (jobId === "last" ? void handled.push(jobId) : hung.promise),
    });
    for (const id of ["1", "2", "3", "4", "5", "6", "7", "8"])
      await deliver(hook, { ...completed, data: { id } });

    await deliver(hook, { ...completed, data: { id: "last" } });
    await vi.waitFor(() => {
      vi.advanceTimersByTime(30_000);
      expect(handled).toEqual(["last"]);
    });
    hung.resolve();
    await hook.settled();
  });

  it("is dropped if the job ended in another way, or stays unconfirmed, and each drop is logged", async () => {
    const { logger, lines } = createLogRecorder();
    for (const look of [jobIn("stopped"), jobIn("processing")]) {
      const { client } = reads(look);
      const hook = receive({ client, logger, onEvent: () => expect.fail("not confirmed") });
      await deliver(hook, { ...completed, event: "product_enrichment.failed" });
      await deliver(
        hook,
        look.status === "stopped" ? { ...completed, event: "product_validation.stopped" } : completed,
      );
      await deliver(hook, "no event");
      await hook.close();
    }
    expect(
      lines.map(({ message }) => message).filter((message) => String(message).includes("dropped")).length,
    ).toBeGreaterThan(2);
  });
});

describe("parseEvent", () => {
  it.each([
    ["beside other objects", { about: { id: "organization" }, data: { id: "job" } }],
    [
      "under an unknown key, known by its facts",
      { organization: { id: "o" }, x: { id: "job", status: "completed" } },
    ],
    ["under the only key", { anything: { id: "job" } }],
    ["with `jobId` as its key", { data: { jobId: "job" } }],
  ])("finds the payload %s", (_where, fields) => {
    expect(parseEvent({ webhookId: "w", event: "ai_import.start", ...fields })).toMatchObject({
      jobId: "job",
    });
  });

  it("keeps what the payload says, and leaves out what can't be read", () => {
    const body = {
      webhookId: "w",
      event: "product_enrichment.stopped",
      data: { id: "job", status: "stopped", stoppedAt: 7, extra: "x" },
    };

    expect(parseEvent(body)).toEqual({
      webhookId: "w",
      event: "product_enrichment.stopped",
      jobId: "job",
      status: "stopped",
    });
  });

  it.each([undefined, null, 1, "x", [], {}, { webhookId: "w", event: "order.refund", data: { id: "1" } }])(
    "answers undefined for %j",
    (body) => {
      expect(parseEvent(body)).toBeUndefined();
    },
  );
});

describe("openFileInbox", () => {
  const event = { webhookId: "w", event: "ai_import.start", jobId: "1" } as const;

  it("remembers the last ten thousand handled events", async () => {
    const inbox = await openFileInbox(":memory:");
    await inbox.keep("waiting", event);
    for (let index = 0; index <= 10_000; index += 1) {
      await inbox.keep(`key ${index}`, event);
      await inbox.done(`key ${index}`);
    }

    expect(await inbox.pending()).toEqual([{ key: "waiting", event }]);
    expect(await inbox.keep("key 1", event)).toBe(false);
    expect(await inbox.keep("key 0", event)).toBe(true);
  });

  it("accepts no more than ten thousand waiting events", async () => {
    const inbox = await openFileInbox(":memory:");
    for (let index = 0; index < 10_000; index += 1) await inbox.keep(`key ${index}`, event);

    await expect(inbox.keep("one more", event)).rejects.toThrow("full");
    await inbox.done("key 0");
    await inbox.forget("key 1");
    expect(await inbox.keep("one more", event)).toBe(true);
    expect(await inbox.pending()).toHaveLength(9_999);
  });
});

import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createCatalogClient, isHoldfastError, type CatalogClient } from "../../src/catalog.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  SANDBOX_ORGANIZATION,
  type ServedRequest,
} from "../../src/sandbox/sandbox-service.ts";
import { brandRows, createTestClock } from "./catalog-stage.ts";

const ITEM_MS = 1_000;

/** A sandbox on a file that can be restarted at its address, and a client that waits by moving the clock. */
async function stage(credits: number, limit: number) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-catalog-"));
  const clock = createTestClock();
  const create = () =>
    createSandboxService({
      credits,
      rateLimit: { limit, windowMs: 20_000 },
      path: join(folder, "catalog.db"),
      catalog: { itemMs: ITEM_MS },
      now: clock.now,
    });
  let service = create();
  const url = await service.listen();
  onTestFinished(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });
  const client = createCatalogClient({
    url,
    apiKey: SANDBOX_API_KEY,
    organization: SANDBOX_ORGANIZATION,
    now: clock.now,
    wait: clock.wait,
  });
  onTestFinished(() => client.close());
  return {
    client,
    clock,
    creditsLeft: () => service.creditsOf(SANDBOX_ORGANIZATION),
    /** For the client, this is another process: only the file is the same. */
    restart: async () => {
      await service.close();
      service = create();
      await service.listen(Number(url.port));
    },
  };
}

/** How many items of a job are in each state, by its items and by its counters. */
async function picture(client: CatalogClient, jobId: string) {
  const items = await client.brandJobs.items(jobId, { limit: 100 }).all();
  const { data } = await client.brandJobs.items(jobId, { limit: 1 }).page();
  const count = (message: string | null, status: string) =>
    items.filter((item) => item.status === status && (message === null || item.errorMessage === message))
      .length;
  return {
    job: data.job,
    completed: count(null, "completed"),
    failed: count(null, "failed"),
    open: count(null, "pending") + count(null, "processing"),
    stopped: count("Job was stopped by user", "failed"),
    unpaid: count("Credit balance limit has been reached.", "failed"),
  };
}

it("a job of 2,000 brands that is stopped at 300: the client sees the service's state", async () => {
  const { client, creditsLeft } = await stage(1_500, 100_000);
  const { jobId } = await client.brandJobs.create({ rows: brandRows(2_000), inputColumns: ["name"] });

  const end = await client.waitForJob(jobId, {
    onProgress: (job) => {
      // Don't await the response to the stop: the poll finds out.
      if ((job.processedCount ?? 0) >= 300 && job.status === "processing")
        void client.brandJobs.stop(jobId).catch(() => {});
    },
  });
  const seen = await picture(client, jobId);

  expect(end).toMatchObject({ outcome: "partial", job: { status: "stopped" } });
  expect(end.job.successCount).toBe(seen.completed);
  expect(end.job.failedCount).toBe(seen.failed);
  expect(seen).toMatchObject({ open: 0, unpaid: 0, stopped: 2_000 - seen.completed });
  expect(seen.completed).toBeGreaterThanOrEqual(300);
  expect(seen.completed).toBeLessThan(400);
  expect(creditsLeft()).toBe(1_500 - seen.completed);
});

it("a job of 2,000 brands whose credits run out at 1,500, with a restart at 900 and a 429 storm: the same", async () => {
  const { client, creditsLeft, restart } = await stage(1_500, 12);
  const { jobId } = await client.brandJobs.create({ rows: brandRows(2_000), inputColumns: ["name"] });
  const second = await client.brandJobs
    .create({ rows: brandRows(1), inputColumns: ["name"] })
    .catch((error: unknown) => error);
  let restarts = 0;
  let restarting: Promise<void> | undefined;

  const end = await client.waitForJob(jobId, {
    onProgress: (job) => {
      if ((job.processedCount ?? 0) < 900 || restarts > 0) return;
      restarts += 1;
      restarting = restart();
      // A storm of other readers on the same key uses up the limit again and again.
      for (let count = 0; count < 40; count += 1) void client.brands.check({ name: "a" }).catch(() => {});
    },
  });
  await restarting;
  const seen = await picture(client, jobId);

  expect(isHoldfastError(second, "SERVICE_CONFLICT")).toBe(true);
  expect(restarts).toBe(1);
  expect(end).toMatchObject({
    outcome: "partial",
    job: {
      status: "completed_with_errors",
      total: 2_000,
      processedCount: 2_000,
      successCount: 1_500,
      failedCount: 500,
      errorSummary: "Credit balance limit has been reached.",
    },
  });
  expect(seen).toMatchObject({ completed: 1_500, failed: 500, unpaid: 500, stopped: 0, open: 0 });
  expect(seen.job).toMatchObject({ status: end.job.status, successCount: 1_500 });
  expect(creditsLeft()).toBe(0);
});

it("a request that was under way when the sandbox closed leaves the file closed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-catalog-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { promise: ended, resolve: onRequest } = Promise.withResolvers<ServedRequest>();
  const service = createSandboxService({ path: join(folder, "catalog.db"), onRequest });
  const { port } = await service.listen();
  const socket = connect(Number(port), "127.0.0.1");
  const lines = [
    "POST /api/sandbox/brands/check HTTP/1.1",
    "Host: sandbox",
    `X-API-Key: ${SANDBOX_API_KEY}`,
    "Content-Type: application/json",
    "Content-Length: 50",
    // Node announces that it accepts the body, and then calls the sandbox, which waits for it.
    "Expect: 100-continue",
  ];
  socket.write([...lines, "", ""].join("\r\n"));
  await once(socket, "data");

  await service.close();
  expect((await ended).ended).toBe("caller-left");

  // The code at the end of the request has run.
  await new Promise((resolve) => setImmediate(resolve));
  expect(readdirSync(folder)).toEqual(["catalog.db"]);
});

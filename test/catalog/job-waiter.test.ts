import { describe, expect, it } from "vitest";
import { pause } from "../../src/base/waiting.ts";
import { startServer } from "../service/loopback.ts";
import { addProducts, startCatalog } from "./catalog-stage.ts";

describe("waitForJob", () => {
  it.each([
    ["no id", "INPUT_INVALID", "jobId", undefined, {}],
    ["an unknown kind", "CONFIG_INVALID", '"kind"', "job_1", { kind: "product" }],
    ["a signal that is none", "CONFIG_INVALID", '"signal"', "job_1", { signal: {} }],
    ["a listener that is no function", "CONFIG_INVALID", '"onProgress"', "job_1", { onProgress: 1 }],
  ])("refuses %s, although the service is down", async (_, code, named, jobId, options) => {
    const { connect } = await startCatalog();
    const client = connect({ url: "http://127.0.0.1:9", wait: () => expect.unreachable("waited") });

    const end = client.waitForJob(jobId as never, options as never);

    await expect(end).rejects.toMatchObject({ code, message: expect.stringContaining(named) });
  });

  it("checks again immediately after a hint that came while the job was read", async () => {
    const stage = await startCatalog();
    const productIds = await addProducts(stage.client, 1);
    const patient = stage.connect({ wait: () => expect.unreachable("the hint says that it is over") });
    const { jobId } = await patient.enrichmentJobs.create({ productIds, modelType: "budget-v1" });

    const end = patient.waitForJob(jobId, {
      onProgress: ({ status }) => {
        if (status !== "pending") return;
        // Still running when it is read, and over when the answer arrives.
        stage.clock.pass(60_000);
        patient.hint(jobId);
      },
    });

    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it.each([
    ["stopped", 12, "partial"],
    ["stopped", 0, "stopped"],
    ["completed_with_errors", 12, "partial"],
    ["completed_with_errors", 0, "failed"],
  ])(
    "reports an import that ended as %s with %d extracted as %s",
    async (status, totalExtracted, outcome) => {
      const pagination = { page: 1, limit: 100, total: 1, totalPages: 1 };
      const job = { id: "job_1", status, totalFiles: 2, totalExtracted };
      const server = await startServer((response) => {
        response.end(JSON.stringify({ success: true, data: { jobs: [job], pagination } }));
      });
      const { connect } = await startCatalog();

      const end = await connect({ url: server.url }).waitForJob("job_1", { kind: "import" });

      expect(end).toMatchObject({ outcome, job: { processedCount: totalExtracted, successCount: null } });
    },
  );

  it("reads nothing any more once `timeoutMs` has passed", async () => {
    const stage = await startCatalog();
    const productIds = await addProducts(stage.client, 1);
    const { jobId } = await stage.client.enrichmentJobs.create({ productIds, modelType: "budget-v1" });
    const startMs = stage.clock.now();
    const readMs: number[] = [];
    const patient = stage.connect({ onRequest: () => readMs.push(stage.clock.now() - startMs) });

    const end = patient.waitForJob(jobId, { timeoutMs: 4_000, kind: "enrichment" });

    await expect(end).rejects.toMatchObject({ code: "SERVICE_TIMEOUT" });
    expect(readMs).toEqual([0]);
  });

  it("doesn't wait longer than `timeoutMs` for a read that hangs", async () => {
    const server = await startServer(() => {});
    const { connect } = await startCatalog();
    const client = connect({ url: server.url, timeoutMs: 100_000, now: Date.now, wait: pause });

    const end = client.waitForJob("job_1", { timeoutMs: 100, kind: "import" });

    await expect(end).rejects.toMatchObject({ code: "SERVICE_TIMEOUT" });
    expect(server.seen).toHaveLength(1);
  });
});

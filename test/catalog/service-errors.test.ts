import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { createCatalogClient, isHoldfastError, type HoldfastError } from "../../src/catalog.ts";
import { sendJson, startServer, type Responder } from "../service/loopback.ts";
import { addProducts, createTestClock, startCatalog } from "./catalog-stage.ts";
import { createManagementClient } from "../../src/management.ts";

const START_MS = 1_800_000_000_000;

/** A client of a server that answers as the test says, and the requests that it got. */
async function stage(respond: Responder) {
  const server = await startServer(respond);
  const clock = createTestClock(START_MS);
  const options = { url: server.url, now: clock.now, wait: clock.wait };
  const client = createCatalogClient({ ...options, apiKey: "key", organization: "acme" });
  const management = createManagementClient({ ...options, token: "token" });
  onTestFinished(async () => void (await Promise.all([client.close(), management.close()])));
  return { client, management, server, clock };
}

async function failureOf(work: Promise<unknown>): Promise<HoldfastError> {
  const error = await work.then(
    () => expect.fail("it succeeded"),
    (reason: unknown) => reason,
  );
  if (!isHoldfastError(error)) throw error;
  return error;
}

const quota = (remaining: number, resetMs: number) => ({
  "x-ratelimit-limit": "60",
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(Math.ceil(resetMs / 1000)),
});

it("waits for a limit per minute, whose reset is rounded up to more than a minute", async () => {
  let calls = 0;
  const { client, clock } = await stage((response) => {
    calls += 1;
    const headers = calls === 1 ? quota(0, START_MS + 60_900) : quota(59, START_MS + 120_000);
    sendJson(response, 200, { success: true, data: { exists: true } }, headers);
  });

  await client.brands.check({ name: "Acme" });
  expect(client.rateLimit).toEqual({ limit: 60, remaining: 0, resetAtMs: START_MS + 61_000 });
  await client.brands.check({ name: "Acme" });

  expect(clock.now()).toBeGreaterThanOrEqual(START_MS + 61_000);
  expect(client.rateLimit?.remaining).toBe(59);
});

it("repeats a write after 429, which did nothing", async () => {
  let calls = 0;
  const { client } = await stage((response) => {
    calls += 1;
    if (calls === 1) return sendJson(response, 429, { success: false, message: "Rate limit exceeded" });
    sendJson(response, 200, { success: true, data: { created: true } });
  });

  expect(await client.products.bulkCreate({ products: [{ sku: "A", name: "A" }] })).toMatchObject({
    created: true,
  });
  expect(calls).toBe(2);
});

it("says that a write whose answer can't be read may have taken effect, and doesn't repeat it", async () => {
  const { client, server } = await stage((response) => void response.writeHead(200).end("<html>"));

  const error = await failureOf(client.enrichmentJobs.create({ productIds: ["1"], modelType: "budget-v1" }));

  expect(error).toMatchObject({ code: "SERVICE_MALFORMED", retryable: true, safeToRepeat: false });
  expect(server.seen).toHaveLength(1);
});

it.each([
  ["a refused write", 400, true],
  ["a failed write", 500, false],
  ["a write without credits", 402, true],
] as const)("says whether %s is safe to repeat", async (_what, status, safeToRepeat) => {
  const { client } = await stage((response) => sendJson(response, status, { success: false, message: "No" }));

  expect(await failureOf(client.webhooks.delete({ id: "w" }))).toMatchObject({ safeToRepeat, status });
});

it("keeps what the service said: status, words, headers, and the SKUs that are taken", async () => {
  const said = "Webhook limit reached: 10 allowed, ask owner@example.com";
  const { client } = await stage((response) =>
    sendJson(response, 400, { success: false, message: said }, { "x-request-id": "r-1" }),
  );

  const error = await failureOf(
    client.webhooks.create({ url: "https://shop.example/hook", eventType: ["ai_import.start"] }),
  );

  expect(error.status).toBe(400);
  expect(error.serviceMessage).toBe(said);
  expect(error.responseHeaders).toMatchObject({ "x-request-id": "r-1" });
  expect(error.message).toContain("Webhook limit reached: 10 allowed");
  expect(error.message).not.toContain("owner@");
  // What a logger writes of an error has none of it.
  expect(JSON.stringify(error)).not.toMatch(/owner@|x-request-id/);

  const { client: sandbox } = await startCatalog();
  await addProducts(sandbox, 2);
  const taken = await failureOf(sandbox.products.create({ sku: "SKU-0001", name: "Again" }));
  expect(taken.skus).toEqual(["SKU-0001"]);
});

it("follows no redirect, and sends the call once", async () => {
  const { client, server } = await stage(
    (response) => void response.writeHead(302, { location: "/elsewhere" }).end(),
  );

  expect(await failureOf(client.brands.check({ name: "Acme" }))).toMatchObject({
    code: "SERVICE_MALFORMED",
    retryable: false,
  });
  expect(server.seen).toHaveLength(1);
});

it("takes a failure inside of a success for a failure", async () => {
  const { client } = await stage((response) =>
    sendJson(response, 200, { success: true, data: { success: false, message: "Job not found" } }),
  );

  expect(await failureOf(client.importJobs.stop("j"))).toMatchObject({
    code: "SERVICE_NOT_FOUND",
    serviceMessage: "Job not found",
  });
});

it.each([
  ["an empty body", ""],
  ["an envelope without data", '{"success":true}'],
  ["a body that the document doesn't show", '{"success":true,"data":["odd"]}'],
])("takes %s after a completed write for success", async (_what, body) => {
  const { client, management } = await stage((response) => {
    const isManagement = response.req.url?.startsWith("/api/v1") === true;
    response.writeHead(body === "" ? 204 : 200).end(isManagement ? body.replace("success", "ok") : body);
  });
  const hook = { url: "https://shop.example/hook", eventType: ["ai_import.start"] } as const;

  expect(await client.webhooks.create(hook)).toMatchObject({ id: null });
  expect(await client.webhooks.update({ id: "w", enabled: false })).toMatchObject({ id: null });
  expect(await client.webhooks.delete({ id: "w" })).toEqual({ deleted: true });
  expect(await client.products.delete("p")).toEqual({ id: null, deleted: true });
  await management.webhooks.test("w");
  await management.webhooks.delete("w");
});

it("leaves out an entry that can't be read, counts it, and reads numbers that are text", async () => {
  const { client } = await stage((response) =>
    sendJson(response, 200, {
      success: true,
      data: {
        products: [{ id: 7, sku: "A", name: "A" }, { id: "2" }, null],
        pagination: { page: "1", limit: "3", total: "3", totalPages: "1" },
      },
    }),
  );

  const page = await client.products.list().page();

  expect(page.entries).toMatchObject([{ id: "7", sku: "A" }]);
  expect(page).toMatchObject({ unreadable: 2, total: 3, totalPages: 1 });
});

it("reads on where a list has no counts, until a page isn't full", async () => {
  let page = 0;
  const { client } = await stage((response) => {
    page += 1;
    const products = page < 3 ? [{ id: `${page}`, sku: `S${page}`, name: "A" }] : [];
    sendJson(response, 200, { success: true, data: { products } });
  });

  expect(await client.products.list({ limit: 1 }).all()).toHaveLength(2);
});

it("asks for CSV, and ends a broken download with an error of ours", async () => {
  const { client, server } = await stage((response) => {
    response.writeHead(200, { "content-type": "text/csv", "content-length": "100" });
    response.write("name\n", () => void response.destroy());
  });

  const { body } = await client.brandJobs.download("j");

  expect(await failureOf(text(body))).toMatchObject({ code: "SERVICE_INTERRUPTED", retryable: true });
  expect(server.seen[0]?.headers["accept"]).toMatch(/^text\/csv/);
});

it("uploads a CSV whose type names its character set", async () => {
  const { client } = await startCatalog();
  const content = new Blob(["sku\n"], { type: "text/csv;charset=utf-8" });

  expect((await client.files.upload({ files: [{ name: "a.csv", content }] })).errors).toEqual([]);
});

it("doesn't import everything when nothing was asked for", async () => {
  const { client, server } = await stage((response) => sendJson(response, 200, { success: true, data: {} }));

  expect((await failureOf(client.importJobs.finalize("j", {}))).fields[0]?.path).toBe("itemIds");
  expect(server.seen).toEqual([]);
});

it("writes back an attribute that has no value", async () => {
  const { client, server } = await stage((response) =>
    sendJson(response, 200, { success: true, data: { id: "p", sku: "A", name: "A", attributes: {} } }),
  );
  const color = { attributeId: "a", attributeName: "Color", attributeType: "text", value: null } as const;

  await client.products.updateAttributes("p", { attributes: { color } });

  expect(server.seen).toHaveLength(1);
});

it("finds a job of another kind although the service calls its id invalid for the first kinds", async () => {
  const { client } = await stage((response) => {
    const path = response.req.url ?? "";
    if (path.includes("validation")) {
      const jobs = [{ id: "j", status: "completed" }];
      return sendJson(response, 200, { success: true, data: { jobs, pagination: {} } });
    }
    if (path.includes("items")) return sendJson(response, 400, { success: false, message: "Invalid job id" });
    sendJson(response, 200, { success: true, data: { jobs: [], pagination: {} } });
  });

  expect(await client.job("j")).toMatchObject({ status: "completed" });
});

import { Agent } from "undici";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { SILENT_LOGGER, type Logger } from "../../src/base/logger.ts";
import type { CallOptions, CatalogClient, CatalogClientOptions } from "../../src/catalog.ts";
import { createManagementClient } from "../../src/management.ts";
import { SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { sendJson, startServer } from "../service/loopback.ts";
import { startCatalog } from "./catalog-stage.ts";

it.each([
  ["call", (client: CatalogClient, options: never) => client.products.get("id", options)],
  ["list", async (client: CatalogClient, options: never) => client.products.list({}, options).all()],
  ["download", (client: CatalogClient, options: never) => client.brandJobs.download("id", options)],
  ["list of organizations", (client: CatalogClient, options: never) => client.organizations(options)],
])("a %s refuses a signal that is none", async (_, call) => {
  const { client } = await startCatalog();

  const answer = call(client, { signal: {} } as never);

  await expect(answer).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining('"signal"'),
  });
});

const NOTHING = { success: true, data: { attributeSets: [] } };

/** A client of a server that answers as told, and the calls that it got. */
async function startWith(
  answer: Parameters<typeof startServer>[0],
  options: Partial<CatalogClientOptions> = {},
) {
  const { connect, clock } = await startCatalog();
  const server = await startServer(answer);
  return { server, clock, client: connect({ url: server.url, ...options }) };
}

describe("the options of a call", () => {
  it("come before the client's: a time limit, no repetition, headers", async () => {
    const { client, server } = await startWith((response) => void response.writeHead(503).end());

    const headers = { "X-Trace": "1" };
    await expect(client.attributeSets.brands({ retries: 1, headers })).rejects.toMatchObject({ status: 503 });
    expect(server.seen.map((seen) => seen.headers["x-trace"])).toEqual(["1", "1"]);
    const slow = await startWith(() => {});
    await expect(slow.client.attributeSets.brands({ timeoutMs: 30, retries: 0 })).rejects.toMatchObject({
      code: "SERVICE_TIMEOUT",
      message: expect.stringContaining("30 ms"),
    });
  });

  it.each([
    [{ headers: { "X-Api-Key": "other" } }, "X-Api-Key is set by the client"],
    [{ headers: { a: "line\r\nbreak" } }, '"headers"'],
    [{ timeoutMs: 0 }, "timeoutMs"],
    [{ retries: -1 }, "retries"],
    [{ timeout: 5 }, '"timeout": not an option of a call'],
  ])("are checked: %j", async (options, message) => {
    const { client, server } = await startWith((response) => sendJson(response, 200, NOTHING));

    await expect(client.attributeSets.brands(options as CallOptions)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(message),
    });
    expect(server.seen).toEqual([]);
  });

  it("work for the management interface, too", async () => {
    const server = await startServer((response) => void response.writeHead(503).end());
    const client = createManagementClient({ url: server.url, token: "t", wait: async () => {} });
    onTestFinished(() => client.close());

    await expect(client.me.get({ retries: 0, headers: { "x-trace": "1" } })).rejects.toThrow();
    await expect(client.sites.list({ retries: 0, perPage: 5 }).all()).rejects.toThrow();

    expect(server.seen.map(({ url }) => url)).toEqual(["/api/v1/me", "/api/v1/sites?page=1&perPage=5"]);
    expect(server.seen[0]?.headers["x-trace"]).toBe("1");
  });
});

describe("withResponse", () => {
  it("gives status and headers beside the data, of a call, a page and a download", async () => {
    const { client, ...stage } = await startCatalog();
    const { id } = await client.products.create({ sku: "A", name: "A" });
    const { jobId } = await client.brandJobs.create({ rows: [{ name: "A" }], inputColumns: ["name"] });
    stage.clock.pass(5_000);

    const one = await client.products.get(id).withResponse();
    const page = await client.products.list().page().withResponse();
    const file = await client.brandJobs.download(jobId).withResponse();

    expect(one).toMatchObject({ data: { sku: "A" }, response: { status: 200 } });
    expect(one.response.headers["x-ratelimit-limit"]).toBe("100000");
    expect(page).toMatchObject({ data: { total: 1 }, response: { status: 200 } });
    expect(file.response.headers["content-type"]).toContain("text/csv");
    file.data.body.destroy();
  });

  it("reports a failure once, to whoever awaits it", async () => {
    const { client } = await startCatalog();
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));

    await expect(client.products.get("none").withResponse()).rejects.toMatchObject({ status: 404 });
    await new Promise((resolve) => setImmediate(resolve));

    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe("request", () => {
  it("calls an operation that has no method, in the organization", async () => {
    const { client, server } = await startWith((response) =>
      sendJson(response, 200, { success: true, data: { jobs: [] } }),
    );

    const given = { body: { page: 1 }, query: { a: "b c" } };
    const { data } = await client.request("POST", "/market-analysis-jobs/get", given).withResponse();

    expect(data).toEqual({ jobs: [] });
    expect(server.seen[0]).toMatchObject({
      method: "POST",
      url: "/api/sandbox/market-analysis-jobs/get?a=b+c",
      body: '{"page":1}',
    });
  });

  it("repeats only a GET after a failure that may have had an effect", async () => {
    const { client, server } = await startWith((response) => void response.writeHead(500).end());

    await expect(client.request("GET", "/x", { retries: 1 })).rejects.toThrow();
    await expect(client.request("POST", "/x", { retries: 1 })).rejects.toMatchObject({
      safeToRepeat: false,
    });

    expect(server.seen.map(({ method }) => method)).toEqual(["GET", "GET", "POST"]);
  });

  it.each(["x", "/../organizations/get", "/a/%2e%2E/b", "//host", "/a?b=1", "/a#b", "/a b", "/a\\b", ""])(
    "refuses a path that could leave the organization: %s",
    async (path) => {
      const { client, server } = await startWith((response) => sendJson(response, 200, NOTHING));

      await expect(client.request("GET", path)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
      expect(server.seen).toEqual([]);
    },
  );

  it("calls any route of the management interface", async () => {
    const { url } = await startCatalog();
    const client = createManagementClient({ url, token: SANDBOX_API_KEY });
    onTestFinished(() => client.close());

    await expect(client.request("GET", "/me")).resolves.toMatchObject({ id: "user_sandbox" });
  });
});

describe("hooks and the log", () => {
  it("may be asynchronous, and may fail with the logger: the answer of a call that was paid stays", async () => {
    const fail = () => {
      throw new Error("the log is closed");
    };
    const { client } = await startWith((response) => sendJson(response, 200, NOTHING), {
      logger: { debug: fail, info: fail, warn: fail, error: fail },
      onRequest: fail,
      onResponse: () => Promise.reject(new Error("hook")),
    });

    await expect(client.attributeSets.brands()).resolves.toBeDefined();
  });

  it("tell of each attempt, and a hook that throws changes nothing", async () => {
    let failures = 1;
    const seen: object[] = [];
    const logger = { ...SILENT_LOGGER, debug: vi.fn<Logger["debug"]>(), warn: vi.fn<Logger["warn"]>() };
    const { client } = await startWith(
      (response) => (failures-- > 0 ? void response.writeHead(503).end() : sendJson(response, 200, NOTHING)),
      {
        logger,
        onRequest(start) {
          seen.push(start);
          throw new Error("hook");
        },
        onResponse: ({ tookMs: _tookMs, error, ...end }) => void seen.push({ ...end, code: error?.code }),
      },
    );

    await client.attributeSets.brands();

    const call = { method: "POST", path: "/api/sandbox/brand-attribute-sets" };
    expect(seen).toEqual([
      { ...call, attempt: 1 },
      { ...call, attempt: 1, status: 503, code: "SERVICE_FAILED" },
      { ...call, attempt: 2 },
      { ...call, attempt: 2, status: 200, code: undefined },
    ]);
    expect(logger.debug).toHaveBeenCalledTimes(2);
    expect(logger.warn).toHaveBeenCalledTimes(2);
    expect(JSON.stringify([logger.debug.mock.calls, seen])).not.toContain(SANDBOX_API_KEY);
  });

  it("say how many entries of a page were left out, and the others are read", async () => {
    const warn = vi.fn<Logger["warn"]>();
    const products = [{ id: "1", sku: "A", name: "A" }, 7, { id: "2", sku: "B", name: "B" }];
    const pagination = { page: 1, limit: 10, total: 3, totalPages: 1 };
    const { client } = await startWith(
      (response) => sendJson(response, 200, { success: true, data: { products, pagination } }),
      { logger: { ...SILENT_LOGGER, warn } },
    );

    const found: string[] = [];
    for await (const { sku } of client.products.list()) found.push(sku);

    expect(found).toEqual(["A", "B"]);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      { path: "/products/get", page: 1, unreadable: 1 },
      "entries of a list can't be read, and were left out",
    );
  });

  it("name the version in the user agent", async () => {
    const { client, server } = await startWith((response) => sendJson(response, 200, NOTHING));
    await client.attributeSets.brands();

    expect(server.seen[0]?.headers["user-agent"]).toBe(`holdfast/${manifest.version}`);
  });
});

describe("fetch", () => {
  it("sends calls, forms and downloads instead of undici", async () => {
    const stage = await startCatalog();
    const given = vi.fn<typeof fetch>((...args) => fetch(...args));
    const client = stage.connect({ fetch: given });

    const content = new Blob(["name\nA\n"], { type: "text/csv" });
    await client.files.upload({ files: [{ name: "a.csv", content }] });
    const { jobId } = await client.brandJobs.create({ rows: [{ name: "A" }], inputColumns: ["name"] });
    stage.clock.pass(5_000);
    const { body } = await client.brandJobs.download(jobId);
    let text = "";
    for await (const part of body) text += Buffer.from(part as Uint8Array).toString();

    expect(text).toMatch(/^name,Enrichment Status/);
    expect(given).toHaveBeenCalledTimes(3);
    expect(() => stage.connect({ fetch, dispatcher: new Agent() })).toThrow("set only one of them");
  });
});

it("waiting for a job ends after its time limit, and the job continues", async () => {
  const { client, clock } = await startCatalog({ catalog: { itemMs: 3_600_000 } });
  const { jobId } = await client.brandJobs.create({ rows: [{ name: "A" }], inputColumns: ["name"] });
  const startMs = clock.now();

  await expect(client.waitForJob(jobId, { timeoutMs: 12_000 })).rejects.toMatchObject({
    code: "SERVICE_TIMEOUT",
    message: "the job didn't end within `timeoutMs`; the job continues",
  });
  expect(clock.now() - startMs).toBe(12_000);
  await expect(client.job(jobId)).resolves.toMatchObject({ status: "pending" });
});

it("createProducts creates any number, and finds their ids", async () => {
  const { client } = await startCatalog();
  await client.products.create({ sku: "OLD", name: "Old" });
  const products = Array.from({ length: 1_001 }, (_, index) => ({ sku: `S${index}`, name: "A" }));

  const ids = await client.createProducts(products);

  expect(ids.size).toBe(1_001);
  await expect(client.products.get(ids.get("S1000") ?? "")).resolves.toMatchObject({ sku: "S1000" });
});

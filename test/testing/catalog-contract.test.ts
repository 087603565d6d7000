import { describe, expect, it, onTestFinished } from "vitest";
import { createCatalogClient } from "../../src/catalog.ts";
import {
  catalogServiceContract,
  createSandboxService,
  managementServiceContract,
  SANDBOX_API_KEY,
  type ContractCase,
} from "../../src/testing.ts";
import { sendJson, startServer } from "../service/loopback.ts";

const ORGANIZATION = { id: "org", slug: "sandbox", name: "Sandbox", role: "owner" };

/** Names and reasons of the cases that fail, one case after the other. */
async function failuresOf(cases: readonly ContractCase[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) {
    await run().catch((error: unknown) => failed.push(`${name} (${String(error)})`));
  }
  return failed;
}

async function startSandbox(): Promise<URL> {
  const service = createSandboxService();
  onTestFinished(() => service.close());
  return service.listen();
}

describe("catalogServiceContract", () => {
  it("passes on the sandbox, twice", async () => {
    const url = await startSandbox();
    const cases = catalogServiceContract({ url, apiKey: SANDBOX_API_KEY });

    expect(await failuresOf(cases)).toEqual([]);
    expect(await failuresOf(cases)).toEqual([]);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  it("leaves no product behind", async () => {
    const url = await startSandbox();
    const client = createCatalogClient({ url, apiKey: SANDBOX_API_KEY });
    onTestFinished(() => client.close());

    await failuresOf(catalogServiceContract({ url, apiKey: SANDBOX_API_KEY }));

    expect(await client.products.list().page()).toMatchObject({ total: 0 });
  });

  it("fails on a doubly wrapped stop, and on a second job beside a running one, which it stops", async () => {
    const url = await startSandbox();
    const stopped: string[] = [];
    const broken: typeof fetch = async (input, init) => {
      const path = new URL(input instanceof Request ? input.url : input).pathname;
      const answer = await fetch(input, init);
      if (path.endsWith("/stop")) {
        stopped.push(path);
        if (answer.ok) return Response.json({ success: true, data: await answer.json() });
      }
      if (answer.status !== 409 || !path.endsWith("-jobs/create")) return answer;
      return Response.json({ success: true, data: { jobId: "second" } });
    };

    const cases = catalogServiceContract({ url, apiKey: SANDBOX_API_KEY, fetch: broken });

    const failed = await failuresOf(cases.filter(({ name }) => /Jobs\.(?:create|stop):/.test(name)));

    expect(failed.map((text) => text.split(":")[0])).toEqual([
      "brandJobs.create",
      "brandJobs.stop",
      "categoryJobs.create",
      "categoryJobs.stop",
      "enrichmentJobs.stop",
      "validationJobs.stop",
      "importJobs.stop",
    ]);
    expect(stopped.filter((path) => path.endsWith("/second/stop"))).toHaveLength(2);
  });

  it("passes where a page that is too large is cut, and fails where it isn't", async () => {
    const service = createSandboxService({ catalog: { overLimit: "clamp" } });
    onTestFinished(() => service.close());
    const url = await service.listen();
    const uncut: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (typeof init?.body !== "string" || !init.body.includes('"limit":101')) return answer;
      return new Response((await answer.text()).replace('"limit":100', '"limit":101'), answer);
    };
    const listing = (options: { readonly fetch?: typeof fetch }) =>
      catalogServiceContract({ url, apiKey: SANDBOX_API_KEY, ...options }).filter(({ name }) =>
        name.startsWith("products.list:"),
      );

    expect(await failuresOf(listing({}))).toEqual([]);
    expect(await failuresOf(listing({ fetch: uncut }))).toEqual([
      expect.stringContaining("expected a limit of at most 100"),
    ]);
  });

  it("doesn't try whether 1000 products can be added at once, which the sandbox accepts", async () => {
    const client = createCatalogClient({ url: await startSandbox(), apiKey: SANDBOX_API_KEY });
    onTestFinished(() => client.close());
    const products = Array.from({ length: 1000 }, (_, index) => ({ sku: `S-${index}`, name: "n" }));

    await expect(client.products.bulkCreate({ products })).resolves.toEqual({ created: true });

    expect(await client.products.list().page()).toMatchObject({ total: 1000 });
  });

  it("fails in every case on a service that answers each call with an empty success, or with a failure", async () => {
    const data = { organizations: [] as object[] };
    const empty = await startServer((response, { url }) =>
      sendJson(response, 200, {
        success: true,
        data: url?.endsWith("/organizations/get") === true ? { organizations: [ORGANIZATION] } : data,
      }),
    );
    const failing = await startServer((response) =>
      sendJson(response, 500, { success: false, message: "no" }),
    );
    const cases = (url: string) => catalogServiceContract({ url, apiKey: "key", organization: "sandbox" });

    const onEmpty = await failuresOf(cases(empty.url));
    const onFailing = await failuresOf(cases(failing.url));

    expect(onEmpty).toHaveLength(cases(empty.url).length - 1);
    expect(onEmpty.some((name) => name.startsWith("organizations:"))).toBe(false);
    expect(onFailing).toHaveLength(cases(failing.url).length);
  });
});

describe("managementServiceContract", () => {
  it("passes on the sandbox, twice", async () => {
    const url = await startSandbox();
    const receiver = await startServer((response) => response.end());
    const cases = managementServiceContract({ url, token: SANDBOX_API_KEY, receiver: receiver.url });

    expect(await failuresOf(cases)).toEqual([]);
    expect(await failuresOf(cases)).toEqual([]);
    // One test delivery of each run, and one with its replay.
    expect(receiver.seen).toHaveLength(6);
  });

  it("fails in every case on a service that wraps nothing, or lets everybody in", async () => {
    const bare = await startServer((response) => sendJson(response, 200, { data: {} }));

    const cases = managementServiceContract({ url: bare.url, token: "token" });

    expect(await failuresOf(cases)).toHaveLength(cases.length);
  });
});

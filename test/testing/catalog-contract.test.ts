import { describe, expect, it, onTestFinished } from "vitest";
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
    // Of each run, one test delivery, and one with its replay.
    expect(receiver.seen).toHaveLength(6);
  });

  it("fails in every case on a service that wraps nothing, or lets everybody in", async () => {
    const bare = await startServer((response) => sendJson(response, 200, { data: {} }));

    const cases = managementServiceContract({ url: bare.url, token: "token" });

    expect(await failuresOf(cases)).toHaveLength(cases.length);
  });
});

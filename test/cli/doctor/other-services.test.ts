import { describe, expect, it, onTestFinished } from "vitest";
import { checkOtherServices } from "../../../src/cli/doctor/other-services.ts";
import type { Environment } from "../../../src/base/variables.ts";
import { parseConfig } from "../../../src/config.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../../src/sandbox/sandbox-service.ts";
import { startServer } from "../../service/loopback.ts";

/** The findings for these variables, with a sandbox that serves both. */
async function look(toEnvironment: (url: string) => Environment) {
  const service = createSandboxService();
  onTestFinished(() => service.close());
  const findings = await checkOtherServices(parseConfig(toEnvironment((await service.listen()).href)));
  expect(service.calls, "nothing is paid for").toEqual([]);
  expect(JSON.stringify(findings)).not.toContain(SANDBOX_API_KEY);
  return findings;
}

const both = (url: string, key: string): Environment => ({
  CATALOG_URL: url,
  CATALOG_API_KEY: key,
  MANAGEMENT_URL: url,
  MANAGEMENT_TOKEN: key,
});

describe("checkOtherServices", () => {
  it("finds that both keys work", async () => {
    expect(await look((url) => both(url, SANDBOX_API_KEY))).toMatchObject([
      { id: "catalog", status: "ok", found: "the catalog accepts the key of sandbox" },
      { id: "management", status: "ok" },
    ]);
  });

  it("says which key is refused, and which address belongs to another server", async () => {
    const other = await startServer((response) => response.writeHead(404).end("nothing here"));

    expect(await look((url) => both(url, "wrong-key"))).toMatchObject([
      { id: "catalog", status: "problem", advice: "check CATALOG_API_KEY" },
      { id: "management", status: "problem", advice: "check MANAGEMENT_TOKEN" },
    ]);
    expect(await look(() => both(other.url, "key"))).toMatchObject([
      { status: "problem", advice: "check CATALOG_URL: another server answers there" },
      { status: "problem", advice: "check MANAGEMENT_URL: another server answers there" },
    ]);
  });

  it("names the setting of the catalog when its key has several organizations, not the one of order verification", async () => {
    const organizations = ["goods", "more-goods"].map((slug, index) => ({
      id: `${index}`,
      slug,
      name: slug,
      role: "owner",
    }));
    const catalog = await startServer((response) =>
      response.writeHead(200).end(JSON.stringify({ success: true, data: { organizations } })),
    );

    expect(await look(() => ({ CATALOG_URL: catalog.url, CATALOG_API_KEY: "key" }))).toEqual([
      {
        id: "catalog",
        status: "problem",
        found: "the API key has several organizations: set `organization` to one of goods, more-goods",
        advice: "set CATALOG_ORGANIZATION, or use a key of one organization",
      },
    ]);
  });

  it("warns of a service that fails, which delays no order", async () => {
    const failing = await startServer((response) => response.writeHead(500).end("{}"));

    expect(await look(() => both(failing.url, "key"))).toMatchObject([
      { id: "catalog", status: "warning" },
      { id: "management", status: "warning" },
    ]);
    expect(failing.seen).toHaveLength(2);
  });

  it("looks at the organization, and at nothing that isn't configured", async () => {
    const found = await look((url) => ({
      CATALOG_URL: url,
      CATALOG_API_KEY: SANDBOX_API_KEY,
      CATALOG_ORGANIZATION: "elsewhere",
    }));
    expect(found).toMatchObject([
      { id: "catalog", status: "problem", found: "the key has no access to CATALOG_ORGANIZATION" },
    ]);
    expect(await look((url) => ({ CATALOG_URL: url }))).toMatchObject([{ status: "skipped" }]);
    expect(await look(() => ({}))).toEqual([]);
  });
});

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { Agent } from "undici";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { checkService } from "../../../src/cli/doctor/service.ts";
import { parseConfig } from "../../../src/config.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
  type SandboxServiceOptions,
} from "../../../src/sandbox/sandbox-service.ts";
import type { Finding } from "../../../src/platform/platform.ts";
import { readTlsFixture, SERVICE_CA_PATH } from "../../support/tls.ts";

const running: SandboxService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.close();
});

interface Changes {
  readonly key?: string;
  readonly organization?: string;
  readonly now?: () => number;
  readonly isTrusted?: boolean;
  readonly service?: SandboxServiceOptions;
  /** Called instead of the service. */
  readonly url?: string;
  /** The server behind the service's address. */
  readonly path?: string;
}

/** Check a verification service over TLS. */
async function look({ key = SANDBOX_API_KEY, now = Date.now, isTrusted = true, ...changes }: Changes = {}) {
  const service = createSandboxService({ tls: readTlsFixture("service"), ...changes.service });
  running.push(service);
  const url = changes.url ?? (await service.listen()).href.replace("127.0.0.1", "localhost");
  const dispatcher = isTrusted ? new Agent({ connect: { ca: readFileSync(SERVICE_CA_PATH) } }) : undefined;
  onTestFinished(async () => dispatcher?.destroy());
  const environment = {
    VERIFY_URL: url + (changes.path ?? ""),
    VERIFY_API_KEY: key,
    VERIFY_ORGANIZATION: changes.organization ?? "",
  };
  const findings = await checkService(parseConfig(environment), { now, dispatcher });
  expect(service.calls, "nothing is paid for").toEqual([]);
  return new Map<string, Finding>(findings.map((finding) => [finding.id, finding]));
}

const statusesOf = (findings: ReadonlyMap<string, Finding>) =>
  Object.fromEntries([...findings].map(([id, { status }]) => [id.replace(/^service\.?/, ""), status]));

const organization = (slug: string) => ({ id: `org_${slug}`, slug, name: slug, role: "owner" as const });
const reaching = (...slugs: string[]) => ({
  apiKeys: { [SANDBOX_API_KEY]: { organizations: slugs.map(organization) } },
});

describe("checkService", () => {
  it("finds nothing wrong with one that accepts the key", async () => {
    const findings = await look();

    expect(statusesOf(findings)).toEqual({
      "": "ok",
      key: "ok",
      organization: "ok",
      clock: "ok",
      "rate-limit": "ok",
    });
    expect(findings.get("service")?.found).toBe("it answers over TLS");
    expect(findings.get("service.rate-limit")?.found).toMatch(/^99999 of 100000 calls are left/);
  });

  it("warns that nothing is canceled without one", async () => {
    expect(await checkService(parseConfig({}), { now: Date.now })).toMatchObject([
      { id: "service", status: "warning", advice: expect.stringContaining("never cancels") },
    ]);
  });

  it.each([
    ["an unknown key", { key: "unknown" }, { "": "ok", key: "problem" }],
    ["an untrusted certificate", { isTrusted: false }, { "": "problem", key: "skipped" }],
    ["an address where nothing listens", { url: "https://localhost:1" }, { "": "problem", key: "skipped" }],
    ["an address of something else", { path: "shop" }, { "": "problem", key: "skipped", clock: "ok" }],
    ["a key at its limit", { service: { rateLimit: { limit: 1, windowMs: 60_000 } } }, { key: "ok" }],
  ] as const)("describes %s by the part that it concerns", async (_what, changes, expected) => {
    expect(statusesOf(await look(changes))).toMatchObject(expected);
  });

  it("treats a rate limit that is used up as temporary", async () => {
    const service = createSandboxService({ rateLimit: { limit: 1, windowMs: 60_000 } });
    running.push(service);
    const config = parseConfig({
      VERIFY_URL: (await service.listen()).href,
      VERIFY_API_KEY: SANDBOX_API_KEY,
    });

    const [first, second] = [
      await checkService(config, { now: Date.now }),
      await checkService(config, { now: Date.now }),
    ];

    expect(first.find(({ id }) => id === "service.rate-limit")).toMatchObject({ status: "warning" });
    expect(second.find(({ id }) => id === "service.key")).toMatchObject({ status: "warning" });
    expect(first[0]?.found).toContain("without TLS");
  });

  it.each([
    ["the only one", ["mine"], "", "ok"],
    ["several, none of them chosen", ["mine", "other"], "", "problem"],
    ["none", [], "", "problem"],
    ["the chosen one, by slug", ["mine", "other"], "other", "ok"],
    ["the chosen one, by id", ["mine", "other"], "org_other", "ok"],
    ["others than the chosen one", ["mine"], "other", "problem"],
  ] as const)("judges a key that reaches %s", async (_what, slugs, chosen, status) => {
    const findings = await look({ service: reaching(...slugs), organization: chosen });

    expect(findings.get("service.organization")).toMatchObject({ status });
  });

  it.each([
    [59_000, "ok"],
    [63_000, "warning"],
    [-63_000, "warning"],
  ])("compares clocks: %i ms is %s", async (skewMs, status) => {
    const findings = await look({ now: () => Date.now() + skewMs });

    expect(findings.get("service.clock")).toMatchObject({ status });
  });

  it("gives up in time on a service that doesn't answer", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const config = parseConfig({
      VERIFY_URL: `http://127.0.0.1:${port}`,
      VERIFY_API_KEY: "k",
      VERIFY_TIMEOUT_MS: "200",
    });

    expect(await checkService(config, { now: Date.now })).toMatchObject([
      { id: "service", status: "problem" },
      { id: "service.key", status: "skipped" },
    ]);
  });
});

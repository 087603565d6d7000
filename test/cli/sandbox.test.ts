import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import type { Terminal } from "../../src/cli/output.ts";
import { serveSandbox } from "../../src/cli/sandbox.ts";
import type { SandboxArguments } from "../../src/cli/sandbox-options.ts";
import { SANDBOX_TABLE } from "../../src/sandbox/sandbox-scenarios.ts";
import { createSelfSigned } from "../sandbox/self-signed.ts";
import { withEmail, verify } from "../sandbox/service-stage.ts";
import { orderWith } from "../engine/sample-order.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url);

async function run(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const terminal: Terminal = {
    isInteractive: false,
    hasColors: false,
    line: (text) => void lines.push(text),
    problem: (text) => void lines.push(text),
    progress() {},
    confirm: () => expect.unreachable(),
  };
  const parts = { terminal, version: "1.2.3", platforms: [], orderFormats: async () => [], now: Date.now };
  await runCommand(args, { ...parts, demo: () => expect.unreachable() });
  return lines.join("\n");
}

/** A sandbox in this process. Call `stop` to stop it. */
async function serve(given: SandboxArguments = {}, json = false) {
  const lines: string[] = [];
  const problems: string[] = [];
  const { promise: ready, resolve } = Promise.withResolvers<() => void>();
  const output = {
    line: (text: string) => void lines.push(text),
    problem: (text: string) => void problems.push(text),
  };
  const served = serveSandbox({ port: "0", ...given }, { output, json, onStop: resolve });
  const stop = await Promise.race([ready, served.then(() => expect.unreachable())]);
  onTestFinished(async () => {
    stop();
    stop();
    await served;
  });
  const base = new URL(/https?:\/\/[^\s"]+/.exec(lines[0] ?? "")?.[0] ?? "");
  return { lines, problems, base, stop, served };
}

describe("holdfast sandbox --scenarios", () => {
  it("prints the whole table", async () => {
    const lines = (await run("sandbox", "--scenarios")).split("\n");

    expect(lines).toHaveLength(SANDBOX_TABLE.length + 1);
    for (const [index, { by, value, metered, answer }] of SANDBOX_TABLE.entries()) {
      expect(lines[index + 1]?.split(/ {2,}/)).toEqual([by, value, metered ? "yes" : "no", answer]);
    }
  });

  it("prints it for machines", async () => {
    expect(JSON.parse(await run("sandbox", "--scenarios", "--json"))).toEqual({ scenarios: SANDBOX_TABLE });
  });
});

describe("holdfast sandbox", () => {
  it("prints a line per request, without personal data", async () => {
    const { lines, base } = await serve({ credits: "2" });

    await verify(base, withEmail("high@risk.example"));
    await verify(base, { headers: {} });
    await fetch(new URL("/api/organizations/get", base));

    const text = lines.slice(1).join("\n");
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}1001 +200 +high +metered +1 left +forced: high$/m);
    expect(text).toMatch(/ {2}1001 +401 +- +free +1 left$/m);
    expect(text).toMatch(/ {2}organizations +401 +- +free +/m);
    expect(text).not.toMatch(/Jane|Harbour|jane/);
  });

  it("prints how to reach it, and not which key it was given", async () => {
    const { lines } = await serve();
    const own = await serve({ key: "a-key-of-mine" });

    expect(lines[0]).toContain("x-api-key: sandbox-key");
    expect(lines[0]).toContain("credits          unlimited");
    expect(own.lines[0]).not.toContain("a-key-of-mine");
    expect((await verify(own.base, { headers: { "x-api-key": "a-key-of-mine" } })).status).toBe(200);
    expect((await verify(own.base)).status).toBe(403);
  });

  it("gets more credits while it runs", async () => {
    const { base, lines } = await serve({ credits: "0" });
    const headers = { "x-api-key": "sandbox-key" };

    const before = await verify(base);
    const body = JSON.stringify({ add: 1 });
    await fetch(new URL("/sandbox/credits", base), { method: "POST", headers, body });
    const after = await verify(base);

    expect([before.status, after.status]).toEqual([402, 200]);
    expect(lines.join("\n")).toMatch(/ {2}sandbox\/credits +200 +- +free +1 left$/m);
  });

  it("keeps an order ID's control characters from the terminal", async () => {
    const { base, lines } = await serve();

    await verify(base, { body: orderWith({ orderId: `a\u001B[2J\nb${"c".repeat(100)}` }) });

    expect(lines[1]).toContain(`a [2J b${"c".repeat(33)}…`);
    expect(lines[1]).not.toMatch(/\p{Cc}/u);
  });

  it("limits and delays as configured", async () => {
    const { base } = await serve({ "rate-limit": "1/h", latency: "50" });
    const startedAt = performance.now();

    const first = await verify(base);
    const tookMs = performance.now() - startedAt;
    const second = await verify(base);

    expect([first.status, second.status]).toEqual([200, 429]);
    expect(first.headers.get("x-ratelimit-limit")).toBe("1");
    expect(tookMs).toBeGreaterThanOrEqual(49);
  });

  it("warns when others can reach it, unless it uses HTTPS", async () => {
    const folder = await mkdtemp(join(tmpdir(), "holdfast-sandbox-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { key, cert } = createSelfSigned();
    const files = { "tls-key": join(folder, "key.pem"), "tls-cert": join(folder, "cert.pem") };
    await Promise.all([writeFile(files["tls-key"], key), writeFile(files["tls-cert"], cert)]);

    expect((await serve()).problems).toEqual([]);
    expect((await serve({ host: "0.0.0.0" })).problems).toEqual([
      expect.stringContaining("only invented orders"),
    ]);
    const secure = await serve({ host: "0.0.0.0", ...files });
    expect(secure.problems).toEqual([]);
    expect(secure.base.protocol).toBe("https:");
  });

  it("finishes what is under way before it stops", async () => {
    const { base, lines, stop, served } = await serve({ latency: "300", credits: "5" });
    const call = verify(base);
    const addNothing = { method: "POST", headers: { "x-api-key": "sandbox-key" }, body: '{"add":0}' };
    await until(async () =>
      expect(await (await fetch(new URL("/sandbox/credits", base), addNothing)).json()).toMatchObject({
        data: { credits: 4 },
      }),
    );
    stop();

    await expect(call).resolves.toMatchObject({ status: 200 });
    await served;
    expect(lines.at(-1)).toMatch(/^stopped: \d+ requests, 1 of them metered$/);
  });

  it.each<[string, SandboxArguments, string]>([
    ["a port", { port: "http" }, "--port: expected a whole number from 0 to 65535"],
    ["a valid port", { port: "65536" }, "--port: expected"],
    ["credits", { credits: "-1" }, "--credits: expected a whole number"],
    ["a latency", { latency: "1s" }, "--latency: expected a whole number from 0 to 120000"],
    ["a rate", { "rate-limit": "60" }, "--rate-limit: expected N/WINDOW"],
    ["a rate above zero", { "rate-limit": "0/m" }, "--rate-limit: expected N/WINDOW"],
    ["a key that can be sent", { key: "a key" }, "--key: expected"],
    ["a host", { host: " " }, "--host: expected"],
    ["a file that can be opened", { data: "/none/sandbox.db" }, "--data: can't open /none/sandbox.db"],
    ["both halves of TLS", { "tls-key": "key.pem" }, "--tls-key and --tls-cert: expected both"],
    [
      "files that are there",
      { "tls-key": "/none", "tls-cert": "/none" },
      "--tls-key: can't read /none: it doesn't exist",
    ],
    [
      "files in PEM",
      { "tls-key": "README.md", "tls-cert": "README.md" },
      "--tls-key: expected a file in PEM",
    ],
    ["a host of this machine", { host: "192.0.2.1" }, "--host and --port: can't listen on 192.0.2.1, port 0"],
  ])("expects %s", async (_what, given, message) => {
    await expect(serve(given)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(message),
    });
  });

  it("names the port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;

    await expect(serve({ port: String(port) })).rejects.toThrow(
      `port ${port}: another process uses this port`,
    );
  });

  it("runs as a separate command: JSON lines, and a clean end when it is stopped", async () => {
    const child = spawn(
      process.execPath,
      ["src/main.ts", "sandbox", "--port", "0", "--json", "--credits", "5"],
      {
        cwd: ROOT,
        env: { PATH: process.env["PATH"] ?? "" },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    const exited = once(child, "exit");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;

    const start = await next();
    await verify(new URL(String(start["url"])), withEmail("score-86@risk.example"));
    const request = await next();
    child.kill("SIGTERM");
    const end = await next();

    expect(start).toEqual({
      event: "listening",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      organization: "sandbox",
      key: "sandbox-key",
      credits: 5,
    });
    expect(request).toEqual({
      event: "request",
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      kind: "verification",
      tookMs: expect.any(Number),
      method: "POST",
      status: 200,
      ended: null,
      orderId: "1001",
      riskLevel: "critical",
      rule: "score-86",
      metered: true,
      creditsLeft: 4,
    });
    expect(end).toEqual({ event: "stopped", requests: 1, metered: 1 });
    expect(await exited).toEqual([0, null]);
  });
});

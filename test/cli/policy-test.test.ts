import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Terminal } from "../../src/cli/output.ts";
import { testPolicy, type PolicyTestOptions } from "../../src/cli/policy-test.ts";
import { parseConfig, type Config } from "../../src/config.ts";
import { openConfiguredStore } from "../../src/store/opening/open-store.ts";
import type { NewOrder, Store } from "../../src/store/store.ts";
import { runHoldfast } from "../support/command.ts";
import { claim, decision, entry, order } from "../store/samples.ts";

const TENANT = "test:one";
const DAY_MS = 86_400_000;

let folder: string;
let config: Config;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-policy-"));
  config = parseConfig({ DATABASE_URL: `sqlite:${join(folder, "h.db")}` });
  // As in the running app.
  store = await openConfiguredStore(config, { exclusive: true });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const install = (tenant = TENANT) =>
  store.tenants.saveCredential(tenant, "test", "secret", "installed", Date.now());

async function keep(orderId: string, changes: Partial<NewOrder> = {}): Promise<void> {
  const received = { tenant: TENANT, platform: "test", receivedAtMs: Date.now() - DAY_MS, ...changes };
  await store.orders.receive(order(orderId, received), entry("received"));
  await store.orders.claim(claim("p1", { nowMs: Date.now(), limit: 100 }));
  const decided = { state: "settled", dueAtMs: null, decision: decision({ policyVersion: 0 }) } as const;
  await store.orders.save({ tenant: received.tenant, orderId }, "p1", { changes: decided, release: true });
}

async function write(document: unknown): Promise<string> {
  const file = join(folder, "policy.json");
  await writeFile(file, typeof document === "string" ? document : JSON.stringify(document));
  return file;
}

async function run(document: unknown, options: Partial<PolicyTestOptions> = {}) {
  const lines: string[] = [];
  const progress: string[] = [];
  const terminal: Terminal = {
    isInteractive: true,
    hasColors: false,
    line: (text) => void lines.push(text),
    problem: () => expect.unreachable(),
    progress: (text) => void progress.push(text),
    confirm: () => expect.unreachable(),
  };
  const all = {
    file: await write(document),
    sinceMs: Date.now() - 90 * DAY_MS,
    tenant: undefined,
    json: false,
  };
  await testPolicy({ ...all, ...options }, { config, terminal, now: Date.now });
  return { lines, text: lines.join("\n"), progress };
}

const CANCEL_HIGH = { levels: { high: { action: "cancel" } } };

describe("testPolicy", () => {
  it("shows what would have changed, while the app is running, with a bar that disappears", async () => {
    await install();
    await keep("1");
    await keep("2", { amount: 1_234.5, currency: "EUR", name: "#2\u001B[2J" });

    const { text, progress } = await run(CANCEL_HIGH);

    expect(text).toMatch(
      /^test:one: 2 decided orders from \S+ to \S+; 2 replayed, 2 of them with a different decision\n/,
    );
    expect(text).toMatch(/^hold +2 +1234\.50 EUR \+ 19\.99 USD +0$/m);
    expect(text).toMatch(/^cancel +0 +2 +1234\.50 EUR \+ 19\.99 USD$/m);
    expect(text).toMatch(/^hold -> cancel +2 +1234\.50 EUR \+ 19\.99 USD$/m);
    expect(text).toMatch(/^#2 \[2J +1234\.50 EUR +high +hold -> cancel +unknown\n#1 +19\.99 USD/m);
    expect(text).toContain("credits spent: 0");
    expect(progress.some((line) => line.startsWith("replaying [#"))).toBe(true);
    expect(progress.at(-1)).toBe("");
  });

  it("writes amounts in the format of their currency", async () => {
    await install();
    await keep("1", { amount: 1.234, currency: "KWD" });
    await keep("2", { amount: 1_200, currency: "JPY" });

    expect((await run(CANCEL_HIGH)).text).toMatch(/^hold +2 +1200 JPY \+ 1\.234 KWD +0$/m);
  });

  it("reports when nothing would have changed, and when there is nothing", async () => {
    await install();
    expect((await run({})).lines).toHaveLength(1);
    await keep("1");
    expect((await run({})).text).toContain("nothing would have changed");
  });

  it("prints the whole report as JSON", async () => {
    await install();
    await keep("1");
    const { lines } = await run(CANCEL_HIGH, { json: true });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ orders: 1, credits: 0, changes: [{ to: "cancel" }] });
  });

  it.each<[name: string, document: unknown, message: RegExp]>([
    [
      "each field at fault",
      { levels: { high: { action: "explode" } }, budget: { daily: -1 } },
      /policy\.json is invalid:\n {2}levels\.high\.action: expected one of .*\n {2}budget\.daily: expected/,
    ],
    ["an invalid document", [], /\n {2}document: expected an object$/],
    [
      "a file that isn't JSON, without repeating it",
      '{"rules": "jane@example.com',
      /^\S+: expected one JSON document$/,
    ],
  ])("names %s", async (_name, document, message) => {
    await install();
    await expect(run(document)).rejects.toMatchObject({
      code: "POLICY_INVALID",
      message: expect.stringMatching(message),
    });
  });

  it("names a file that cannot be read, and a database that the app has not prepared", async () => {
    const refusal = (message: string) => ({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(message),
    });
    await expect(run({}, { file: join(folder, "none.json") })).rejects.toMatchObject(
      refusal("none.json: it doesn't exist"),
    );
    config = parseConfig({ DATABASE_URL: `sqlite:${join(folder, "new.db")}` });
    await expect(run({})).rejects.toMatchObject(refusal("start the app once"));
  });

  it("uses the storefront's own orders if no shop is installed", async () => {
    await keep("1", { tenant: "default" });

    expect((await run({})).text).toMatch(/^default: 1 decided order /);
  });

  it("asks for the shop unless there is exactly one", async () => {
    const refusal = (message: string) => ({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(message),
    });
    await install();
    await install("test:two");
    await expect(run({})).rejects.toMatchObject(refusal("--tenant: expected one of test:one, test:two"));
    await keep("1", { tenant: "test:two" });
    expect((await run({}, { tenant: "test:two" })).text).toMatch(/^test:two: 1 decided order /);
    await expect(run({}, { tenant: "test:too" })).rejects.toMatchObject(
      refusal("--tenant: expected one of test:one, test:two, got test:too"),
    );
  });
});

describe("holdfast policy test", () => {
  it("ends with 0, and with 1 for a policy that can't be used", async () => {
    await install();
    await keep("1");
    const environment = { DATABASE_URL: `sqlite:${join(folder, "h.db")}` };
    const command = async (document: unknown, ...args: readonly string[]) =>
      runHoldfast(["policy", "test", await write(document), ...args], environment);

    const [good, bad] = [await command(CANCEL_HIGH, "--since", "30d"), await command({ mode: "off" })];

    expect(good).toMatchObject({ code: 0, stderr: "" });
    expect(good.stdout).toContain("hold -> cancel");
    expect(bad).toMatchObject({ code: 1, stdout: "" });
    expect(bad.stderr).toMatch(/^POLICY_INVALID: .*\n {2}mode: expected one of active, shadow\n$/);
  });
});

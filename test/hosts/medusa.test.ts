import { cp, mkdtemp, readFile } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import type { ChildProcess } from "node:child_process";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { codeBlocks } from "../support/markdown.ts";
import { createPostgresProxy, type PostgresProxy } from "../support/postgres-proxy.ts";
import { createDatabase, type TestDatabase } from "../support/postgres-database.ts";
import { until } from "../support/until.ts";
import { Console } from "./console.ts";
import { findFreePort, installHost, type Host } from "./host.ts";
import { Shopper, type Seeded } from "./medusa/shopper.ts";

const PACKAGES = ["medusa", "framework", "cli"].map((name) => `@medusajs/${name}@2.21.2`);
const MEDUSA = "node_modules/@medusajs/cli/cli.js";
const STAFF = { email: "staff@example.com", password: "Passw0rd1" };
const CANCEL_CRITICAL = { levels: { critical: { action: "cancel", tags: ["holdfast-critical"] } } };
const HELD = "Holdfast keeps this order on hold. Approve it in the Holdfast console first.";
const REFUSAL = {
  status: 400,
  type: "not_allowed",
  message: "We can't accept this order. Please contact us.",
};

/** Hundreds of packages, on a busy machine. */
const INSTALL_MS = 1_800_000;

let host: Host;
let database: TestDatabase;
let proxy: PostgresProxy;
let seeded: Seeded;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  host = await installHost({
    packages: [...PACKAGES, "pino@10", "prom-client@15", "typescript@5.9.3", "@types/node@24.19.2"],
    manifest: { type: "commonjs" },
  });
  await cp(join(import.meta.dirname, "medusa"), host.folder, { recursive: true });
  database = await createDatabase({ empty: true });
  // Medusa accepts no socket address.
  proxy = await createPostgresProxy(database.url);
  const env = toEnvironment({});
  await host.run(process.execPath, [MEDUSA, "db:migrate"], env);
  await host.run(process.execPath, [MEDUSA, "exec", "./seed.js"], env);
  await host.run(process.execPath, [MEDUSA, "user", "-e", STAFF.email, "-p", STAFF.password], env);
  seeded = JSON.parse(await readFile(join(host.folder, "seed.json"), "utf8")) as Seeded;
}, INSTALL_MS);

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await proxy?.close();
  await database?.drop();
});

function toEnvironment(settings: object): Record<string, string> {
  return {
    DATABASE_URL: proxy.url,
    SETTINGS: JSON.stringify(settings),
    MEDUSA_DISABLE_TELEMETRY: "1",
    NODE_ENV: "development",
    // Holdfast starts with the shop. The job, which starts it if that failed, would hide a fault.
    EVERY: "0 3 * * *",
  };
}

/** A shop with its own Holdfast; all shops share Medusa's database. */
async function startShop(env: Record<string, string> = {}) {
  const service = createSandboxService();
  const url = await service.listen();
  ends.push(() => service.close());
  const folder = await mkdtemp(join(host.folder, "shop-"));
  const [port, consolePort] = [await findFreePort(), await findFreePort()];
  const settings = {
    DATABASE_URL: `sqlite:${join(folder, "holdfast.db")}`,
    VERIFY_URL: url.href,
    VERIFY_API_KEY: SANDBOX_API_KEY,
    CONSOLE_TOKEN: Console.TOKEN,
    PORT: String(consolePort),
  };
  const people = new Console(`http://127.0.0.1:${consolePort}`);
  const address = `http://127.0.0.1:${port}`;
  const start = async (more: Record<string, string>): Promise<ChildProcess> => {
    const args = [MEDUSA, "start", "--port", String(port)];
    const started = host.start(process.execPath, args, { ...toEnvironment(settings), ...more });
    await until(() => fetch(`${address}/health`).then(({ ok }) => ok));
    await until(() => people.list());
    return started;
  };
  let child = await start(env);
  const kill = async () => {
    const ended = once(child, "exit");
    killGroup(child);
    await ended;
  };
  ends.push(kill);
  return {
    people,
    credits: () => service.calls.filter(({ metered }) => metered).length,
    stopService: () => service.close(),
    shopper: () => new Shopper(address, seeded),
    staff: () => new Shopper(address, seeded).signIn(STAFF),
    async restart(more: Record<string, string> = {}) {
      await kill();
      child = await start(more);
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}

/** What its starter's tsconfig.json says, without what concerns the output. */
const STARTER = {
  target: "ES2021",
  esModuleInterop: true,
  module: "Node16",
  moduleResolution: "Node16",
  emitDecoratorMetadata: true,
  experimentalDecorators: true,
  skipLibCheck: true,
  resolveJsonModule: true,
  strictNullChecks: true,
  types: ["node"],
};

it("compiles the page's code as TypeScript, with the starter's settings", async () => {
  const blocks = codeBlocks(await readFile("docs/hosts/medusa.md", "utf8"), "js");
  expect(blocks).toHaveLength(5);
  const toFiles = (folder: string, change: (code: string) => string) =>
    blocks.map((code) => [
      `${folder}/${/^\/\/ (src\/\S+)\.js\n/.exec(code)?.[1] ?? "unnamed"}.ts`,
      change(code),
    ]);
  const config = JSON.stringify({ compilerOptions: STARTER, include: ["."] });
  await host.write({
    ...Object.fromEntries(toFiles("page", (code) => code)),
    ...Object.fromEntries(toFiles("planted", (code) => code.replace(/^\/\/ @ts-ignore.*\n/m, ""))),
    "page/tsconfig.json": config,
    "planted/tsconfig.json": config,
  });
  const compile = (project: string) =>
    host.run("node", ["node_modules/typescript/bin/tsc", "--noEmit", "-p", project]);

  await compile("page");
  // What the page once had.
  await expect(compile("planted")).rejects.toThrow("TS2339");
});

describe("Medusa 2.21 on Postgres, with the packed functions", () => {
  it("checks each order once, follows every level, and ships a critical order only once a person approves it", async () => {
    const shop = await startShop();
    const staff = await shop.staff();
    const seen: Record<string, unknown> = {};
    for (const level of ["low", "medium", "high", "critical"]) {
      const shopper = shop.shopper();
      await shopper.fillCart(`${level}@risk.example`);
      const placed = await shopper.complete();
      expect(placed).toMatchObject({ status: 200, type: "order" });
      const { id = "" } = placed.order ?? {};
      await shop.people.settled(id);
      const { riskLevel, action, hold, tags } = (await staff.find(id)).metadata.holdfast ?? {};
      seen[level] = [riskLevel, action, hold, tags];
      // The answer to a repeated request is the existing order, and nothing is asked again.
      expect(await shopper.complete()).toMatchObject({ status: 200, order: { id } });
    }

    expect(seen).toEqual({
      low: ["low", "allow", null, []],
      medium: ["medium", "tag", null, ["holdfast-medium"]],
      high: ["high", "hold", "decision", ["holdfast-high"]],
      // Nobody has saved a policy yet, so nothing is refused or canceled.
      critical: ["critical", "hold", "decision", ["holdfast-critical"]],
    });
    expect(shop.credits(), "one credit an order").toBe(4);

    const { orderId } = await shop.people.find("critical");
    expect(await staff.fulfill(orderId)).toMatchObject({ status: 400, message: HELD });
    await shop.people.act(orderId, "approve");
    await until(async () => (await staff.find(orderId)).metadata.holdfast?.["hold"] === null);
    expect(await staff.fulfill(orderId)).toMatchObject({ status: 200 });
  });

  it("refuses a critical cart, even if it changed after its check, and asks once for 40 requests", async () => {
    const shop = await startShop();
    await shop.people.savePolicy(CANCEL_CRITICAL);
    const shopper = shop.shopper();
    await shopper.fillCart("critical@risk.example");
    const answers = await Promise.all(Array.from({ length: 40 }, () => shopper.complete()));
    expect(answers.filter(({ status }) => status === 200)).toEqual([]);
    expect(await shopper.complete()).toMatchObject(REFUSAL);
    expect(shop.credits()).toBe(1);

    // While the service is asked, the customer changes the cart: the workflow's lock separates the two.
    const racer = shop.shopper();
    await racer.fillCart("slow-2000@risk.example");
    const placing = racer.complete();
    await until(() => shop.credits() === 2);
    const changed = await racer.becomes("critical@risk.example");
    const placed = await placing;
    if (placed.status === 200) {
      const order = await (await shop.staff()).find(placed.order?.id ?? "");
      expect(order.email, "the order is the one that was checked").toBe("slow-2000@risk.example");
    } else expect(changed.status).toBe(200);
  });

  it("places the order when the service is down or late", async () => {
    const shop = await startShop({ DEADLINE_MS: "400" });
    const late = shop.shopper();
    await late.fillCart("timeout@risk.example");
    // The service never answers this one.
    expect(await late.complete()).toMatchObject({ status: 200 });

    await shop.stopService();
    const shopper = shop.shopper();
    await shopper.fillCart("low@risk.example");
    expect(await shopper.complete()).toMatchObject({ status: 200 });
  });

  it("cancels a placed critical order that was not reported before kill -9, and refunds its payment", async () => {
    const shop = await startShop({ REFUSE: "no", STALL: "report" });
    await shop.people.savePolicy(CANCEL_CRITICAL);
    const shopper = shop.shopper();
    await shopper.fillCart("critical@risk.example");
    const { order } = await shopper.complete();
    const { id = "" } = order ?? {};
    const staff = await shop.staff();
    expect(await staff.fulfill(id), "held from the first moment").toMatchObject({ message: HELD });
    expect((await shop.people.list()).map(({ orderId }) => orderId)).not.toContain(id);

    await shop.restart({ REFUSE: "no" });
    await until(async () => (await (await shop.staff()).find(id)).status === "canceled");
    expect(await (await shop.staff()).find(id)).toMatchObject({ payment_status: "canceled" });
    expect(await shop.people.find("critical")).toMatchObject({ orderId: id, action: "cancel" });
  });
});

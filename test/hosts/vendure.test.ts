import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { until } from "../support/until.ts";
import { Buyer, Staff } from "./vendure/buyer.ts";
import { Console } from "./console.ts";
import { findFreePort, installHost, type Host } from "./host.ts";

/** Vendure 3.7.3 requires a version of a package that isn't published. */
const OVERRIDES = { "@graphql-tools/delegate": "12.2.1", "@graphql-tools/wrap": "11.2.1" };
const CANCEL_CRITICAL = { levels: { critical: { action: "cancel", tags: ["holdfast-critical"] } } };
const HELD = "Holdfast keeps this order on hold. Approve it in the Holdfast console first.";
const REFUSAL = "We can't accept this payment. Please contact us.";

/** A running shop. */
interface Shop {
  readonly console: Console;
  readonly credits: () => number;
  readonly buyer: () => Buyer;
  readonly staff: () => Promise<Staff>;
  readonly stopService: () => Promise<void>;
  /** Kill its process, and start it again. */
  readonly restart: (env?: Record<string, string>) => Promise<void>;
}

/** Hundreds of packages, on a busy machine. */
const INSTALL_MS = 1_800_000;

let host: Host;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const files: Record<string, string> = {};
  for (const name of ["server.js", "contract.js", "buyer.ts"]) {
    files[name] = await readFile(join(import.meta.dirname, "vendure", name), "utf8");
  }
  const packages = ["@vendure/core@3.7.3", "sql.js@1.16.0", "express@5", "pino@10", "prom-client@15"];
  host = await installHost({ packages, files, manifest: { overrides: OVERRIDES } });
}, INSTALL_MS);

afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  for (const end of ends) await end();
});

/** Start a shop with its own database, and a service to check its orders. */
async function startShop(env: Record<string, string> = {}): Promise<Shop> {
  const service = createSandboxService();
  const url = await service.listen();
  ends.push(() => service.close());
  await mkdir(join(host.folder, "shops"), { recursive: true });
  const folder = await mkdtemp(join(host.folder, "shops", "shop-"));
  const port = await findFreePort();
  const consolePort = await findFreePort();
  const settings = {
    DATABASE_URL: `sqlite:${join(folder, "holdfast.db")}`,
    VERIFY_URL: url.href,
    VERIFY_API_KEY: SANDBOX_API_KEY,
    CONSOLE_TOKEN: Console.TOKEN,
    PORT: String(consolePort),
  };
  const common = {
    FOLDER: folder,
    PORT: String(port),
    READY_PORT: String(await findFreePort()),
    SETTINGS: JSON.stringify(settings),
    VENDURE_DISABLE_TELEMETRY: "true",
  };
  const start = async (more: Record<string, string>): Promise<ChildProcess> => {
    const started = host.start(process.execPath, ["server.js"], { ...common, ...more });
    await until(() => fetch(`http://127.0.0.1:${common.READY_PORT}`));
    return started;
  };
  let child = await start(env);
  return {
    console: new Console(`http://127.0.0.1:${consolePort}`),
    credits: () => service.calls.filter(({ metered }) => metered).length,
    buyer: () => new Buyer(`http://127.0.0.1:${port}/shop-api`),
    staff: () => new Staff(`http://127.0.0.1:${port}/admin-api`).signIn(),
    stopService: () => service.close(),
    async restart(more = {}) {
      const ended = once(child, "exit");
      killGroup(child);
      await ended;
      child = await start(more);
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}

describe("Vendure 3.7 on sql.js, with the packed plugin", () => {
  it("checks each order once, follows every level, and ships a critical order only once a person approves it", async () => {
    const shop = await startShop();
    const staff = await shop.staff();
    const seen: Record<string, unknown> = {};
    for (const level of ["low", "medium", "high", "critical"]) {
      const buyer = shop.buyer();
      const id = await buyer.fillCart(`${level}@risk.example`);
      expect(await buyer.pay()).toMatchObject({ __typename: "Order", state: "PaymentAuthorized" });
      await shop.console.settled(id);
      const { customFields } = await staff.find(id);
      const { holdfastAction, holdfastHold, holdfastTags } = customFields;
      seen[level] = [customFields["holdfastRiskLevel"], holdfastAction, holdfastHold, holdfastTags];
    }

    expect(seen).toEqual({
      low: ["low", "allow", null, null],
      medium: ["medium", "tag", null, ["holdfast-medium"]],
      high: ["high", "hold", "decision", ["holdfast-high"]],
      // Nobody has saved a policy yet, so nothing is refused or canceled.
      critical: ["critical", "hold", "decision", ["holdfast-critical"]],
    });
    expect(shop.credits(), "one credit an order").toBe(4);

    const critical = await shop.console.find("critical");
    expect(critical).toMatchObject({ state: "review", action: "hold" });
    expect(await staff.fulfill(critical.orderId)).toBe(HELD);
    await shop.console.act(critical.orderId, "approve");
    await until(async () => (await staff.find(critical.orderId)).customFields["holdfastHold"] === null);
    expect(await staff.fulfill(critical.orderId)).toBe("Pending");
    expect(shop.credits()).toBe(4);
  });

  it("refuses a critical order before money moves, and closes both ways around the check", async () => {
    const shop = await startShop();
    await shop.console.savePolicy(CANCEL_CRITICAL);
    const staff = await shop.staff();

    const buyer = shop.buyer();
    const id = await buyer.fillCart("critical@risk.example");
    const refused = { __typename: "IneligiblePaymentMethodError", eligibilityCheckerMessage: REFUSAL };
    expect(await buyer.pay()).toMatchObject(refused);
    expect(await buyer.pay(), "and again").toMatchObject(refused);
    expect(shop.credits()).toBe(1);
    expect((await staff.find(id)).payments).toEqual([]);

    // Everything except the payment was checked as another buyer.
    const changed = shop.buyer();
    await changed.fillCart("low@risk.example");
    await changed.becomes("critical@risk.example");
    expect(await changed.pay()).toMatchObject(refused);

    // The payment handler is running when the order changes.
    for (const [settle, payment] of [
      [false, { state: "Cancelled", refunds: [] }],
      [true, { state: "Settled", refunds: [{ total: 1750 }] }],
    ] as const) {
      const late = shop.buyer();
      const lateId = await late.fillCart("low@risk.example");
      const before = shop.credits();
      const paying = late.pay({ pauseMs: 3_000, settle });
      await until(() => shop.credits() === before + 1);
      await late.becomes("critical@risk.example");
      expect(await paying).not.toMatchObject({ state: "PaymentAuthorized" });
      const order = await staff.find(lateId);
      expect(order).toMatchObject({ state: "ArrangingPayment", payments: [payment] });
    }
  });

  it("spends one credit on forty payments at once", async () => {
    const shop = await startShop();
    const buyer = shop.buyer();
    await buyer.fillCart("low@risk.example");
    // sql.js has one connection, whose savepoints fail when requests overlap: Vendure's answers don't matter here.
    await Promise.allSettled(Array.from({ length: 40 }, () => buyer.pay()));

    expect(shop.credits()).toBe(1);
  });

  it("decides without a service that is down or late, and places the order", async () => {
    const shop = await startShop({ DEADLINE_MS: "400" });
    const late = shop.buyer();
    const lateId = await late.fillCart("timeout@risk.example");
    // The service never answers this one.
    expect(await late.pay()).toMatchObject({ state: "PaymentAuthorized" });

    await shop.stopService();
    const buyer = shop.buyer();
    await buyer.fillCart("low@risk.example");
    expect(await buyer.pay()).toMatchObject({ state: "PaymentAuthorized" });
    expect((await (await shop.staff()).find(lateId)).customFields["holdfastCheckId"]).toMatch(/./);
  });

  it.each([
    ["authorized", false, { state: "Cancelled", refunds: [] }],
    ["settled", true, { state: "Settled", refunds: [{ total: 1750 }] }],
  ])(
    "cancels a placed critical order and refunds its %s payment, even after kill -9",
    async (_how, settle, payment) => {
      const shop = await startShop({ REFUSE: "no", STALL: "cancel" });
      await shop.console.savePolicy(CANCEL_CRITICAL);
      const buyer = shop.buyer();
      const id = await buyer.fillCart("critical@risk.example");
      expect(await buyer.pay({ settle })).toMatchObject({ __typename: "Order" });
      const staff = await shop.staff();
      expect(await staff.fulfill(id), "held from the first moment").toBe(HELD);
      // The money is refunded, and the process never reaches the cancel itself.
      await until(async () => expect((await staff.find(id)).payments).toEqual([payment]));

      await shop.restart({ REFUSE: "no" });
      await until(async () => (await (await shop.staff()).find(id)).state === "Cancelled");
      expect((await (await shop.staff()).find(id)).payments).toEqual([payment]);
      expect(await shop.console.find("critical")).toMatchObject({ action: "cancel" });
      expect(shop.credits()).toBe(1);
    },
  );

  it("keeps the platform contract", async () => {
    const folder = await mkdtemp(join(host.folder, "shop-"));
    const env = {
      FOLDER: folder,
      PORT: String(await findFreePort()),
      READY_PORT: String(await findFreePort()),
      SETTINGS: JSON.stringify({
        DATABASE_URL: `sqlite:${join(folder, "holdfast.db")}`,
        CONSOLE_TOKEN: Console.TOKEN,
        PORT: "0",
      }),
      VENDURE_DISABLE_TELEMETRY: "true",
    };
    const printed = await host.run(process.execPath, ["contract.js"], env);

    expect(printed).toMatch(/^(\d+) of \1 kept\n$/);
  });

  it("finds an order that was placed and not reported before kill -9", async () => {
    const shop = await startShop({ STALL: "report" });
    const buyer = shop.buyer();
    const id = await buyer.fillCart("critical@risk.example");
    await buyer.pay();
    expect(await (await shop.staff()).fulfill(id)).toBe(HELD);
    expect(await shop.console.list()).toEqual([]);

    await shop.restart();
    await shop.console.settled(id);
    expect(await shop.console.find("critical")).toMatchObject({ state: "review", orderId: id });
    await shop.console.act(id, "approve");
    await shop.restart();
    const staff = await shop.staff();
    await until(async () => (await staff.find(id)).customFields["holdfastHold"] === null);
    expect(await staff.fulfill(id)).toBe("Pending");
    expect(shop.credits()).toBe(1);
  });
});

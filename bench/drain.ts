import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { startApp } from "../src/app.ts";
import { parseConfig, type Config } from "../src/config.ts";
import { createPinoLogger } from "../src/base/pino-logger.ts";
import { DEFAULT_POLICY } from "../src/policy/policy.ts";
import { openConfiguredStore } from "../src/store/opening/open-store.ts";
import type { BenchContext, Benchmark } from "./benchmark.ts";
import { startChild } from "./child.ts";
import { median, type Figure } from "./figure.ts";
import { createQuickPlatform, QUICK_PLATFORM, toPlatformOrder } from "./quick-platform.ts";

const ORDERS = 2_000;
const TENANTS = 20;
const IN_FLIGHT = 50;
const LATENCY_MS = 200;
const ROUNDS = { quick: 1, full: 3 };
/** Little's law: with `IN_FLIGHT` places that are never empty, it can't take less. */
const IDEAL_S = (ORDERS / IN_FLIGHT) * (LATENCY_MS / 1_000);
const POLL_MS = 5;

/** A backlog of accepted orders is processed: are the places at the service ever empty? */
export const drain: Benchmark = {
  name: "drain",
  about: "2,000 accepted orders to settled, service at 200 ms, 50 in flight",
  async run(context) {
    const service = await startChild("service.child.ts", ["http", String(LATENCY_MS)]);
    const rounds: Round[] = [];
    const count = context.quick ? ROUNDS.quick : ROUNDS.full;
    try {
      for (let round = 0; round < count; round += 1) {
        context.progress(round / count, `round ${round + 1} of ${count}`);
        rounds.push(await runRound(service.url, `round-${round}`, context));
      }
    } finally {
      await service.stop();
    }
    return [toFigure(rounds)];
  },
};

interface Round {
  readonly seconds: number;
  readonly cpuMs: number;
  /** Answered calls, according to the ledger. */
  readonly answered: number;
}

async function runRound(service: URL, name: string, { folder }: BenchContext): Promise<Round> {
  const path = join(folder, `${name}.db`);
  const config = parseConfig({
    PORT: "0",
    DATABASE_URL: `sqlite:${path}`,
    VERIFY_URL: service.href,
    VERIFY_API_KEY: "bench-key",
    VERIFY_ORGANIZATION: "bench",
    LOG_LEVEL: "warn",
  });
  await acceptOrders(config);
  const platform = createQuickPlatform();
  const logger = createPinoLogger({ level: config.logLevel });
  const platforms = [{ name: QUICK_PLATFORM, create: () => platform }];
  const app = await startApp({ config, logger, platforms, version: "0.0.0" });
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  const database = new DatabaseSync(path, { readOnly: true });
  const settled = database.prepare("select count(*) as count from orders where state = 'settled'");
  const answered = database.prepare("select count(*) as count from attempts where state = 'answered'");
  try {
    // The table is counted only at the end, because counting uses the same core.
    while (platform.enforced < ORDERS) await sleep(POLL_MS);
    while (Number(settled.get()?.["count"]) < ORDERS) await sleep(POLL_MS);
    const seconds = (performance.now() - startMs) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    return { seconds, cpuMs: (user + system) / 1_000, answered: Number(answered.get()?.["count"]) };
  } finally {
    database.close();
    await app.stop();
  }
}

/** What intake leaves behind: deliveries that are on disk and not processed yet. */
async function acceptOrders(config: Config): Promise<void> {
  const store = await openConfiguredStore(config, { exclusive: true });
  const receivedAtMs = Date.now();
  // They all come from one address, so the burst brake would stop paying for them.
  for (let shop = 0; shop < TENANTS; shop += 1) {
    const policy = { ...DEFAULT_POLICY, budget: { ...DEFAULT_POLICY.budget, perSourceHourly: null } };
    const tenant = `${QUICK_PLATFORM}:shop-${shop}`;
    // Orders of a shop that hasn't installed the app wait.
    await store.tenants.saveCredential(tenant, QUICK_PLATFORM, "token", "installed", receivedAtMs);
    await store.policies.save(tenant, policy, undefined, receivedAtMs);
  }
  await store.deliveries.save(
    Array.from({ length: ORDERS }, (_, number) => ({
      tenant: `${QUICK_PLATFORM}:shop-${number % TENANTS}`,
      deliveryId: `delivery-${number}`,
      platform: QUICK_PLATFORM,
      topic: "orders/create",
      receivedAtMs,
      body: Buffer.from(JSON.stringify(toPlatformOrder(number))),
    })),
  );
  await store.close();
}

function toFigure(rounds: readonly Round[]): Figure {
  const seconds = rounds.map((round) => round.seconds);
  const cpuMs = median(rounds.map((round) => round.cpuMs)) / ORDERS;
  const wrong = rounds.filter(({ answered }) => answered !== ORDERS).map(({ answered }) => answered);
  return {
    name: "drain",
    unit: "s",
    ours: median(seconds),
    baseline: IDEAL_S,
    against: `Little's law: ${ORDERS} orders / ${IN_FLIGHT} in flight x ${LATENCY_MS} ms`,
    ratio: IDEAL_S / median(seconds),
    goal: { of: "ratio", atLeast: 0.95 },
    rounds: { ours: seconds, baseline: [IDEAL_S] },
    notes: [`${TENANTS} tenants`, `${cpuMs.toFixed(2)} ms CPU an order`, "one paid call each, by the ledger"],
    faults: wrong.map((answered) => `${answered} paid calls for ${ORDERS} orders`),
  };
}

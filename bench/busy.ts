import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseConfig } from "../src/config.ts";
import { openConfiguredStore } from "../src/store/opening/open-store.ts";
import { createSide } from "./acknowledge.ts";
import type { BenchContext, Benchmark } from "./benchmark.ts";
import { startChild, type Child } from "./child.ts";
import { BENCH_TOKEN, toDeliveryBody, toDeliveryHeaders } from "./delivery.ts";
import { median, type Figure } from "./figure.ts";
import { createPaced, type Paced } from "./paced-side.ts";
import { QUICK_PLATFORM, toPlatformOrder } from "./quick-platform.ts";

const CONNECTIONS = 50;
const BACKLOG = { quick: 4_000, full: 20_000 };
const REPORTED = { quick: 20_000, full: 100_000 };
const SECONDS = { quick: 2, full: 6 };
const ROUNDS = { quick: 1, full: 3 };
const TENANTS = 20;
const GOAL_MS = 50;
const DAY_MS = 86_400_000;

/** Receiving has priority over working, on the one thread that does both. */
export const busy: Benchmark = {
  name: "busy",
  about: "webhooks at half load while a backlog is processed, and while a report is created",
  async run(context) {
    const [backlog, report] = [join(context.folder, "backlog.db"), join(context.folder, "report.db")];
    await acceptOrders(backlog, context);
    await keepOrders(report, context);
    const perSecond = await findHalfLoad(context);
    return [
      await measureBacklog(backlog, perSecond, context),
      await measureReport(report, perSecond, context),
    ];
  },
};

/** Half of what the app can take with nothing else to do. */
async function findHalfLoad({ folder, quick, progress }: BenchContext): Promise<number> {
  progress(0.1, "finding half load");
  const child = await startChild("acknowledge.child.ts", ["ours", join(folder, "alone.db")]);
  try {
    const body = toDeliveryBody();
    const side = createSide(child, body, toDeliveryHeaders(body));
    await side.warmUp(quick ? 1 : 2);
    return (await side.round()) / 2;
  } finally {
    await child.stop();
  }
}

async function measureBacklog(path: string, perSecond: number, context: BenchContext): Promise<Figure> {
  const child = await startChild("acknowledge.child.ts", ["ours", path, "work"]);
  const database = new DatabaseSync(path, { readOnly: true });
  const decided = database.prepare(
    `select count(*) as count from orders where platform = '${QUICK_PLATFORM}' and first_decided_at is not null`,
  );
  const count = (): number => Number(decided.get()?.["count"]);
  const perRound: number[] = [];
  try {
    const paced = createPaced(child, CONNECTIONS);
    const rounds = await measureRounds(paced, perSecond, context, "backlog", async (round) => {
      const before = count();
      const p99Ms = await round();
      perRound.push(count() - before);
      return p99Ms;
    });
    const total = context.quick ? BACKLOG.quick : BACKLOG.full;
    const [left, seconds] = [total - count(), context.quick ? SECONDS.quick : SECONDS.full];
    const worked = perRound.map((orders) => orders / seconds);
    return {
      ...toFigure("acknowledge-backlog-p99", rounds),
      against: "",
      notes: [
        `at ${perSecond.toFixed(0)} req/s, p50 ${paced.p50Ms().toFixed(1)} ms`,
        `${median(worked).toFixed(0)} orders a second decided meanwhile, ${left} of ${total} left`,
      ],
      faults: [...toFaults(paced), ...(median(worked) > 0 ? [] : ["the backlog did not shrink"])],
    };
  } finally {
    database.close();
    await child.stop();
  }
}

async function measureReport(path: string, perSecond: number, context: BenchContext): Promise<Figure> {
  const child = await startChild("acknowledge.child.ts", ["ours", path]);
  try {
    const paced = createPaced(child, CONNECTIONS);
    const reports: number[] = [];
    const rounds = await measureRounds(paced, perSecond, context, "report", async (round) => {
      const over = new AbortController();
      const reporting = (async () => {
        do reports.push(await askReport(child));
        while (!over.signal.aborted);
      })();
      const p99Ms = await round();
      over.abort();
      await reporting;
      return p99Ms;
    });
    const orders = context.quick ? REPORTED.quick : REPORTED.full;
    return {
      ...toFigure("acknowledge-report-p99", rounds),
      against: "",
      notes: [
        `at ${perSecond.toFixed(0)} req/s, p50 ${paced.p50Ms().toFixed(1)} ms`,
        `a report over ${orders} orders takes ${(median(reports) / 1_000).toFixed(1)} s meanwhile`,
      ],
      faults: toFaults(paced),
    };
  } finally {
    await child.stop();
  }
}

async function measureRounds(
  paced: Paced,
  perSecond: number,
  { quick, progress }: BenchContext,
  what: string,
  during: (round: () => Promise<number>) => Promise<number>,
): Promise<readonly number[]> {
  const count = quick ? ROUNDS.quick : ROUNDS.full;
  const rounds: number[] = [];
  for (let round = 0; round < count; round += 1) {
    progress((what === "backlog" ? 0.2 : 0.6) + (0.4 * round) / count, `${what}, ${round + 1} of ${count}`);
    rounds.push(await during(() => paced.round(perSecond, quick ? SECONDS.quick : SECONDS.full)));
  }
  return rounds;
}

function toFigure(name: string, ours: readonly number[]) {
  const goal = { of: "ours", atMost: GOAL_MS } as const;
  return {
    name,
    unit: "ms",
    ours: median(ours),
    baseline: null,
    ratio: null,
    goal,
    rounds: { ours, baseline: [] },
  };
}

function toFaults({ failed }: Paced): readonly string[] {
  return failed === 0 ? [] : [`${failed} requests were not answered 200`];
}

/** How long a report took, in milliseconds. */
async function askReport(child: Child): Promise<number> {
  const startMs = performance.now();
  const url = new URL("/api/report?days=90", child.url);
  const answer = await fetch(url, { headers: { authorization: `Bearer ${BENCH_TOKEN}` } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`the report was answered ${answer.status}`);
  return performance.now() - startMs;
}

function openStore(path: string) {
  return openConfiguredStore(parseConfig({ DATABASE_URL: `sqlite:${path}` }), { exclusive: true });
}

/** What intake leaves behind: deliveries that are on disk and not processed yet. */
async function acceptOrders(path: string, { quick }: BenchContext): Promise<void> {
  const store = await openStore(path);
  const receivedAtMs = Date.now();
  // Orders of a shop that hasn't installed the app wait.
  for (let shop = 0; shop < TENANTS; shop += 1)
    await store.tenants.saveCredential(
      `${QUICK_PLATFORM}:shop-${shop}`,
      QUICK_PLATFORM,
      "token",
      "installed",
      receivedAtMs,
    );
  const orders = Array.from({ length: quick ? BACKLOG.quick : BACKLOG.full }, (_, number) => ({
    tenant: `${QUICK_PLATFORM}:shop-${number % TENANTS}`,
    deliveryId: `delivery-${number}`,
    platform: QUICK_PLATFORM,
    topic: "orders/create",
    triggeredAtMs: undefined,
    receivedAtMs,
    body: Buffer.from(JSON.stringify(toPlatformOrder(number))),
  }));
  for (let first = 0; first < orders.length; first += 1_000)
    await store.deliveries.save(orders.slice(first, first + 1_000));
  await store.close();
}

/** Decided orders of the console's tenant over ninety days, one in fifty held. */
async function keepOrders(path: string, { quick }: BenchContext): Promise<void> {
  await (await openStore(path)).close();
  const orders = quick ? REPORTED.quick : REPORTED.full;
  const everyMs = Math.floor((89 * DAY_MS) / orders);
  const database = new DatabaseSync(path);
  database.exec(`
    insert into orders (tenant, order_id, platform, name, received_at, state, attempts, enriched, decision, risk_level,
      action, degraded, decided_at, first_decided_at, amount, currency)
    select 'default', 'o' || n, 'shopify', '#' || n, ${Date.now()} - n * ${everyMs}, 'settled', 0, 1,
      json_object('action', iif(n % 50 = 0, 'hold', 'allow'), 'tags', json_array(), 'reasons', json_array('level:low'),
        'riskLevel', 'low', 'riskScore', 12, 'source', 'service', 'degraded', json('false'), 'policyVersion', 0),
      'low', iif(n % 50 = 0, 'hold', 'allow'), 0, ${Date.now()}, ${Date.now()}, 59.9, 'USD'
    from (with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${orders})
      select n from counted)`);
  database.close();
}

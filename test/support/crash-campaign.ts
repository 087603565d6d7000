import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { createCrashOrders, type CrashOrder, type CrashOrders } from "./crash-orders.ts";
import type { CrashStage } from "./crash-stage.ts";
import type { FaultyApp } from "./faulty-app.ts";
import { until } from "./until.ts";

/** Queries a database directly, without the app. */
export type Query = (statement: string) => Promise<readonly Record<string, unknown>[]>;

/** Kills, and the outcome of the orders. */
export interface Campaign {
  readonly stage: CrashStage;
  readonly orders: CrashOrders;
  /** Where a process died, in the order of the deaths. */
  readonly kills: readonly string[];
  /** Record a kill, before anything is started again. */
  note(where: string): Promise<void>;
  /** Wait until nothing is left to do for an order. */
  untilAtRest(app: FaultyApp, order: CrashOrder): Promise<void>;
  /** Wait until nothing is left to do for an order, or an app that works on it has died. */
  untilDeadOrAtRest(apps: readonly FaultyApp[], order: CrashOrder): Promise<void>;
  /** Fails unless the order is decided and followed through, was billed at most three times, and the app has that. */
  expectFollowed(app: FaultyApp, order: CrashOrder): Promise<void>;
  /** Wait until every delivery was carried out. */
  untilQuiet(): Promise<void>;
  /**
   * Fails unless all orders are followed through, and no more calls were billed than there are orders plus calls under
   * way at the kills.
   */
  expectAllFollowed(app: FaultyApp): Promise<Figures>;
}

/** The results of a campaign. */
export interface Figures {
  readonly kills: number;
  readonly orders: number;
  /** Orders that were decided locally, because a kill cut off both of their calls. */
  readonly cutTwice: number;
  /** Orders that were decided by a third call, later. */
  readonly caughtUp: number;
  /** Calls that the service billed. */
  readonly credits: number;
  /** Calls that were under way at the kills. */
  readonly cutOff: number;
  /** Mutations that were repeated and changed nothing. */
  readonly repeated: number;
  readonly seconds: number;
}

/** Print the figures of a campaign in the test output. */
export function tell(name: string, figures: Figures): void {
  const { kills, orders, cutTwice, caughtUp, credits, cutOff, repeated, seconds } = figures;
  process.stdout.write(
    `killed ${name}: ${kills} kills; ${orders} orders, ${cutTwice} of them decided locally after two calls that were ` +
      `cut off, ${caughtUp} by a third call later; ${credits} credits, ${cutOff} calls cut off; ${repeated} mutations sent again without effect; ` +
      `${seconds.toFixed(1)} s\n`,
  );
}

/** States in which nothing is done for an order until something happens. */
export const REST: ReadonlySet<string> = new Set(["settled", "review", "failed"]);

/** The paid attempts that an order gets at once; one more after a minute, if those were cut off. */
const ATTEMPTS_AT_ONCE = 2;
const MAX_PAID_ATTEMPTS = 3;

/** Start a {@link Campaign} on a stage whose apps share the database of `query`. */
export function createCampaign(stage: CrashStage, query: Query): Campaign {
  const orders = createCrashOrders(stage);
  const kills: string[] = [];
  const began = performance.now();
  /** Calls that were under way at a kill, and the order of each. A call can be found open after two kills. */
  const cutOff = new Map<string, string>();
  let cutTwice = 0;
  let caughtUp = 0;

  async function expectFollowed(app: FaultyApp, order: CrashOrder): Promise<void> {
    const view = await app.order(order.shop, order.orderId);
    const billed = orders.billed(order);
    expect(billed).toBeLessThanOrEqual(MAX_PAID_ATTEMPTS);
    expect(view?.creditsSpent).toBeLessThanOrEqual(MAX_PAID_ATTEMPTS);
    expect(view?.creditsSpent, "the ledger has every billed call").toBeGreaterThanOrEqual(billed);
    const cuts = [...cutOff.values()].filter((orderId) => orderId === order.orderId).length;
    expect(billed, "one call, and one for each that a kill cut off").toBeLessThanOrEqual(1 + cuts);
    if (cuts < ATTEMPTS_AT_ONCE) {
      expect(view, stage.log().slice(-2_000)).toMatchObject(orders.decision(order));
      expect(orders.shown(order)).toEqual(orders.expected(order));
    } else if (view?.source !== "local") {
      // A minute has passed, and the service answered other orders: the reserved call has been made.
      caughtUp += 1;
      expect(view, stage.log().slice(-2_000)).toMatchObject(orders.decision(order));
      const { assessments, ...expected } = orders.expected(order);
      const shown = orders.shown(order);
      expect(shown).toMatchObject(expected);
      expect(shown.assessments.at(-1)).toBe(assessments[0]);
    } else {
      // Both calls were cut off: nobody may ask again for a minute, and the decision until then never cancels.
      cutTwice += 1;
      expect(view).toMatchObject({ source: "local", degraded: true });
      expect(view?.state).toMatch(/^(settled|review)$/);
      expect(orders.shown(order)).toMatchObject({ cancellations: 0, holds: view?.action === "hold" ? 1 : 0 });
    }
  }

  async function untilQuiet(): Promise<void> {
    await until(async () => {
      const [row] = await query("select count(*) as open from deliveries where ready_at is not null");
      expect(Number(row?.["open"]), "deliveries that aren't carried out yet").toBe(0);
    });
  }

  const isOver = async (app: FaultyApp, { shop, orderId }: CrashOrder): Promise<boolean> =>
    REST.has((await app.order(shop, orderId))?.state ?? "");

  return {
    stage,
    orders,
    kills,
    async untilAtRest(app, order) {
      const what = `the ${order.level} order of the kill ${kills.at(-1)} is at rest`;
      await until(() => isOver(app, order), { what }).catch(async (error: unknown) => {
        const view = JSON.stringify(await app.order(order.shop, order.orderId));
        throw new Error(`${view}\n${stage.log().slice(-2_000)}`, { cause: error });
      });
    },
    async untilDeadOrAtRest(apps, order) {
      await until(
        async () => {
          for (const app of apps) if (!app.isRunning() || (await isOver(app, order))) return true;
          return false;
        },
        { what: "the process dies, or its order is at rest" },
      );
    },
    async note(where) {
      kills.push(where);
      // A survivor may have found the dead one's calls by now, and closed them without an answer or an error.
      const cut = "state = 'sent' or (state = 'unknown' and error is null)";
      for (const row of await query(`select attempt_id, order_id from attempts where ${cut}`))
        cutOff.set(String(row["attempt_id"]), String(row["order_id"]));
    },
    expectFollowed,
    untilQuiet,
    async expectAllFollowed(app) {
      await untilQuiet();
      cutTwice = 0;
      caughtUp = 0;
      for (const order of orders.all) await expectFollowed(app, order);
      const credits = stage.service.calls.filter(({ metered }) => metered).length;
      expect(credits).toBe(orders.all.reduce((sum, order) => sum + orders.billed(order), 0));
      expect(credits).toBeLessThanOrEqual(orders.all.length + cutOff.size);
      const undone = stage.emulator.operations.filter(({ name }) => /^(Release|Remove)/.test(name));
      // What replaced a late answer may be undone.
      if (caughtUp === 0) expect(undone).toEqual([]);
      return {
        kills: kills.length,
        orders: orders.all.length,
        cutTwice,
        caughtUp,
        credits,
        cutOff: cutOff.size,
        repeated: orders.repeatedMutations(),
        seconds: (performance.now() - began) / 1_000,
      };
    },
  };
}

/** Query a SQLite database. Nothing stays open: a restarted process has to find what the dead one left. */
export function createSqliteQuery(path: string): Query {
  return async (statement) => {
    const connection = new DatabaseSync(path, { readOnly: true });
    try {
      return connection.prepare(statement).all();
    } finally {
      connection.close();
    }
  };
}

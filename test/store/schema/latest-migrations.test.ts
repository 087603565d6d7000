import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { createPostgresStore } from "../../../src/store/engines/postgres/postgres-store.ts";
import { createSqliteStore } from "../../../src/store/engines/sqlite/sqlite-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createDatabase } from "../../support/postgres-database.ts";
import { until } from "../../support/until.ts";
import { attempt, entry, order, OTHER_TENANT, T0, TENANT } from "../samples.ts";

const dataKey = Buffer.alloc(32, 7);

/** A database, and a way to write to it that bypasses the store. */
interface Subject {
  readonly open: () => Promise<Store>;
  readonly run: (statement: string) => unknown;
}

const DATABASES: readonly [string, () => Subject | Promise<Subject>][] = [
  [
    "SQLite",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "holdfast-migration-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const path = join(folder, "holdfast.db");
      const run = (statement: string): void => {
        const database = new DatabaseSync(path);
        database.exec(statement);
        database.close();
      };
      return { open: () => createSqliteStore({ path, dataKey }), run };
    },
  ],
  [
    "Postgres",
    async () => {
      const database = await createDatabase();
      onTestFinished(() => database.drop());
      const { url } = database;
      return {
        open: () => createPostgresStore({ url, dataKey }),
        run: (statement) => database.query(statement),
      };
    },
  ],
];

/** What takes the schema back to before orders' looks had their own line. */
const WITHOUT_LOOKS = [
  ...["undecided", "undecided_turn", "looks", "looks_turn", "expiring", "expiring_turn"].map(
    (name) => `drop index orders_${name}`,
  ),
  "alter table orders drop column is_look",
  "create index orders_ready on orders (ready_at)",
  "create index orders_turn on orders (tenant, ready_at)",
];

/** What takes the schema back to before the count of credits. */
const UNCOUNTED: Readonly<Record<string, readonly string[]>> = {
  SQLite: [
    ...WITHOUT_LOOKS,
    ...["begun", "returned", "charged", "deleted"].map((name) => `drop trigger attempts_${name}`),
    "drop table credit_days",
  ],
  Postgres: [
    ...WITHOUT_LOOKS,
    ...["insert", "update", "delete"].map((event) => `drop function attempts_${event}_counted() cascade`),
    "drop table credit_days",
  ],
};

/** The same for what the burst brake looks up. */
const NO_RATES = [
  "drop index orders_relayed",
  "alter table orders drop column relayed",
  "alter table attempt_sources drop column usual",
  "alter table attempt_sources drop column usual_day",
];

/** Undo the last migrations, from the named one on, with statements that undo their changes. */
async function undo(
  { run }: Pick<Subject, "run">,
  name: string,
  statements: readonly string[],
): Promise<void> {
  for (const statement of statements) await run(statement);
  const first = `select version from schema_migrations where name = '${name}'`;
  await run(`delete from schema_migrations where version >= (${first})`);
}

it.each(DATABASES)(
  "mark what a shop had left unfinished, and replace the queue's index, on %s",
  async (name, create) => {
    const { open, run } = await create();
    const before = await open();
    for (const tenant of [TENANT, OTHER_TENANT]) {
      await before.saveCredential(tenant, "shopify", "secret", "installed", T0);
      await before.receiveOrder(order("open", { tenant }), entry("received"));
    }
    await before.endOrder({ tenant: TENANT, orderId: "over" }, "shopify", T0, entry("cancelled-on-platform"));
    await before.uninstallTenant(TENANT, T0 + 1, entry("uninstalled", T0 + 2));
    await before.close();
    await undo({ run }, "left-orders", [
      ...NO_RATES,
      ...(UNCOUNTED[name] ?? []),
      "drop index orders_queue",
      "create index orders_review on orders (tenant)",
      "drop index orders_left",
      "alter table orders drop column left_at",
    ]);

    const store = await open();
    onTestFinished(() => store.close());
    await store.saveCredential(TENANT, "shopify", "secret", "installed", T0 + 3);

    // Each fails unless the migration ran.
    await run("drop index orders_queue");
    await run("create index orders_review on orders (tenant)");
    const state = async (tenant: string, orderId: string) =>
      (await store.getOrder({ tenant, orderId }))?.state;
    expect(await state(TENANT, "open")).toBe("received");
    expect(await state(TENANT, "over")).toBe("settled");
    expect(await store.listTimeline({ tenant: OTHER_TENANT, orderId: "open" })).toHaveLength(1);
  },
);

it.each(DATABASES)("count the credits of earlier calls, and go on counting, on %s", async (name, create) => {
  const { open, run } = await create();
  const before = await open();
  const budget = { ...attempt("").budget, monthly: 3 };
  for (const fingerprint of ["a", "b"]) await before.beginAttempt(attempt(fingerprint, { budget }));
  await before.close();
  await undo({ run }, "credit-days", [...NO_RATES, ...(UNCOUNTED[name] ?? [])]);

  const store = await open();
  onTestFinished(() => store.close());

  expect(await store.creditUse(TENANT, budget)).toMatchObject({ spentToday: 2, spentMonth: 2 });
  expect(await store.beginAttempt(attempt("c", { budget }))).toMatchObject({ outcome: "granted" });
  expect(await store.beginAttempt(attempt("d", { budget }))).toMatchObject({ outcome: "over-budget" });
});

it("replaces the queue's index beside a process of the previous release that reads an order and then writes it", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const before = await createPostgresStore({ url: database.url, dataKey });
  await before.receiveOrder(order("open"), entry("received"));
  await before.close();
  await undo({ run: (statement) => database.query(statement) }, "queue-of-unheld-orders", [
    ...NO_RATES,
    ...(UNCOUNTED["Postgres"] ?? []),
    "drop index orders_queue",
    "create index orders_review on orders (tenant)",
  ]);
  const previous = new Client({ connectionString: database.url });
  await previous.connect();
  onTestFinished(() => previous.end());
  await previous.query("begin");
  await previous.query("select state from orders");

  const opening = createPostgresStore({ url: database.url, dataKey });
  opening.catch(() => {});
  const waiting =
    "select from pg_locks join pg_database on oid = database where not granted and datname = current_database()";
  await until(async () => expect(await database.query(waiting)).toHaveLength(1));
  // A deadlock would end one of the two, and not always the one that can try again.
  await previous.query("update orders set state = 'screening'");
  await previous.query("commit");

  const store = await opening;
  onTestFinished(() => store.close());
  expect((await store.getOrder({ tenant: TENANT, orderId: "open" }))?.state).toBe("screening");
});

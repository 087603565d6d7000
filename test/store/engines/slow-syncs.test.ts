import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGroupCommit, type GroupCommit } from "../../../src/store/engines/group-commit.ts";
import { nextTurn } from "../../../src/store/engines/pacing.ts";
import { toSqliteStoreError } from "../../../src/store/engines/sqlite/sqlite-errors.ts";
import { until } from "../../support/until.ts";

describe("batches beside a slow disk", () => {
  let database: DatabaseSync;
  let commits: GroupCommit;
  /** Each sync that started, in order, with the functions that end it. */
  let syncs: PromiseWithResolvers<void>[];
  /** The callers that were answered, in order. A minus marks a failure. */
  let told: string[];

  beforeEach(() => {
    let clockMs = 0;
    database = new DatabaseSync(":memory:");
    database.exec("CREATE TABLE kept (id TEXT PRIMARY KEY)");
    syncs = [];
    told = [];
    commits = createGroupCommit({
      connection: database,
      toStoreError: toSqliteStoreError,
      // Each reading is 10 ms later, so every sync counts as slow.
      clock: { now: () => (clockMs += 10), idleMs: () => 0 },
      sync() {
        const ending = Promise.withResolvers<void>();
        syncs.push(ending);
        return ending.promise;
      },
    });
  });
  afterEach(async () => {
    for (const sync of syncs) sync.resolve();
    await commits.stop();
    database.close();
  });

  /** A unit that writes; resolves once its batch's sync has started. */
  async function begin(id: string): Promise<void> {
    const before = syncs.length;
    commits
      .run(() => Promise.resolve(database.prepare("INSERT INTO kept VALUES (?)").run(id)), { urgent: true })
      .then(() => told.push(id))
      .catch(() => told.push(`-${id}`));
    await until(() => syncs.length > before);
  }
  /** A unit whose batch has to wait. */
  function enqueue(id: string): void {
    commits
      .run(() => Promise.resolve(id), { urgent: true })
      .then(() => told.push(id))
      .catch(() => told.push(`-${id}`));
  }
  const eio = () => Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
  /** More turns than a batch needs to start and be answered. */
  async function manyTurns(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  }

  it("start before the previous sync has ended, and are answered in order", async () => {
    await begin("first");
    await begin("second");
    syncs[1]?.resolve();
    await manyTurns();
    // A log is on disk up to its first gap.
    expect(told).toEqual([]);

    syncs[0]?.resolve();
    await until(() => told.length === 2);
    expect(told).toEqual(["first", "second"]);
  });

  it("are rejected if the one before failed, whatever their own sync reports", async () => {
    await begin("first");
    await begin("second");
    syncs[1]?.resolve();
    syncs[0]?.reject(eio());
    await until(() => told.length === 2);

    expect(told).toEqual(["-first", "-second"]);
  });

  it("don't roll back what was on disk before them", async () => {
    await begin("first");
    await begin("second");
    syncs[0]?.resolve();
    await until(() => told.length === 1);
    syncs[1]?.reject(eio());
    await until(() => told.length === 2);

    expect(told).toEqual(["first", "-second"]);
  });

  it("run two at a time, and none beside a sync that failed", async () => {
    await begin("first");
    await begin("second");
    enqueue("third");
    await manyTurns();
    expect(syncs).toHaveLength(2);

    syncs[0]?.reject(eio());
    await until(() => told.length === 1);
    await manyTurns();
    expect(syncs).toHaveLength(2);

    syncs[1]?.resolve();
    await until(() => syncs.length === 3);
    expect(told).toEqual(["-first", "-second"]);
    syncs[2]?.resolve();
    await until(() => told.length === 3);
    expect(told).toEqual(["-first", "-second", "third"]);
  });

  it("make readers wait until everything readable is on disk", async () => {
    await begin("first");
    await begin("second");
    let isDurable = false;
    const durable = commits.durable().then(() => (isDurable = true));
    syncs[0]?.resolve();
    await until(() => told.length === 1);
    expect(isDurable).toBe(false);

    syncs[1]?.resolve();
    await durable;
    await expect(commits.durable()).resolves.toBeUndefined();
  });

  it("make jobs wait until no write is on its way to the disk", async () => {
    await begin("first");
    await begin("second");
    let hasRun = false;
    const job = commits.between(() => (hasRun = true));
    syncs[0]?.resolve();
    await until(() => told.length === 1);
    await manyTurns();
    expect(hasRun).toBe(false);

    syncs[1]?.resolve();
    await job;
    expect(told).toEqual(["first", "second"]);
  });

  it("are all answered before a stop", async () => {
    await begin("first");
    await begin("second");
    let isStopped = false;
    const stopped = commits.stop().then(() => (isStopped = true));
    syncs[0]?.resolve();
    await until(() => told.length === 1);
    await manyTurns();
    expect(isStopped).toBe(false);

    syncs[1]?.resolve();
    await stopped;
    expect(told).toEqual(["first", "second"]);
  });
});

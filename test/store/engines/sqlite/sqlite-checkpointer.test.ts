import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { threadId } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGroupCommit, type GroupCommit } from "../../../../src/store/engines/group-commit.ts";
import type { CheckpointResult } from "../../../../src/store/engines/sqlite/sqlite-checkpoint-thread.ts";
import {
  createCheckpointer,
  type Checkpointer,
} from "../../../../src/store/engines/sqlite/sqlite-checkpointer.ts";
import { createLogRecorder } from "../../../support/log-recorder.ts";
import { until } from "../../../support/until.ts";

const MIB = 1_048_576;
/** Far longer than any of these tests needs to write. */
const ENOUGH_COMMITS = 200;

describe("createCheckpointer", () => {
  let folder: string;
  let path: string;
  let database: DatabaseSync;
  let commits: GroupCommit;
  let checkpointer: Checkpointer;
  let results: CheckpointResult[];
  let logged: ReturnType<typeof createLogRecorder>;
  let next: number;

  function start(thread?: URL): void {
    const { logger } = logged;
    commits = createGroupCommit({
      connection: database,
      toStoreError: (error) => error,
      onCommit: () => checkpointer.committed(),
    });
    const onCheckpoint = (result: CheckpointResult): void => void results.push(result);
    checkpointer = createCheckpointer({
      path,
      connection: database,
      between: (job) => commits.between(job),
      logger,
      thread,
      onCheckpoint,
    });
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "holdfast-checkpoints-"));
    path = join(folder, "holdfast.db");
    database = new DatabaseSync(path, { timeout: 5_000 });
    database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = -1; CREATE TABLE kept (id, body)",
    );
    results = [];
    logged = createLogRecorder();
    next = 0;
  });
  afterEach(async () => {
    const stopped = commits.stop();
    await checkpointer.close();
    await stopped;
    database.close();
    rmSync(folder, { recursive: true });
  });

  const write = (bytes = 4_000) =>
    commits.run(async () => {
      database.prepare("INSERT INTO kept VALUES (?, ?)").run((next += 1), Buffer.alloc(bytes, "x"));
    });
  const logText = () => logged.lines.map(({ message }) => message).join();
  const logBytes = () => statSync(`${path}-wal`).size;
  const autocheckpoint = () =>
    database.prepare("PRAGMA wal_autocheckpoint").get()?.["wal_autocheckpoint"] as number;

  it("moves the log into the database on its own thread, and nothing on this one", async () => {
    start();
    expect(autocheckpoint()).toBe(0);
    for (let index = 0; results.length === 0 && index < ENOUGH_COMMITS; index += 1) await write(100_000);
    await until(() => expect(results.length).toBeGreaterThan(0));

    expect(results[0]?.threadId).not.toBe(threadId);
    expect(results[0]?.movedPages).toBeGreaterThan(0);
    expect(logged.lines).toEqual([]);
  });

  it("copies nothing while it is paused, and goes on afterwards", async () => {
    start();
    checkpointer.pause(true);
    for (let index = 0; index < 40; index += 1) await write(100_000);
    await checkpointer.truncate();
    expect(results).toEqual([]);
    expect(logBytes()).toBeGreaterThan(3 * MIB);

    checkpointer.pause(false);
    await checkpointer.truncate();
    expect(results.length).toBeGreaterThan(0);
    expect(logBytes()).toBe(0);
  });

  it("keeps SQLite's own checkpoints off while it is paused", async () => {
    start(pathToFileURL(join(folder, "missing.mjs")));
    await checkpointer.truncate();
    expect(autocheckpoint()).toBe(1_000);

    checkpointer.pause(true);
    expect(autocheckpoint()).toBe(0);
    checkpointer.pause(false);
    expect(autocheckpoint()).toBe(1_000);
  });

  it("keeps the log short under constant writes by restarting it in the same file, without truncating", async () => {
    start();
    let longest = 0;
    const cuts: number[] = [];
    const writers = Array.from({ length: 4 }, async () => {
      for (let written = 0; written < 32 * MIB; written += 50_000) {
        await write(50_000);
        if (logBytes() < longest) cuts.push(logBytes());
        longest = Math.max(longest, logBytes());
      }
    });
    await Promise.all(writers);

    // A log that never restarted would be 128 MiB long.
    expect(longest).toBeLessThan(96 * MIB);
    expect(cuts).toEqual([]);
    expect(Math.max(...results.map(({ logPages }) => logPages))).toBeGreaterThan(0);
  });

  it("moves a long log in two steps, so that commits wait only for its rest", async () => {
    const thread = join(folder, "tells.mjs");
    const asked = join(folder, "asked.txt");
    writeFileSync(
      thread,
      `import { appendFileSync, fstatSync, statSync } from "node:fs";
       import { parentPort, workerData } from "node:worker_threads";
       const isDatabase = fstatSync(workerData.file).ino === statSync(workerData.path).ino;
       parentPort.on("message", (request) => {
         appendFileSync(${JSON.stringify(asked)}, request + " ");
         if (request === "close") return parentPort.close();
         const pages = isDatabase ? 5_000 : 0;
         parentPort.postMessage({ busy: false, logPages: pages, movedPages: pages, threadId: 7 });
       });`,
    );
    start(pathToFileURL(thread));
    for (let index = 0; index < 100; index += 1) await write(100);

    await until(() => expect(readFileSync(asked, "utf8")).toContain("move moveRest "));
  });

  it("learns how many commits make a long log", async () => {
    start();
    for (let index = 0; index < 100; index += 1) await write(100);
    await until(() => expect(results).toHaveLength(1));
    // A hundred small ones were a tenth of what is worth a checkpoint.
    for (let index = 0; index < 100; index += 1) await write(100);
    expect(results).toHaveLength(1);
  });

  it("truncates the log when readers finish", async () => {
    start();
    await write();
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM kept").get();
    await write();

    await checkpointer.truncate();
    expect(logBytes()).toBeGreaterThan(0);
    expect(logText()).toContain("has readers");
    reader.close();

    await until(() => expect(logBytes()).toBe(0));
    await write();
    expect(database.prepare("SELECT count(*) AS rows FROM kept").get()).toEqual({ rows: 3 });
  });

  it.each([
    ["its module is missing", () => pathToFileURL(join(folder, "not-there.js"))],
    ["it can't even be created", () => new URL("https://shop.example/thread.js")],
  ])("leaves checkpoints to SQLite and still truncates the log if %s", async (_, toThread) => {
    start(toThread());
    await write();
    await checkpointer.truncate();

    expect(logBytes()).toBe(0);
    expect(autocheckpoint()).toBe(1_000);
    expect(logText()).toContain("the checkpoint thread can't run");
    for (let index = 0; index < 100; index += 1) await write(100_000);
    await checkpointer.truncate();
    expect(results).toEqual([]);
    expect(logged.lines).toHaveLength(1);
  });

  it("restarts the thread if it ends after it has worked", async () => {
    const thread = join(folder, "dies.mjs");
    writeFileSync(
      thread,
      `import { parentPort } from "node:worker_threads";
       let asked = 0;
       parentPort.on("message", (request) => {
         if (request === "close" || (asked += 1) > 2) process.exit(1);
         parentPort.postMessage({ busy: false, logPages: 1, movedPages: 1, threadId: 7 });
       });`,
    );
    start(pathToFileURL(thread));
    await checkpointer.truncate();
    expect(results).toHaveLength(2);

    await checkpointer.truncate();
    expect(logText()).toContain("a checkpoint failed");
    expect(autocheckpoint()).toBe(0);
    // It also retries without being asked.
    await checkpointer.truncate();
    expect(results.length).toBeGreaterThanOrEqual(4);
    // Requests that waited for the thread that ended continue.
    await write();
  });

  it("lets writes continue while the log's file can't be inspected", async () => {
    start();
    // Not a file, but not missing either: a link to itself.
    const lost = join(folder, "lost.db");
    symlinkSync(`${lost}-wal`, `${lost}-wal`);
    const other = createCheckpointer({
      path: lost,
      connection: database,
      between: (job) => commits.between(job),
      logger: logged.logger,
    });
    expect(() => other.committed()).not.toThrow();
    await other.close();
  });

  it("does nothing more once it is closed", async () => {
    start();
    await write();
    await checkpointer.close();
    await checkpointer.truncate();
    expect(results).toEqual([]);
  });
});

import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HoldfastError, isHoldfastError } from "../../../src/base/errors.ts";
import { nextTurn } from "../../../src/store/engines/pacing.ts";
import { createGroupCommit, type GroupCommit } from "../../../src/store/engines/group-commit.ts";
import { toSqliteStoreError } from "../../../src/store/engines/sqlite/sqlite-errors.ts";

describe("createGroupCommit", () => {
  let database: DatabaseSync;
  let commits: GroupCommit;
  /** The statements and events, in order. */
  let log: string[];
  /** Statements that the connection refuses. */
  let broken: Map<string, Error>;
  /** The clock that times a batch's slice. It stands still. */
  let nowMs: number;
  /** How long the thread has been idle, and how much that grows with each reading. */
  let idle: { ms: number; each: number };

  beforeEach(() => {
    database = new DatabaseSync(":memory:");
    database.exec("CREATE TABLE kept (id TEXT PRIMARY KEY)");
    log = [];
    broken = new Map();
    nowMs = 0;
    idle = { ms: 0, each: 0 };
    commits = createGroupCommit({
      connection: {
        exec(statement) {
          log.push(statement);
          const error = broken.get(statement);
          if (error !== undefined) throw error;
          database.exec(statement);
        },
        get isTransaction() {
          return database.isTransaction;
        },
      },
      toStoreError: toSqliteStoreError,
      maxUnits: 64,
      clock: { now: () => nowMs, idleMs: () => (idle.ms += idle.each) },
    });
  });
  afterEach(async () => {
    await commits.stop();
    database.close();
  });

  const insert = (id: string) => () => {
    database.prepare("INSERT INTO kept VALUES (?)").run(id);
    return Promise.resolve(id);
  };
  const kept = () =>
    database
      .prepare("SELECT id FROM kept ORDER BY id")
      .all()
      .map((row) => row["id"]);
  const count = (statement: string) => log.filter((line) => line === statement).length;

  it("commits what arrives together once, and answers the callers afterwards", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `id${index}`);

    await Promise.all(ids.map((id) => commits.run(insert(id)).then(() => log.push("told"))));

    expect(count("COMMIT")).toBe(1);
    expect(log.indexOf("told")).toBeGreaterThan(log.indexOf("COMMIT"));
    expect(kept()).toEqual(ids.toSorted());
  });

  it("limits how many units wait for each other", async () => {
    await Promise.all(Array.from({ length: 130 }, (_, index) => commits.run(insert(`id${index}`))));

    expect(count("COMMIT")).toBe(3);
  });

  it("runs urgent units first, however many others wait", async () => {
    const order: string[] = [];
    const unit = (id: string) => async () => {
      order.push(id);
      return insert(id)();
    };
    await Promise.all([
      ...["a", "b", "c"].map((id) => commits.run(unit(id))),
      commits.run(unit("receipt"), { urgent: true }),
    ]);

    expect(order).toEqual(["receipt", "a", "b", "c"]);
    expect(count("COMMIT")).toBe(1);
  });

  const slow = (id: string) => () => {
    nowMs += 1;
    return insert(id)();
  };
  const slowUnits = (amount: number) =>
    Promise.all(Array.from({ length: amount }, (_, index) => commits.run(slow(`id${index}`))));

  it("ends a batch when its time is up", async () => {
    await slowUnits(6);

    // Each takes two milliseconds.
    expect(count("COMMIT")).toBe(3);
  });

  it("leaves the thread to receipts while they keep coming, but never stops the other units", async () => {
    let later: Promise<unknown> = Promise.resolve();
    let receipts = 0;
    const receive = (): void => {
      later = commits.run(slow(`receipt${(receipts += 1)}`), { urgent: true }).then(() => {
        // There is always another one.
        if (kept().filter((id) => String(id).startsWith("id")).length < 6) receive();
      });
    };
    receive();
    await slowUnits(6);
    await later;

    // Three batches with a receipt and two milliseconds of units. Each but the last starts the 100 ms until the next.
    expect(receipts).toBeGreaterThanOrEqual(3 + 2 * 97);
    expect(receipts).toBeLessThanOrEqual(3 + 2 * 99);
  });

  it("continues on its own when no more receipts come, and immediately when one does or when it stops", async () => {
    idle.each = 0.1;
    await Promise.all([commits.run(slow("receipt"), { urgent: true }), slowUnits(4)]);
    expect(kept()).toContain("id3");

    const units = Promise.all([commits.run(slow("a")), commits.run(slow("b")), commits.run(slow("c"))]);
    await commits.run(slow("second"), { urgent: true });
    await commits.run(slow("third"), { urgent: true });
    expect(kept()).toContain("third");
    await commits.stop();
    await units;
    expect(kept()).toContain("c");
  });

  it("runs the callers of one batch one after the other when each has a lot of work", async () => {
    const told: number[] = [];
    let turn = 0;
    const turns = (async () => {
      for (; told.length < 5; turn += 1) await nextTurn();
    })();
    await Promise.all(
      Array.from({ length: 5 }, async (_, index) => {
        await commits.run(insert(`id${index}`));
        told.push(turn);
        // As long as a turn's share.
        nowMs += 2;
      }),
    );
    await turns;

    expect(count("COMMIT")).toBe(1);
    expect(new Set(told).size).toBe(5);
  });

  it("rolls back a unit that fails, and only that one", async () => {
    const mistake = new Error("mistake");
    const outcomes = await Promise.allSettled([
      commits.run(insert("a")),
      commits.run(async () => {
        await insert("b")();
        throw mistake;
      }),
      commits.run(insert("a")),
      commits.run(insert("c")),
    ]);

    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(outcomes[1]).toMatchObject({ reason: mistake });
    expect(kept()).toEqual(["a", "c"]);
    expect(count("COMMIT")).toBe(1);
  });

  it("returns what a unit returns", async () => {
    expect(await commits.run(() => Promise.resolve(7))).toBe(7);
  });

  it.each(["COMMIT", "BEGIN IMMEDIATE"])(
    "rejects every unit when %s fails, and recovers",
    async (statement) => {
      broken.set(statement, Object.assign(new Error("disk I/O error"), { errcode: 10 }));
      const outcomes = await Promise.allSettled([commits.run(insert("a")), commits.run(insert("b"))]);

      for (const outcome of outcomes) {
        const reason: unknown = outcome.status === "rejected" ? outcome.reason : undefined;
        expect(isHoldfastError(reason, "STORE_UNAVAILABLE") && reason.retryable).toBe(true);
      }
      expect(kept()).toEqual([]);

      broken.clear();
      await commits.run(insert("c"));
      expect(kept()).toEqual(["c"]);
    },
  );

  it("rejects every unit of a transaction that the database itself ends", async () => {
    const outcomes = await Promise.allSettled([
      commits.run(insert("a")),
      commits.run(() => {
        database.exec("ROLLBACK");
        return Promise.reject(Object.assign(new Error("database or disk is full"), { errcode: 13 }));
      }),
      commits.run(insert("b")),
    ]);

    for (const outcome of outcomes.slice(0, 2)) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { code: "STORE_UNAVAILABLE", retryable: true, message: "the disk is full" },
      });
    }
    // Its turn hadn't come, so nothing of it was lost.
    expect(outcomes[2]?.status).toBe("fulfilled");
    expect(kept()).toEqual(["b"]);
  });

  it("runs a job between batches, in order", async () => {
    const states: boolean[] = [];
    await Promise.all([
      commits.run(insert("a")),
      commits.between(() => {
        states.push(database.isTransaction, kept().includes("a"), kept().includes("b"));
      }),
      commits.run(insert("b")),
    ]);

    expect(states).toEqual([false, true, false]);
    const failing = commits.between(() => {
      throw new HoldfastError("INTERNAL", "job", { retryable: false });
    });
    await expect(failing).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("finishes what it accepted and refuses the rest when it stops", async () => {
    const accepted = commits.run(insert("a"));
    const stopped = commits.stop();

    await expect(commits.run(insert("b"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await stopped;
    expect(await accepted).toBe("a");
    expect(kept()).toEqual(["a"]);
  });

  it("keeps running under a faked clock", async () => {
    vi.useFakeTimers();
    try {
      expect(await commits.run(insert("a"))).toBe("a");
    } finally {
      vi.useRealTimers();
    }
  });
});

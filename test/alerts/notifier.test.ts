import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { alertOnce, reportOver } from "../../src/alerts/alert-once.ts";
import { createNotifier, type Notifier, withAlerts } from "../../src/alerts/notifier.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createTestStore } from "../support/test-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createPostgresStore } from "../../src/store/opening/postgres-store.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { onCallersClock } from "../store/caller-clock.ts";
import { createDatabaseClock } from "../support/database-clock.ts";
import { createDatabase } from "../support/postgres-database.ts";
import type { Delivery } from "../../src/alerts/outbox.ts";
import { createRecordingChannel, UNREACHABLE, type RecordedAnswer } from "./recording-channel.ts";
import { until } from "../support/until.ts";

const T0 = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;
const NO_CREDITS = { alert: "verification_no_credits", keyId: "k", code: "VERIFICATION_NO_CREDITS" };
const CREDITS_AGAIN = { resolved: "verification_no_credits", keyId: "k" };
const expiring = (orderId: string) => ({ alert: "hold_expiring", tenant: "shopify:one.example", orderId });
const ABOUT = {
  alert: "dispute_inquiry",
  problem: "fraudulent",
  tenant: "shopify:one.example",
  orderId: "1",
} as const;
const INQUIRY = { tenant: ABOUT.tenant, name: "dispute_inquiry:d1", quietMs: 180 * 24 * HOUR_MS };

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Clock {
  nowMs: number;
}

/** One process: a notifier with a channel that records what it sends. */
function startProcess(
  store: Pick<Store, "incidents"> | undefined,
  clock: Clock = { nowMs: T0 },
  answer?: RecordedAnswer,
) {
  const { channel, tried } = createRecordingChannel(answer);
  const { lines, logger } = createLogRecorder();
  const notifier: Notifier = createNotifier({
    channels: [channel],
    logger,
    version: "1.2.3",
    now: () => clock.nowMs,
    retryDelaysMs: [0, 0],
  });
  if (store !== undefined) notifier.attach({ store });
  closing.push(() => notifier.close());
  return {
    ...notifier,
    clock,
    lines,
    tried,
    told: () => tried.map(({ fields }) => `${String(fields["event"])} ${String(fields["count"])}`),
    logger: withAlerts(logger, notifier.hear),
  };
}

async function openMemoryStore(): Promise<Pick<Store, "incidents">> {
  const store = await createTestStore();
  closing.push(() => store.close());
  return store;
}

describe("createNotifier", () => {
  it("reports an incident once, however many orders it affects, and its end once", async () => {
    const app = startProcess(await openMemoryStore());

    for (let order = 0; order < 10; order += 1) app.logger.error(NO_CREDITS, "held back");
    await until(() => expect(app.told()).toHaveLength(1));
    app.logger.info(CREDITS_AGAIN, "go through again");
    await until(() => expect(app.told()).toEqual(["opened 10", "resolved 10"]));

    expect(app.tried[0]?.fields).toMatchObject({ alert: "verification_no_credits", version: "1.2.3" });
    expect(app.lines).toHaveLength(11);
  });

  it("starts again after an end", async () => {
    const app = startProcess(await openMemoryStore());

    for (const fields of [NO_CREDITS, CREDITS_AGAIN, NO_CREDITS, CREDITS_AGAIN]) app.hear(fields);

    await until(() => expect(app.told()).toEqual(["opened 1", "resolved 1", "opened 1", "resolved 1"]));
  });

  it("keeps tenants and kinds apart", async () => {
    const app = startProcess(await openMemoryStore());

    app.hear(expiring("1"));
    app.hear({ ...expiring("2"), tenant: "shopify:two.example" });
    app.hear({ alert: "defect" });

    await until(() => expect(app.told()).toHaveLength(3));
  });

  it("sends hourly reminders with new repeats and their orders, and drops an incident without repeats", async () => {
    const app = startProcess(await openMemoryStore());
    app.hear(expiring("1"));
    await until(() => expect(app.told()).toEqual(["opened 1"]));
    app.hear(expiring("2"));
    app.hear(expiring("3"));

    app.clock.nowMs += HOUR_MS - 1;
    app.remind();
    app.clock.nowMs += 1;
    app.remind();
    await until(() => expect(app.told()).toEqual(["opened 1", "reminder 2"]));
    expect(app.tried[1]?.fields).toMatchObject({ orderIds: ["2", "3"], orderId: "3" });
    expect(app.tried[1]?.text).toContain("order 2, 3 · 2 more since the last message");

    app.clock.nowMs += HOUR_MS;
    app.remind();
    await app.settle();
    app.hear(expiring("4"));
    await until(() => expect(app.told()).toEqual(["opened 1", "reminder 2", "opened 1"]));
  });

  it("sends reminders of a lasting incident less and less often", async () => {
    const app = startProcess(await openMemoryStore());
    app.hear(NO_CREDITS);
    await until(() => expect(app.told()).toHaveLength(1));

    const remindedAfter: number[] = [];
    for (let hour = 1; hour <= 63; hour += 1) {
      const before = app.told().length;
      app.clock.nowMs += HOUR_MS;
      app.remind();
      await app.settle();
      if (app.told().length > before) remindedAfter.push(hour);
    }

    expect(remindedAfter).toEqual([1, 3, 7, 15, 31, 55]);
  });

  it("sends its reminders even after the clock was set back", async () => {
    const app = startProcess(await openMemoryStore());
    app.hear(NO_CREDITS);
    await until(() => expect(app.told()).toEqual(["opened 1"]));

    app.clock.nowMs = T0 - 5 * HOUR_MS;
    app.remind();

    await until(() => expect(app.told()).toEqual(["opened 1", "reminder 0"]));
  });

  it("sends alerts on its own if the store can't be asked", async () => {
    const down = vi.fn(async () => {
      throw new Error("the database is gone");
    });
    const app = startProcess({
      incidents: {
        open: down,
        remind: down,
        resolve: down,
        listOpen: down,
        forgetUnsent: down,
        takeUnsent: down,
      },
    });

    for (let second = 0; second < 5; second += 1) app.hear({ alert: "store_unavailable" });
    await app.settle();
    app.hear(NO_CREDITS);
    app.hear(CREDITS_AGAIN);

    await until(() => expect(app.told()).toEqual(["opened 5", "opened 1", "resolved 1"]));
    expect(down, "the store is left alone for a while").toHaveBeenCalledTimes(1);
  });

  it("asks the store again after a while, even if the clock was set back", async () => {
    const store = await openMemoryStore();
    let isDown = true;
    const openIncident: Store["incidents"]["open"] = async (report) => {
      if (isDown) throw new Error("down");
      return store.incidents.open(report);
    };
    const clock = { nowMs: T0 };
    const one = startProcess({ ...store, incidents: { ...store.incidents, open: openIncident } }, clock);
    one.hear(NO_CREDITS);
    await until(() => expect(one.told()).toEqual(["opened 1"]));
    isDown = false;

    clock.nowMs = T0 - 24 * HOUR_MS;
    one.hear(expiring("1"));
    await until(() => expect(one.told()).toHaveLength(2));
    const two = startProcess(store, clock);
    two.hear(expiring("1"));
    await two.settle();

    expect(two.told()).toEqual([]);
  });

  it("reports the end of each incident that started while the store couldn't be asked", async () => {
    const store = await openMemoryStore();
    let isDown = false;
    const app = startProcess({
      ...store,
      incidents: {
        ...store.incidents,
        open: (report) => (isDown ? Promise.reject(new Error("down")) : store.incidents.open(report)),
      },
    });

    for (let outage = 0; outage < 2; outage += 1) {
      app.clock.nowMs += 60_000;
      isDown = true;
      app.hear({ alert: "store_unavailable" });
      await app.settle();
      app.clock.nowMs += 60_000;
      isDown = false;
      app.hear({ resolved: "store_unavailable" });
      await app.settle();
    }

    await until(() => expect(app.told()).toEqual(["opened 1", "resolved 1", "opened 1", "resolved 1"]));
  });

  it("sends alerts on its own if the store takes too long", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const never = () => new Promise<never>(() => {});
    const app = startProcess({
      incidents: {
        open: never,
        remind: never,
        resolve: never,
        listOpen: never,
        forgetUnsent: never,
        takeUnsent: never,
      },
    });

    app.hear(NO_CREDITS);
    await vi.advanceTimersByTimeAsync(5_000);

    expect(app.told()).toEqual(["opened 1"]);
  });

  it("sends alerts before there is a store", async () => {
    const app = startProcess(undefined);

    app.hear(NO_CREDITS);

    await until(() => expect(app.told()).toEqual(["opened 1"]));
  });

  it("never throws into the caller's work, whatever a line contains", async () => {
    const app = startProcess(await openMemoryStore());
    const broken = Object.defineProperty({}, "alert", {
      enumerable: true,
      get() {
        throw new Error("unreadable");
      },
    });

    app.hear(broken);
    app.hear({ alert: "unheard_of" });

    await until(() => expect(app.tried[0]?.text).toContain("See the log line"));
  });

  it("logs a message that couldn't be sent, and sends no alert about that", async () => {
    const app = startProcess(await openMemoryStore(), { nowMs: T0 }, () => UNREACHABLE);

    app.logger.error(expiring("1"), "about to end");

    await until(() => expect(app.lines).toHaveLength(2));
    app.hear({ ...app.lines[1] });
    await app.close();
    expect(app.lines[1]).toMatchObject({ alert: "notifier_failed", channel: "webhook" });
    expect(app.tried).toHaveLength(3);
  });

  it("names orders that were only counted before it is closed, and ignores later lines", async () => {
    const app = startProcess(await openMemoryStore());
    app.hear(expiring("1"));
    await until(() => expect(app.told()).toHaveLength(1));
    app.hear(expiring("2"));
    app.hear(NO_CREDITS);

    await app.close();
    app.hear({ alert: "defect" });

    expect(app.told()).toEqual(["opened 1", "opened 1", "reminder 1"]);
  });
});

/** The store as each of two processes opens it. */
const STORES: readonly [
  string,
  () => Promise<readonly [Pick<Store, "incidents">, Pick<Store, "incidents">]>,
][] = [
  [
    "SQLite",
    async () => {
      const store = await openMemoryStore();
      return [store, store];
    },
  ],
  [
    "Postgres",
    async () => {
      const database = await createDatabase();
      closing.push(() => database.drop());
      const clock = await createDatabaseClock(database);
      closing.push(() => clock.close());
      const dataKey = randomBytes(32);
      const open = async () => {
        const store = await createPostgresStore({ url: database.url, dataKey });
        closing.push(() => store.close());
        return onCallersClock(store, clock);
      };
      return [await open(), await open()];
    },
  ],
];

describe.each(STORES)("two processes on one %s", (_, openStore) => {
  it("send one message between them, and one at the end, from whichever process", async () => {
    const clock = { nowMs: T0 };
    const [first, second] = await openStore();
    const [one, two] = [startProcess(first, clock), startProcess(second, clock)];
    const all = () => [...one.told(), ...two.told()];

    for (let order = 0; order < 5; order += 1) for (const app of [one, two]) app.hear(NO_CREDITS);
    await until(() => expect(all()).toEqual(["opened 5"]));
    const [teller, other] = one.told().length === 1 ? [one, two] : [two, one];

    other.hear(CREDITS_AGAIN);
    await until(() => expect(other.told()).toEqual(["resolved 5"]));
    teller.hear(CREDITS_AGAIN);
    teller.hear(NO_CREDITS);
    await until(() => expect(teller.told()).toEqual(["opened 5", "opened 1"]));
    expect(all()).toHaveLength(3);
  });

  it("send one reminder between them, and another process continues if the sender is gone", async () => {
    const clock = { nowMs: T0 };
    const [first, second] = await openStore();
    const one = startProcess(first, clock);
    one.hear(expiring("1"));
    await until(() => expect(one.told()).toEqual(["opened 1"]));
    const two = startProcess(second, clock);
    two.hear(expiring("2"));
    await two.settle();
    await one.close();

    for (let minute = 1; minute <= 61; minute += 5) {
      clock.nowMs = T0 + minute * 60_000;
      two.remind();
      await two.settle();
      expect(two.told()).toEqual(minute < 60 ? [] : ["reminder 1"]);
    }
    expect(one.told()).toEqual(["opened 1"]);
  });

  it("send what one of them had claimed and not sent when it was killed, once, as the same message", async () => {
    const clock = { nowMs: T0 };
    const [first, second] = await openStore();
    // Killed while it sends: nothing more happens in it.
    const sending = Promise.withResolvers<Delivery>();
    const killed = startProcess(first, clock, () => sending.promise);
    killed.hear(expiring("1"));
    await until(() => expect(killed.tried).toHaveLength(1));
    const [two, three] = [startProcess(second, clock), startProcess(second, clock)];
    async function look(): Promise<void> {
      for (const app of [two, three]) {
        app.remind();
        await app.settle();
      }
    }
    await look();
    expect([...two.tried, ...three.tried], "it may still be at it").toEqual([]);

    for (let minute = 1; minute <= 10; minute += 1) {
      clock.nowMs = T0 + minute * 60_000;
      await look();
    }

    await until(() => expect([...two.told(), ...three.told()]).toEqual(["opened 1"]));
    expect([...two.tried, ...three.tried]).toMatchObject([
      { id: killed.tried[0]?.id, subject: killed.tried[0]?.subject, fields: { orderId: "1" } },
    ]);
    // It has been reported, so this isn't news.
    two.hear(expiring("1"));
    await two.settle();
    expect([...two.told(), ...three.told()]).toEqual(["opened 1"]);
    // Otherwise, the message about its end would wait for it.
    sending.resolve(UNREACHABLE);
  });

  it.each(["before it logged it", "after it logged it"])(
    "log and send an alert of the pipeline that was claimed and whose process was killed %s",
    async (moment) => {
      const clock = { nowMs: T0 };
      const [first, second] = await openStore();
      const never = new Promise<never>(() => {});
      const killed = startProcess({ ...first, incidents: { ...first.incidents, open: () => never } }, clock);
      const logger = moment === "before it logged it" ? SILENT_LOGGER : killed.logger;
      const { alert, ...facts } = ABOUT;
      const parts = { store: first, logger, now: () => clock.nowMs };
      await alertOnce(parts, INQUIRY, alert, facts, "a bank asks");
      const two = startProcess(second, clock);

      for (let minute = 0; minute <= 10; minute += 1) {
        clock.nowMs = T0 + minute * 60_000;
        two.remind();
        await two.settle();
      }

      await until(() => expect(two.told()).toEqual(["opened 1"]));
      expect(two.tried).toMatchObject([{ fields: { alert: "dispute_inquiry", orderId: "1" } }]);
      expect(two.lines).toMatchObject([{ level: "error", ...ABOUT, incident: "dispute_inquiry:d1" }]);
    },
  );

  it("log and send that an alert of the pipeline is over, if its process was killed first", async () => {
    const clock = { nowMs: T0 };
    const [first, second] = await openStore();
    const now = () => clock.nowMs;
    const incident = { name: "coverage_low" };
    const two = startProcess(second, clock);
    await alertOnce({ store: second, logger: two.logger, now }, incident, "coverage_low", {}, "late");
    await two.settle();
    const parts = { store: first, logger: SILENT_LOGGER, now };
    await reportOver(parts, incident, "coverage_low", { eligible: 20 }, "on time again");

    for (let minute = 0; minute <= 5; minute += 1) {
      clock.nowMs = T0 + minute * 60_000;
      two.remind();
      await two.settle();
    }

    await until(() => expect(two.told()).toEqual(["opened 1", "resolved 1"]));
    expect(two.lines).toMatchObject([
      { level: "error", alert: "coverage_low" },
      { level: "info", resolved: "coverage_low", eligible: 20 },
    ]);
  });

  it("log and send an alert of the pipeline once, and again once it is over", async () => {
    const clock = { nowMs: T0 };
    const [one, two] = (await openStore()).map((store) => ({ ...startProcess(store, clock), store }));
    if (one === undefined || two === undefined) throw new TypeError("two processes");
    const incident = { name: "coverage_low" };

    for (const parts of [one, two, one].map((app) => ({ ...app, now: () => clock.nowMs }))) {
      await alertOnce(parts, incident, "coverage_low", {}, "late");
      if (parts.logger === two.logger) await reportOver(parts, incident, "coverage_low", {}, "on time again");
    }
    for (let minute = 0; minute <= 10; minute += 1) {
      for (const app of [two, one]) {
        app.remind();
        await app.settle();
      }
      clock.nowMs += 60_000;
    }

    expect(one.lines).toMatchObject([{ alert: "coverage_low" }, { alert: "coverage_low" }]);
    expect(two.lines).toMatchObject([{ resolved: "coverage_low" }]);
  });

  it("send no message twice that takes long to send or has used up its tries", async () => {
    const clock = { nowMs: T0 };
    const [first, second] = await openStore();
    const slow = Promise.withResolvers<Delivery>();
    const one = startProcess(first, clock, () => slow.promise);
    const two = startProcess(second, clock);
    one.hear(NO_CREDITS);
    await until(() => expect(one.tried).toHaveLength(1));
    for (let minute = 0; minute < 10; minute += 1) {
      clock.nowMs += 60_000;
      for (const app of [two, one]) {
        app.remind();
        await app.settle();
      }
    }
    expect(one.tried).toHaveLength(1);
    expect(two.tried, "the other one sees that it is still being sent").toEqual([]);

    slow.resolve(UNREACHABLE);
    await until(() => expect(one.lines).toMatchObject([{ alert: "notifier_failed" }]));
    await one.close();
    for (let minute = 0; minute < 10; minute += 1) {
      clock.nowMs += 60_000;
      two.remind();
      await two.settle();
    }

    expect(one.tried).toHaveLength(3);
    expect(two.tried).toEqual([]);
  });

  it("report the end even if the process that sent the alert is gone", async () => {
    const clock = { nowMs: T0 };
    const [first, second] = await openStore();
    const one = startProcess(first, clock);
    one.hear(NO_CREDITS);
    await until(() => expect(one.told()).toEqual(["opened 1"]));
    await one.close();
    const [two, three] = [startProcess(second, clock), startProcess(second, clock)];

    two.hear(CREDITS_AGAIN);
    three.hear(CREDITS_AGAIN);

    await until(() => expect([...two.told(), ...three.told()]).toEqual(["resolved 0"]));
  });
});

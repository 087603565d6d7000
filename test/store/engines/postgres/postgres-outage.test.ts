import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isHoldfastError } from "../../../../src/base/errors.ts";
import { createPostgresStore } from "../../../../src/store/opening/postgres-store.ts";
import type { Store } from "../../../../src/store/store.ts";
import { createDatabase } from "../../../support/postgres-database.ts";
import { startPostgres, type PostgresServer } from "../../../support/postgres-server.ts";
import { attempt, claim, delivery, entry, order, T0, TENANT } from "../../samples.ts";
import { until } from "../../../support/until.ts";

const dataKey = randomBytes(32);
let server: PostgresServer;
let store: Store;

// A server of its own, since this test stops it.
beforeAll(async () => {
  server = await startPostgres();
  const { url } = await createDatabase({ serverUrl: server.url });
  store = await createPostgresStore({ url, dataKey, now: () => T0 });
});
afterAll(async () => {
  await store.close();
  await server.close();
});

/** Repeats an operation, and records how each attempt ended. */
function createLoad(name: string, work: (id: string) => Promise<unknown>) {
  const errors: unknown[] = [];
  const acknowledged: string[] = [];
  const stop = new AbortController();

  async function run(): Promise<void> {
    for (let index = 0; !stop.signal.aborted; index += 1) {
      const id = `${name}-${index}`;
      try {
        await work(id);
        acknowledged.push(id);
      } catch (error) {
        errors.push(error);
      }
      await nextTurn();
    }
  }

  const ended = run();
  return {
    errors,
    acknowledged,
    async end(): Promise<void> {
      stop.abort();
      await ended;
    },
  };
}

describe("a postgres store whose server stops under load", () => {
  it("refuses with STORE_UNAVAILABLE, loses nothing, and recovers without help when the server is back", async () => {
    const kept = createLoad("kept", (id) => store.deliveries.save([delivery(id)]));
    const loads = [
      kept,
      createLoad("kept-too", (id) => store.deliveries.save([delivery(id)])),
      createLoad("order", (id) => store.orders.receive(order(id), entry("received"))),
      createLoad("attempt", (id) => store.ledger.begin(attempt(id))),
      createLoad("claim", () => store.orders.claim(claim("p1", { limit: 3 }))),
      createLoad("read", () => store.orders.list(TENANT, { limit: 5 })),
      createLoad("ping", () => store.ping()),
    ];
    let wakes = 0;
    const stopListening = store.onWork(() => (wakes += 1));
    const allGoOn = async (): Promise<void> => {
      const before = loads.map((load) => load.acknowledged.length);
      await until(() =>
        expect(loads.every((load, index) => load.acknowledged.length > (before[index] ?? 0) + 3)).toBe(true),
      );
    };

    for (let outage = 0; outage < 2; outage += 1) {
      await allGoOn();
      const errors = loads.map((load) => load.errors.length);
      await server.stop();
      await until(() =>
        expect(loads.every((load, index) => load.errors.length > (errors[index] ?? 0))).toBe(true),
      );
      await server.start();
      await allGoOn();
      // The listening connection is restored too.
      const heard = wakes;
      await until(() => expect(wakes).toBeGreaterThan(heard));
    }
    stopListening();
    await Promise.all(loads.map((load) => load.end()));

    const wrong = loads
      .flatMap((load) => load.errors)
      .filter((error) => !isHoldfastError(error, "STORE_UNAVAILABLE") || !error.retryable);
    expect(wrong).toEqual([]);
    const again = await store.deliveries.save(kept.acknowledged.map((id) => delivery(id)));
    expect(again.filter(Boolean)).toEqual([]);
  });
});

import { writeSync } from "node:fs";
import { createPostgresStore } from "../../src/store/opening/postgres-store.ts";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { APP_OWNER_PREFIX } from "../../src/store/context.ts";
import { attempt, claim, delivery, result, T0 } from "./samples.ts";

/** Runs what the tests with several processes need: `node store-child.ts MODE PLACE DATA_KEY`. */
const [mode = "", place = "", dataKeyText = ""] = process.argv.slice(2);
const dataKey = Buffer.from(dataKeyText, "base64");
const me = String(process.pid);

const store: Store = place.startsWith("postgres:")
  ? await createPostgresStore({ url: place, dataKey, poolSize: 6, now: () => T0 })
  : await createSqliteStore({
      path: place,
      dataKey,
      exclusive: mode === "commit" || mode === "own",
      now: () => T0,
    });

/** Written synchronously, so that a line that the parent reads was acknowledged before the kill. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Stores deliveries and ledger entries until killed, and reports each commit. */
async function commit(writer: number): Promise<never> {
  for (let index = 0; ; index += 1) {
    const id = `w${writer}-${index}`;
    await store.deliveries.save([delivery(id)]);
    say(`delivery ${id}`);
    const grant = await store.ledger.begin(attempt(id, { owner: `${APP_OWNER_PREFIX}${me}` }));
    if (grant.outcome === "granted") say(`attempt ${id}`);
  }
}

/** Asks the same hundred questions as other processes do, and continues until each is answered. */
async function race(): Promise<void> {
  await Promise.all(Array.from({ length: 100 }, (_, index) => askUntilAnswered(`fp${index}`)));
}

async function askUntilAnswered(fingerprint: string): Promise<void> {
  for (;;) {
    const grant = await store.ledger.begin(attempt(fingerprint));
    if (grant.outcome === "answered") return;
    if (grant.outcome === "granted") {
      say(`granted ${fingerprint}`);
      await store.ledger.finish(grant.attemptId, { state: "answered", result: result() }, T0);
    }
  }
}

/** Asks its own questions, all from a budget of 25. */
async function spend(): Promise<void> {
  const budget = { ...attempt("").budget, daily: 25 };
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const grant = await store.ledger.begin(attempt(`${me}-${index}`, { budget }));
      say(`${grant.outcome} ${index}`);
    }),
  );
}

/** Opens, reminds of and resolves the same incidents as other processes do, and prints which process reported what. */
async function tell(): Promise<void> {
  const names = Array.from({ length: 50 }, (_, index) => `incident${index}`);
  for (const name of names) {
    const { isNews } = await store.incidents.open({ name, nowMs: T0, quietMs: 1 });
    if (isNews) say(`opened ${name}`);
    if ((await store.incidents.remind({ name, nowMs: T0 + 1, quietMs: 9 })) === "report")
      say(`reminded ${name}`);
  }
}

/** Claims until nothing is due, in several loops at once. */
async function claimAll(): Promise<void> {
  const loop = async (): Promise<void> => {
    while (((await store.orders.nextDueAtMs()) ?? Infinity) <= T0) {
      for (const one of await store.deliveries.claim(claim(me, { limit: 7 }))) {
        say(`claimed ${one.tenant} ${one.deliveryId}`);
      }
    }
  };
  await Promise.all([loop(), loop(), loop()]);
}

const work: Readonly<Record<string, () => Promise<unknown>>> = {
  commit: () => Promise.all(Array.from({ length: 8 }, (_, writer) => commit(writer))),
  race,
  budget: spend,
  claim: claimAll,
  tell,
};

say("open");
if (mode === "listen") store.onWork(() => say("work"));
// The process that started this one is gone.
process.stdin.once("end", () => process.exit());
process.stdin.once("data", () => {
  void work[mode]?.().then(() => say("done"));
});

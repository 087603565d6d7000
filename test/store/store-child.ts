import { writeSync } from "node:fs";
import { createSqliteStore } from "../../src/store/sqlite.ts";
import { attempt, delivery, T0 } from "./samples.ts";

/** What the tests of several processes run: `node store-child.ts MODE PATH DATA_KEY`. */
const [mode, path = "", dataKey = ""] = process.argv.slice(2);

const store = await createSqliteStore({
  path,
  dataKey: Buffer.from(dataKey, "base64"),
  exclusive: mode !== "race",
  now: () => T0,
});

/** Written at once, so that a line that the parent reads was acknowledged before the kill. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Keep deliveries and ledger entries until killed, and say so after each commit. */
async function commit(writer: number): Promise<never> {
  for (let index = 0; ; index += 1) {
    const id = `w${writer}-${index}`;
    await store.saveDeliveries([delivery(id)]);
    say(`delivery ${id}`);
    const grant = await store.beginAttempt(attempt(id));
    if (grant.outcome === "granted") say(`attempt ${id}`);
  }
}

/** Ask for the same fingerprints as other processes do. */
async function race(): Promise<void> {
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const grant = await store.beginAttempt(attempt(`fp${index}`));
      if (grant.outcome === "granted") say(`granted fp${index}`);
    }),
  );
  say("done");
}

say("open");
if (mode === "commit") await Promise.all(Array.from({ length: 8 }, (_, writer) => commit(writer)));
if (mode === "race") {
  process.stdin.once("data", () => {
    void race().finally(() => process.exit());
  });
}
// Keeps the process, and with it the lock, until it is killed.
if (mode === "own") setInterval(() => {}, 60_000);

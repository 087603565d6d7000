import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { loadDataKey } from "../../src/store/opening/data-key.ts";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import { fillStore } from "./fill-store.ts";

/** The app over a filled store. */
export interface Serving {
  readonly url: URL;
  readonly token: string;
  close(): Promise<void>;
}

const MAIN = new URL("../../src/main.ts", import.meta.url).pathname;
const TOKEN = "token-of-the-measured-console";
/** The tenant whose orders the operator sees. */
const TENANT = "default";
/** A platform that isn't set up here, so that nothing goes over the network. */
const PLATFORM = "elsewhere";

/** Fill a SQLite file and start the app on it in its own process, as `holdfast serve` does. */
export async function serveFilled(orders: number, days: number): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-console-"));
  const path = join(folder, "holdfast.db");
  const store = await createSqliteStore({ path, dataKey: loadDataKey({ databasePath: path }) });
  await fillStore(store, { tenant: TENANT, platform: PLATFORM, orders, days, nowMs: Date.now() });
  await store.close();

  const port = await findPort();
  const url = new URL(`http://127.0.0.1:${port}/`);
  const app = spawn(process.execPath, [MAIN, "serve"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env["PATH"],
      PORT: String(port),
      DATABASE_URL: `sqlite:${path}`,
      CONSOLE_TOKEN: TOKEN,
      LOG_LEVEL: "error",
    },
  });
  const ended = once(app, "exit");
  await waitUntilReady(url);
  return {
    url,
    token: TOKEN,
    async close() {
      app.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findPort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function waitUntilReady(url: URL): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await fetch(new URL("readyz", url)).catch(() => null);
    if (answer?.ok === true) return;
    await sleep(50);
  }
  throw new Error("the app did not get ready within 10 seconds");
}

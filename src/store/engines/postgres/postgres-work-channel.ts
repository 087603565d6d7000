// Bound on import: a test that fakes timers must not stop the store.
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../../../base/logger.ts";
import { type Driver, toConnectionConfig } from "./postgres-pool.ts";

/** Options of {@link createWorkChannel}. */
export interface WorkChannelOptions {
  readonly driver: Driver;
  readonly url: string;
  /** Send one notification. */
  readonly notify: () => Promise<unknown>;
  readonly logger: Logger;
}

/** Name of the channel in the database. */
export const WORK_CHANNEL = "holdfast_work";

/** Between two announcements of a process: a burst of orders wakes the others fifty times a second at most. */
const SPACING_MS = 20;
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 15_000;

/** Lets processes that share a database wake each other, by NOTIFY. It connects when somebody first listens. */
export function createWorkChannel(options: WorkChannelOptions) {
  const { notify, logger } = options;
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  let announcing: Promise<void> | undefined;
  let isAnnounced = true;
  let listening: Promise<void> | undefined;

  function tell(): void {
    for (const listener of listeners) listener();
  }

  async function announceAll(): Promise<void> {
    while (!isAnnounced) {
      isAnnounced = true;
      try {
        await notify();
      } catch (err) {
        logger.warn({ err }, "other processes couldn't be told about work; they find it when they look");
      }
      await rest(SPACING_MS, closing.signal);
    }
    announcing = undefined;
  }

  async function keepListening(): Promise<void> {
    let retryMs = MIN_RETRY_MS;
    while (!closing.signal.aborted) {
      try {
        await listen(options, closing.signal, tell, () => {
          retryMs = MIN_RETRY_MS;
          // Whatever was announced while nobody listened.
          tell();
        });
      } catch (err) {
        logger.warn({ err, retryMs }, "no connection to hear of work; until then it is found by looking");
      }
      await rest(retryMs, closing.signal);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }

  return {
    /** Let every process know, within {@link SPACING_MS}. Never throws. */
    announce(): void {
      isAnnounced = false;
      announcing ??= announceAll();
    },
    /** Call `listener` on every announcement, until the returned function is called. */
    onWork(listener: () => void) {
      // Wrapped, so that the same function can listen twice and stop once.
      const own = () => listener();
      listeners.add(own);
      if (!closing.signal.aborted) listening ??= keepListening();
      return () => void listeners.delete(own);
    },
    /** Send what is still to be announced and stop listening. */
    async close() {
      closing.abort();
      await Promise.all([announcing, listening]);
    },
  };
}

/** Listen until the connection is lost, or asked to stop. Rejects when there is no connection to be had. */
async function listen(
  { driver, url }: WorkChannelOptions,
  stop: AbortSignal,
  onNotification: () => void,
  onListening: () => void,
): Promise<void> {
  const client = new driver.Client(toConnectionConfig(driver, url));
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  client.on("error", () => end());
  client.on("end", () => end());
  client.on("notification", onNotification);
  stop.addEventListener("abort", () => end(), { once: true });
  try {
    await client.connect();
    await client.query(`listen ${WORK_CHANNEL}`);
    onListening();
    if (!stop.aborted) await over;
  } finally {
    await client.end();
  }
}

export async function rest(ms: number, stop: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal: stop });
  } catch {
    // Asked to stop: there is no more time to rest.
  }
}

// Captured on import, so that a test with fake timers doesn't stop the store.
import { setTimeout as pause } from "node:timers/promises";
import { createCalmClient, type PostgresParts, toConnectionConfig } from "./postgres-pool.ts";

interface WorkChannelOptions extends PostgresParts {
  readonly notify: () => Promise<unknown>;
}

export const WORK_CHANNEL = "holdfast_work";

/** The time between two announcements of a process, so that a burst of orders wakes the others at most fifty times a second. */
const SPACING_MS = 20;
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 15_000;

/** Lets processes that share a database wake each other with NOTIFY. Connects when a listener is first added. */
export function createWorkChannel(options: WorkChannelOptions) {
  const { notify, logger } = options;
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  let announcing: Promise<void> | undefined;
  let isAnnounced = true;
  let listening: Promise<void> | undefined;

  function callListeners(): void {
    for (const listener of listeners) listener();
  }

  async function announceAll(): Promise<void> {
    while (!isAnnounced) {
      isAnnounced = true;
      try {
        await notify();
      } catch (err) {
        logger.warn({ err }, "couldn't notify other processes about work; they find it when they poll");
      }
      await rest(SPACING_MS, closing.signal);
    }
    announcing = undefined;
  }

  async function keepListening(): Promise<void> {
    let retryMs = MIN_RETRY_MS;
    while (!closing.signal.aborted) {
      try {
        await listen(options, closing.signal, callListeners, () => {
          retryMs = MIN_RETRY_MS;
          // Catch up on announcements from before this process listened.
          callListeners();
        });
      } catch (err) {
        logger.warn(
          { err, retryMs },
          "can't listen for new work; polling for it until the connection is back",
        );
      }
      await rest(retryMs, closing.signal);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }

  return {
    /** Notify every process within {@link SPACING_MS}. Never throws. */
    announce(): void {
      isAnnounced = false;
      announcing ??= announceAll();
    },
    /** Call `listener` on every announcement, until the returned function is called. */
    onWork(listener: () => void) {
      // Wrapped, so that the same function can be added twice and removed once.
      const own = () => listener();
      listeners.add(own);
      if (!closing.signal.aborted) listening ??= keepListening();
      return () => void listeners.delete(own);
    },
    /** Send a pending announcement and stop listening. */
    async close() {
      closing.abort();
      await Promise.all([announcing, listening]);
    },
  };
}

/** Listen until the connection is lost or the signal fires. Rejects if it can't connect. */
async function listen(
  { driver, url }: WorkChannelOptions,
  stop: AbortSignal,
  onNotification: () => void,
  onListening: () => void,
): Promise<void> {
  const client = new (createCalmClient(driver.Client))(toConnectionConfig(driver, url));
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
    // The signal fired, so don't wait any longer.
  }
}

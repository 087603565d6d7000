// Captured on import, so that a test with fake timers doesn't stop the store.
import { setTimeout as pause } from "node:timers/promises";
import { createCalmClient, type PostgresParts, toConnectionConfig } from "./postgres-pool.ts";

interface ChannelOptions extends PostgresParts {
  readonly channel: string;
  /** The time between two announcements of a process, so that a burst of orders doesn't keep the others busy. */
  readonly spacingMs: number;
  /** Send each payload with NOTIFY. */
  readonly notify: (payloads: readonly string[]) => Promise<unknown>;
}

/** Work is due. */
export const WORK_CHANNEL = "holdfast_work";

const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 15_000;

/** Told what was announced; null if announcements may have been lost. */
export type ChannelListener = (payload: string | null) => void;

/** Lets processes that share a database tell each other something with NOTIFY. Connects when a listener is first added. */
export function createChannel(options: ChannelOptions) {
  const { channel, spacingMs, notify, logger } = options;
  const listeners = new Set<ChannelListener>();
  const closing = new AbortController();
  let announcing: Promise<void> | undefined;
  const waiting = new Set<string>();
  let listening: Promise<void> | undefined;

  function callListeners(payload: string | null): void {
    for (const listener of listeners) listener(payload);
  }

  async function announceAll(): Promise<void> {
    while (waiting.size > 0) {
      const payloads = [...waiting];
      waiting.clear();
      try {
        await notify(payloads);
      } catch (err) {
        logger.warn({ err, channel }, "couldn't notify other processes; they find out when they poll");
      }
      await rest(spacingMs, closing.signal);
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
          callListeners(null);
        });
      } catch (err) {
        logger.warn(
          { err, retryMs, channel },
          "can't listen to other processes; polling until the connection is back",
        );
      }
      await rest(retryMs, closing.signal);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }

  return {
    /** Notify every process within `spacingMs`. Never throws. */
    announce(payload: string): void {
      waiting.add(payload);
      announcing ??= announceAll();
    },
    /** Call `listener` on every announcement, until the returned function is called. */
    listen(listener: ChannelListener) {
      // Wrapped, so that the same function can be added twice and removed once.
      const own: ChannelListener = (payload) => listener(payload);
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
  { driver, url, channel }: ChannelOptions,
  stop: AbortSignal,
  onNotification: ChannelListener,
  onListening: () => void,
): Promise<void> {
  const client = new (createCalmClient(driver.Client))(toConnectionConfig(driver, url));
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  client.on("error", () => end());
  client.on("end", () => end());
  client.on("notification", ({ payload }) => onNotification(payload ?? null));
  stop.addEventListener("abort", () => end(), { once: true });
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
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

import { isHoldfastError, toUnsentError, type HoldfastError } from "../base/errors.ts";
import { type OptionRules } from "../base/options.ts";
import { pause } from "../base/waiting.ts";
import { checkNumber, type ServiceClientOptions } from "./client-options.ts";
import type { Dialect } from "./dialect.ts";
import { toCanceledError } from "./http-errors.ts";
import { clampRetryAtMs, MAX_PAUSE_MS, parseRateLimit, type ResponseHeaders } from "./rate-limit.ts";

/** How a client of the catalog or of the management interface repeats calls. */
export interface RetryOptions {
  /** How often to repeat a read, or a write that wasn't sent. Default 4. */
  readonly retries?: number | undefined;
  /**
   * Longest single wait for a rate limit or a failing service, in milliseconds. Default 60000. If the wait would be
   * longer, the call fails.
   */
  readonly maxWaitMs?: number | undefined;
  /** Waits. Default: a timer. Tests pass in their own clock. */
  readonly wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Clock, in milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** The options that the clients of the catalog and of the management interface share. */
export const CLIENT_OPTIONS: OptionRules<
  RetryOptions & Omit<ServiceClientOptions, "apiKey" | "auth" | "organization">
> = {
  url: true,
  timeoutMs: true,
  connections: true,
  dispatcher: { expected: "a Dispatcher of undici 5 to 8", is: ["dispatch", "request"] },
  retries: true,
  maxWaitMs: true,
  wait: "function",
  now: "function",
};

/** Makes calls, repeats those that may be repeated, and makes none while the key is rate-limited. */
export type Retrier = ReturnType<typeof createRetrier>;

const DEFAULT_RETRIES = 4;
const DEFAULT_MAX_WAIT_MS = 60_000;
const FIRST_PAUSE_MS = 500;

/** Twice as long each time, minus a random part of up to half, so that clients don't all retry together. */
function toBackoffMs(attempt: number): number {
  return FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2);
}

/**
 * Create the {@link Retrier} of one key.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function createRetrier(dialect: Dialect, options: RetryOptions = {}) {
  const { now = Date.now, wait = pause } = options;
  const retries = checkNumber("`retries`", options.retries ?? DEFAULT_RETRIES, { isWhole: true });
  const maxWaitMs = checkNumber("`maxWaitMs`", options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS, {});
  /** When the key may call again, according to the service. It applies to all calls of the client. */
  let readyAtMs = 0;

  async function waitUntilReady(signal: AbortSignal | undefined): Promise<void> {
    // A longer wait than any pause means that the clock has been set back.
    if (readyAtMs - now() > MAX_PAUSE_MS) readyAtMs = 0;
    for (let waitMs = readyAtMs - now(); waitMs > 0; waitMs = readyAtMs - now()) {
      if (waitMs > maxWaitMs) throw toTooLong(dialect, maxWaitMs, readyAtMs);
      await waitOrAbort(waitMs, signal);
    }
  }

  async function waitOrAbort(ms: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await wait(ms, signal);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
      throw toCanceledError(dialect);
    }
  }

  function note(headers: ResponseHeaders): void {
    const { remaining, resetAtMs } = parseRateLimit(headers) ?? {};
    if (remaining !== 0 || resetAtMs === undefined || resetAtMs <= now()) return;
    // At most an hour: a service with a wrong clock must not stop the client for days.
    readyAtMs = Math.max(readyAtMs, clampRetryAtMs(resetAtMs, now()));
  }

  /** How long to wait before the next attempt; undefined to stop. */
  function toWaitMs(error: unknown, attempt: number, repeatable: boolean): number | undefined {
    if (!isHoldfastError(error) || !error.retryable || attempt >= retries) return undefined;
    if (error.code === dialect.codes.aborted) return undefined;
    if (error.code === dialect.codes.rateLimited && error.retryAtMs !== undefined) {
      readyAtMs = Math.max(readyAtMs, error.retryAtMs);
    }
    if (!repeatable && error.code !== dialect.codes.unreachable) return undefined;
    const waitMs = error.retryAtMs === undefined ? toBackoffMs(attempt) : error.retryAtMs - now();
    return waitMs > maxWaitMs ? undefined : Math.max(0, waitMs);
  }

  return {
    /**
     * Run `attempt` until it succeeds, fails for good, or the attempts are used up. Only a `repeatable` call is repeated
     * although the service may have seen it.
     */
    async run<T extends { readonly headers: ResponseHeaders }>(
      attempt: () => Promise<T>,
      { repeatable, signal }: { readonly repeatable: boolean; readonly signal: AbortSignal | undefined },
    ): Promise<T> {
      for (let count = 0; ; count += 1) {
        await waitUntilReady(signal);
        try {
          const reply = await attempt();
          note(reply.headers);
          return reply;
        } catch (error) {
          const waitMs = toWaitMs(error, count, repeatable);
          if (waitMs === undefined) throw error;
          await waitOrAbort(waitMs, signal);
        }
      }
    },
  };
}

function toTooLong({ codes, name }: Dialect, maxWaitMs: number, readyAtMs: number): HoldfastError {
  const message = `the ${name}'s rate limit is used up for longer than ${maxWaitMs} ms; nothing was sent`;
  return toUnsentError(codes.rateLimited, message, readyAtMs);
}

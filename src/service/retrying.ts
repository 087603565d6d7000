import { isHoldfastError, toUnsentError, type HoldfastError } from "../base/errors.ts";
import { type OptionRules } from "../base/options.ts";
import { pause } from "../base/waiting.ts";
import { checkNumber, type ServiceClientOptions } from "./client-options.ts";
import type { CallOptions } from "./call.ts";
import type { Dialect } from "./dialect.ts";
import { toCanceledError } from "./http-errors.ts";
import {
  clampRetryAtMs,
  MAX_PAUSE_MS,
  parseRateLimit,
  type RateLimit,
  type ResponseHeaders,
} from "./rate-limit.ts";

/** How a client of the catalog or of the management interface repeats calls. */
export interface RetryOptions {
  /** How often to repeat a read, or a write that wasn't sent. Default 4. */
  readonly retries?: number | undefined;
  /**
   * Longest single wait for a rate limit or a failing service, in milliseconds. Default 65000: a limit per minute may
   * be reset a little more than a minute from now. If the wait would be longer, the call fails.
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
  fetch: "function",
  logger: "logger",
  onRequest: "function",
  onResponse: "function",
};

/** Makes calls, repeats those that may be repeated, and makes none while the key is rate-limited. */
export type Retrier = ReturnType<typeof createRetrier>;

const DEFAULT_RETRIES = 4;
const DEFAULT_MAX_WAIT_MS = 65_000;
const FIRST_PAUSE_MS = 500;

/** Twice as long each time, minus a random part of up to half, so that clients don't all retry together. */
function toBackoffMs(attempt: number): number {
  return FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2);
}

/** What the service says about one key's rate limit, and when the key may call again. */
function createQuota(now: () => number) {
  let quota: RateLimit | undefined;
  let readyAtMs = 0;
  return {
    get last() {
      return quota;
    },
    get readyAtMs() {
      // A longer wait than any pause means that the clock has been set back.
      if (readyAtMs - now() > MAX_PAUSE_MS) readyAtMs = 0;
      return readyAtMs;
    },
    note(headers: ResponseHeaders | undefined, retryAtMs = 0): void {
      readyAtMs = Math.max(readyAtMs, retryAtMs);
      const found = headers && parseRateLimit(headers);
      if (found === undefined) return;
      quota = found;
      const { remaining, resetAtMs } = found;
      if (remaining !== 0 || resetAtMs === undefined || resetAtMs <= now()) return;
      // At most an hour: a service with a wrong clock must not stop the client for days.
      readyAtMs = Math.max(readyAtMs, clampRetryAtMs(resetAtMs, now()));
    },
  };
}

/**
 * Create the {@link Retrier} of one key.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function createRetrier(dialect: Dialect, options: RetryOptions = {}) {
  const { now = Date.now, wait = pause } = options;
  const { rateLimited, failed, malformed, unreachable, timeout, interrupted } = dialect.codes;
  /** What may pass by itself. An empty balance doesn't. */
  const passing = new Set([rateLimited, failed, malformed, unreachable, timeout, interrupted]);
  const retries = checkNumber("`retries`", options.retries ?? DEFAULT_RETRIES, { isWhole: true });
  const maxWaitMs = checkNumber("`maxWaitMs`", options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS, {});
  // It applies to all calls of the client.
  const quota = createQuota(now);

  async function waitUntilReady(signal: AbortSignal | undefined): Promise<void> {
    for (let waitMs = quota.readyAtMs - now(); waitMs > 0; waitMs = quota.readyAtMs - now()) {
      if (waitMs > maxWaitMs) throw toTooLong(dialect, maxWaitMs, quota.readyAtMs);
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

  /** How long to wait before the next attempt; undefined to stop. */
  function toWaitMs(error: unknown, attempt: number, most: number): number | undefined {
    if (!isHoldfastError(error)) return undefined;
    quota.note(error.responseHeaders, error.code === rateLimited ? error.retryAtMs : undefined);
    if (!passing.has(error.code) || !error.safeToRepeat || !error.retryable || attempt >= most)
      return undefined;
    const waitMs = error.retryAtMs === undefined ? toBackoffMs(attempt) : error.retryAtMs - now();
    return waitMs > maxWaitMs ? undefined : Math.max(0, waitMs);
  }

  return {
    /** What the last answer said of the key's rate limit; undefined before the first, and if it said nothing. */
    get rateLimit() {
      return quota.last;
    },
    /** Run `attempt` until it succeeds, fails for good or with an unknown effect, or the attempts are used up. */
    async run<T extends { readonly headers: ResponseHeaders }>(
      attempt: (number: number) => Promise<T>,
      { signal, retries: most = retries }: Pick<CallOptions, "signal" | "retries">,
    ): Promise<T> {
      for (let count = 0; ; count += 1) {
        await waitUntilReady(signal);
        try {
          const reply = await attempt(count + 1);
          quota.note(reply.headers);
          return reply;
        } catch (error) {
          const waitMs = toWaitMs(error, count, most);
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

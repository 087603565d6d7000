import { MAX_TIMER_MS } from "../base/waiting.ts";

/** Parts of {@link createPacedQueue}. */
export interface PacedQueueOptions<T> {
  /** Get a key's answer. Never rejects. */
  readonly ask: (key: string) => Promise<T>;
  readonly perSecond: number;
  /** How many may be asked at once after a quiet time. */
  readonly burst: number;
  /** Most keys that wait or are asked; what nobody waits for any more gives way first. */
  readonly most: number;
  /** In milliseconds. */
  readonly now: () => number;
}

/** Asks for keys, each once at a time and no faster than allowed. */
export interface PacedQueue<T> {
  /** The answer of a key in its turn; undefined when it won't be asked for. It is asked for also after `signal` fired. */
  ask(key: string, signal: AbortSignal): Promise<T | undefined>;
  /** Ask nothing for so long, and give up what waits. False: it pauses already. */
  pause(ms: number): boolean;
  /** Give up what waits, and ask nothing any more. */
  close(): void;
}

interface Waiting<T> {
  readonly answer: PromiseWithResolvers<T | undefined>;
  /** Fires when nobody waits for it any more: of the last who asked, since all wait equally long. */
  signal: AbortSignal;
}

/** Create a {@link PacedQueue}. What somebody waits for comes before what is left from others. */
export function createPacedQueue<T>(options: PacedQueueOptions<T>): PacedQueue<T> {
  const { ask, burst, most, now } = options;
  const intervalMs = 1_000 / options.perSecond;
  const underWay = new Map<string, Promise<T>>();
  const queue = new Map<string, Waiting<T>>();
  let timer: NodeJS.Timeout | undefined;
  /** When the whole burst may be used again. */
  let fullAtMs = Number.NEGATIVE_INFINITY;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  function drop(key: string): void {
    queue.get(key)?.answer.resolve(undefined);
    queue.delete(key);
  }

  function hasRoom(): boolean {
    if (queue.size + underWay.size < most) return true;
    const left = [...queue].find(([, waiting]) => waiting.signal.aborted);
    if (left !== undefined) drop(left[0]);
    return left !== undefined;
  }

  function start(key: string, { answer }: Waiting<T>): void {
    queue.delete(key);
    fullAtMs = Math.max(fullAtMs, now()) + intervalMs;
    const asking = ask(key).finally(() => underWay.delete(key));
    underWay.set(key, asking);
    answer.resolve(asking);
  }

  /** Ask for what may be asked now, and come back for the rest. */
  function work(): void {
    clearTimeout(timer);
    for (;;) {
      const entries = [...queue];
      const next = entries.find(([, waiting]) => !waiting.signal.aborted) ?? entries[0];
      if (next === undefined) return;
      const waitMs = fullAtMs - (burst - 1) * intervalMs - now();
      if (waitMs > 0) {
        // Nothing that is fetched for later keeps a process alive.
        timer = setTimeout(work, Math.min(Math.ceil(waitMs), MAX_TIMER_MS)).unref();
        return;
      }
      start(...next);
    }
  }

  function giveUp(): void {
    clearTimeout(timer);
    for (const key of queue.keys()) drop(key);
  }

  return {
    ask(key, signal) {
      const asked = underWay.get(key);
      if (asked !== undefined) return asked;
      const waiting = queue.get(key);
      if (waiting !== undefined) {
        waiting.signal = signal;
        return waiting.answer.promise;
      }
      if (now() < pausedUntilMs || !hasRoom()) return Promise.resolve(undefined);
      const answer = Promise.withResolvers<T | undefined>();
      queue.set(key, { answer, signal });
      work();
      return answer.promise;
    },
    pause(ms) {
      const isNews = now() >= pausedUntilMs;
      pausedUntilMs = Math.max(pausedUntilMs, now() + ms);
      giveUp();
      return isNews;
    },
    close() {
      pausedUntilMs = Number.POSITIVE_INFINITY;
      giveUp();
    },
  };
}

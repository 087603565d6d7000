import { MAX_TIMER_MS } from "../base/waiting.ts";

export interface PacedQueueOptions<T> {
  /** Get a key's answer. Never rejects. */
  readonly ask: (key: string) => Promise<T>;
  readonly perSecond: number;
  /** How many keys may be requested at once after a quiet time. */
  readonly burst: number;
  /** Most keys that wait or are being requested. Keys that nobody waits for any more make room first. */
  readonly most: number;
  /** In milliseconds. */
  readonly now: () => number;
}

interface Waiting<T> {
  readonly answer: PromiseWithResolvers<T | undefined>;
  /** Fires when nobody waits any more. It's the last caller's, since all wait equally long. */
  signal: AbortSignal;
}

/** The first key that somebody still waits for, or the first that nobody waits for. */
function findKey<T>(queue: ReadonlyMap<string, Waiting<T>>, which: "wanted" | "left"): string | undefined {
  const found = [...queue].find(([, { signal }]) => signal.aborted === (which === "left"));
  return found?.[0];
}

function drop<T>(queue: Map<string, Waiting<T>>, key: string): void {
  queue.get(key)?.answer.resolve(undefined);
  queue.delete(key);
}

/** False when somebody waits for all of them. */
function makeRoom<T>(queue: Map<string, Waiting<T>>): boolean {
  const left = findKey(queue, "left");
  if (left !== undefined) drop(queue, left);
  return left !== undefined;
}

/** A bucket of `burst` tokens that fills at `perSecond`. */
function createPace({ perSecond, burst, now }: PacedQueueOptions<unknown>) {
  const intervalMs = 1_000 / perSecond;
  let fullAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** At 0 or below, a request may start now. */
    waitMs: () => fullAtMs - (burst - 1) * intervalMs - now(),
    take: () => void (fullAtMs = Math.max(fullAtMs, now()) + intervalMs),
  };
}

/** Requests keys, each once at a time and no faster than allowed. Keys that somebody waits for come first. */
export function createPacedQueue<T>(options: PacedQueueOptions<T>) {
  const { ask, most, now } = options;
  const pace = createPace(options);
  const underWay = new Map<string, Promise<T>>();
  const queue = new Map<string, Waiting<T>>();
  let timer: NodeJS.Timeout | undefined;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  function start(key: string): void {
    const waiting = queue.get(key);
    queue.delete(key);
    pace.take();
    const asking = ask(key).finally(() => underWay.delete(key));
    underWay.set(key, asking);
    waiting?.answer.resolve(asking);
  }

  /** Request the keys that are allowed now, and schedule the rest. */
  function work(): void {
    clearTimeout(timer);
    for (;;) {
      const next = findKey(queue, "wanted") ?? findKey(queue, "left");
      if (next === undefined) return;
      const waitMs = pace.waitMs();
      if (waitMs > 0) {
        // Fetching for later must not keep a process alive.
        timer = setTimeout(work, Math.min(Math.ceil(waitMs), MAX_TIMER_MS)).unref();
        return;
      }
      start(next);
    }
  }

  function giveUp(): void {
    clearTimeout(timer);
    for (const key of queue.keys()) drop(queue, key);
  }

  return {
    /** A key's answer in its turn; undefined if it won't be requested. It's still requested after `signal` fires. */
    ask(key: string, signal: AbortSignal): Promise<T | undefined> {
      const asked = underWay.get(key);
      if (asked !== undefined) return asked;
      const waiting = queue.get(key);
      if (waiting !== undefined) {
        waiting.signal = signal;
        return waiting.answer.promise;
      }
      const isFull = queue.size + underWay.size >= most;
      if (now() < pausedUntilMs || (isFull && !makeRoom(queue))) return Promise.resolve(undefined);
      const answer = Promise.withResolvers<T | undefined>();
      queue.set(key, { answer, signal });
      work();
      return answer.promise;
    },
    /** Pause requests for this long and drop waiting keys. False if the queue is already paused. */
    pause(ms: number) {
      const isNews = now() >= pausedUntilMs;
      pausedUntilMs = Math.max(pausedUntilMs, now() + ms);
      giveUp();
      return isNews;
    },
    /** Drop waiting keys and send no further requests. */
    close() {
      pausedUntilMs = Number.POSITIVE_INFINITY;
      giveUp();
    },
  };
}

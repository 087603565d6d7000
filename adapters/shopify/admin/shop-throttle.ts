import { LRUCache } from "lru-cache";
import type { ThrottleStatus } from "./admin-answer.ts";
import { throttled, unavailable } from "../base/failures.ts";

interface TurnOptions {
  /** Points that the call requests. */
  readonly cost: number;
  readonly signal?: AbortSignal | undefined;
  /** When to give up waiting, milliseconds since the epoch. */
  readonly deadlineMs: number;
}

/** How many shops' buckets are remembered. A forgotten bucket counts as full. */
const SHOPS_KEPT = 5_000;

/** Spaces a shop's calls, so that none exceeds its bucket. Until the bucket is known, no call waits for points. */
export function createShopThrottle(now: () => number) {
  const queues = new LRUCache<string, ShopQueue>({ max: SHOPS_KEPT });

  function queueOf(shop: string): ShopQueue {
    const queue = queues.get(shop) ?? new ShopQueue(now);
    queues.set(shop, queue);
    return queue;
  }

  return {
    /**
     * Run `work` in its turn: in order of arrival within a shop, and only when the bucket has enough points.
     *
     * @throws {HoldfastError} `PLATFORM_THROTTLED` if its turn would come after the deadline, `PLATFORM_UNAVAILABLE` if
     * the caller gave up waiting.
     */
    run: <T>(shop: string, options: TurnOptions, work: () => Promise<T>) => queueOf(shop).run(options, work),
    report: (shop: string, status: ThrottleStatus) => queueOf(shop).report(status),
    pause: (shop: string, untilMs: number) => queueOf(shop).pause(untilMs),
  };
}

/** Concurrent calls to one shop. More would only wait in Shopify's queue, where they can't be canceled. */
const CONCURRENT = 4;

interface Turn {
  readonly cost: number;
  deadlineMs: number;
  start(): void;
  refuse(retryAtMs: number): void;
}

class ShopQueue {
  readonly #clock: () => number;
  #seenAtMs = 0;
  readonly #waiting: Turn[] = [];
  #status: ThrottleStatus | undefined;
  #statusAtMs = 0;
  #pausedUntilMs = 0;
  #running = 0;
  /** Points of running calls. The last report may not include them. */
  #pending = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => number) {
    this.#clock = now;
  }

  /** If the clock is set back, the stored times move with it; otherwise calls to the shop would wait that much longer. */
  #now(): number {
    const nowMs = this.#clock();
    const backMs = this.#seenAtMs - nowMs;
    if (backMs > 0) {
      this.#statusAtMs -= backMs;
      this.#pausedUntilMs -= backMs;
      for (const turn of this.#waiting) turn.deadlineMs -= backMs;
    }
    this.#seenAtMs = nowMs;
    return nowMs;
  }

  report(status: ThrottleStatus): void {
    this.#status = status;
    this.#statusAtMs = this.#now();
  }

  pause(untilMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
  }

  async run<T>(options: TurnOptions, work: () => Promise<T>): Promise<T> {
    await this.#waitForTurn(options);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#pending -= options.cost;
      this.#advance();
    }
  }

  #waitForTurn(options: TurnOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        options.signal?.removeEventListener("abort", giveUp);
        const index = this.#waiting.indexOf(turn);
        if (index !== -1) this.#waiting.splice(index, 1);
      };
      const turn: Turn = {
        cost: options.cost,
        deadlineMs: options.deadlineMs,
        start: () => {
          leave();
          this.#running += 1;
          this.#pending += options.cost;
          resolve();
        },
        refuse: (retryAtMs) => {
          leave();
          reject(throttled("Too many calls are waiting for this shop", retryAtMs));
        },
      };
      const giveUp = () => {
        leave();
        reject(unavailable("The caller canceled before the request was sent"));
        this.#advance();
      };
      const timer = setTimeout(() => {
        turn.refuse(this.#readyAtMs(options.cost));
        this.#advance();
      }, options.deadlineMs - this.#now());
      if (options.signal?.aborted === true) return giveUp();
      options.signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(turn);
      return this.#advance();
    });
  }

  /** Start every call that can start. The first call that can't start blocks those behind it. */
  #advance(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (let turn = this.#waiting[0]; turn !== undefined; turn = this.#waiting[0]) {
      if (this.#running >= CONCURRENT) return;
      const readyAtMs = this.#readyAtMs(turn.cost);
      const waitMs = readyAtMs - this.#now();
      if (readyAtMs > turn.deadlineMs) turn.refuse(readyAtMs);
      else if (waitMs <= 0) turn.start();
      else {
        this.#timer = setTimeout(() => this.#advance(), Math.ceil(waitMs));
        return;
      }
    }
  }

  /** When the bucket can take `cost`, milliseconds since the epoch. */
  #readyAtMs(cost: number): number {
    const nowMs = this.#now();
    const pausedUntilMs = Math.max(nowMs, this.#pausedUntilMs);
    if (this.#status === undefined) return pausedUntilMs;
    const { maximumAvailable, currentlyAvailable, restoreRate } = this.#status;
    const restored = ((nowMs - this.#statusAtMs) / 1000) * restoreRate;
    const available = Math.min(maximumAvailable, currentlyAvailable + restored) - this.#pending;
    // A call that costs more than the whole bucket would never start. Send it, so that Shopify returns its error.
    const missing = Math.min(cost, maximumAvailable) - available;
    if (missing <= 0 || restoreRate <= 0) return pausedUntilMs;
    return Math.max(pausedUntilMs, nowMs + (missing / restoreRate) * 1000);
  }
}

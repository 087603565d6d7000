import { LRUCache } from "lru-cache";
import { ShopLane, type ThrottleStatus, type TurnOptions } from "./shop-queue.ts";

/** Spaces out the calls to each shop, so that none is sent that the shop's bucket cannot take. */
export interface ShopThrottle {
  /**
   * Run `work` when it is its turn: in order of arrival within a shop, and only when the bucket has the points.
   *
   * @throws {HoldfastError} `PLATFORM_THROTTLED` when its turn would come after the deadline, `PLATFORM_UNAVAILABLE`
   *   when the caller gave up waiting.
   */
  run<T>(shop: string, options: TurnOptions, work: () => Promise<T>): Promise<T>;
  /** Take over what an answer said about the bucket. */
  report(shop: string, status: ThrottleStatus): void;
  /** Send nothing to the shop before `untilMs`. */
  pause(shop: string, untilMs: number): void;
}

/** Shops whose bucket is remembered; a forgotten one starts as full. */
const SHOPS_KEPT = 5_000;

/** Create a {@link ShopThrottle} that knows nothing of any shop yet. */
export function createShopThrottle(now: () => number): ShopThrottle {
  const lanes = new LRUCache<string, ShopLane>({ max: SHOPS_KEPT });

  function laneOf(shop: string): ShopLane {
    const lane = lanes.get(shop) ?? new ShopLane(now);
    lanes.set(shop, lane);
    return lane;
  }

  return {
    run: (shop, options, work) => laneOf(shop).run(options, work),
    report: (shop, status) => laneOf(shop).report(status),
    pause: (shop, untilMs) => laneOf(shop).pause(untilMs),
  };
}

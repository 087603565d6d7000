import type { Store } from "../../src/store/store.ts";
import type { DatabaseClock } from "../support/database-clock.ts";

/** Where the moment is among the arguments of methods that take it by itself. */
const POSITIONS: Readonly<Record<string, number>> = {
  acquireLease: 2,
  endOrder: 2,
  resolveIncident: 1,
  takeUnsent: 0,
};

/**
 * A store whose database's clock shows, at each call, the moment that the call names: so the suite for all stores can let
 * leases of a Postgres run out, which go by the database's clock and not by the caller's. It closes when no call is under way.
 */
export function onCallersClock(store: Store, clock: DatabaseClock): Store {
  let shownMs: number | undefined;
  let moving: Promise<void> | undefined;
  const underWay = new Set<Promise<unknown>>();

  function track(result: unknown): unknown {
    if (!(result instanceof Promise)) return result;
    underWay.add(result);
    void result.catch(() => undefined).finally(() => underWay.delete(result));
    return result;
  }

  async function close(): Promise<void> {
    await Promise.allSettled(underWay);
    await store.close().finally(() => clock.close());
  }

  return new Proxy(store, {
    get(target, name: string) {
      const method: unknown = Reflect.get(target, name);
      if (name === "close") return close;
      if (typeof method !== "function" || name === "onWork" || name === "onLeasesLost") return method;
      return (...args: readonly unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(method, target, args);
        const atMs = findMoment(name, args);
        // At once where it can be: a store that is closed next takes no more calls.
        if (atMs === undefined || atMs === shownMs) {
          return track(moving === undefined ? call() : moving.then(call));
        }
        shownMs = atMs;
        const moved = (moving ?? Promise.resolve())
          .then(() => clock.stopAt(atMs))
          .then(() => {
            if (moving === moved) moving = undefined;
          });
        moving = moved;
        return track(moved.then(call));
      };
    },
  });
}

function findMoment(name: string, args: readonly unknown[]): number | undefined {
  const position = POSITIONS[name];
  const given =
    position === undefined ? args.map(toMoment).find((atMs) => atMs !== undefined) : args[position];
  return typeof given === "number" ? given : undefined;
}

function toMoment(arg: unknown): number | undefined {
  if (typeof arg !== "object" || arg === null) return undefined;
  const { nowMs, atMs } = arg as { readonly nowMs?: number; readonly atMs?: number };
  return nowMs ?? atMs;
}

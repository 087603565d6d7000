import type { Store } from "../../src/store/store.ts";
import type { DatabaseClock } from "../support/database-clock.ts";

/** The position of the `now` argument, in methods that take it separately. */
const POSITIONS: Readonly<Record<string, number>> = {
  "leases.acquire": 2,
  "orders.end": 2,
  "incidents.resolve": 1,
  "incidents.takeUnsent": 0,
};

/**
 * A store whose database clock shows, at each call, the time that the call passes. Postgres leases end by the
 * database's clock and not by the caller's, so this lets the suite for all stores make them run out. Closing it waits
 * until no call is under way.
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

  const watch = <Part extends object>(part: Part, path = ""): Part =>
    new Proxy(part, {
      get(target, key: string) {
        const name = `${path}${key}`;
        const member: unknown = Reflect.get(target, key);
        if (name === "close") return close;
        if (name === "keyring" || name === "velocity") return member;
        if (typeof member === "object" && member !== null) return watch(member, `${name}.`);
        if (typeof member !== "function" || ["onWork", "onChange", "onLeasesLost"].includes(name))
          return member;
        return (...args: readonly unknown[]): unknown => {
          const call = (): unknown => Reflect.apply(member, target, args);
          const atMs = findMoment(name, args);
          // Immediately if possible: a store that is closed next accepts no more calls.
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
  return watch(store);
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

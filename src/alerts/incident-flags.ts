import { randomUUID } from "node:crypto";
import { pause, withinDeadline } from "../base/waiting.ts";
import type { Store } from "../store/store.ts";

/** Named leases of the store that all processes share. */
export type Leases = Pick<Store, "acquireLease" | "releaseLease">;

/** What all processes together have told of each incident, so that they tell it once. `unknown`: the store cannot say. */
export interface IncidentFlags {
  /** An incident began here. `tell`: nobody told of it within its window, and this process does now. */
  open(incident: string, windowMs: number): Promise<"tell" | "told" | "unknown">;
  /** It still goes on here. `told`: somebody told so within the window. `over`: somebody told that it ended. */
  remind(incident: string, windowMs: number): Promise<"tell" | "told" | "over" | "unknown">;
  /** It ended here. `tell` also when who told of it is gone: somebody did, or there was nothing to end. */
  resolve(incident: string): Promise<"tell" | "over" | "unknown">;
}

/** Parts of {@link createIncidentFlags}. */
export interface IncidentFlagsOptions {
  /** Asked each time: the store is opened later than the first alert can come. */
  readonly leases: () => Leases | undefined;
  readonly now: () => number;
  /** For how long it is remembered that an incident is over, in milliseconds. */
  readonly rememberMs: number;
  /** Longest wait for the store, in milliseconds. Default 5000. */
  readonly timeoutMs?: number | undefined;
}

/** Longer than the few statements of a turn take; a process that dies in between holds the others up for this long. */
const TURN_MS = 10_000;
const POLL_MS = 25;
const TIMEOUT_MS = 5_000;
/** After the store failed it is not waited for again at once, or one alert after the other would be late. */
const STORE_REST_MS = 30_000;
/** A lease that everybody takes under the same name of owner is a flag: anybody can lower it. */
const FLAG_OWNER = "everybody";

/**
 * Create {@link IncidentFlags} out of leases: a flag that an incident was told of, which runs out with its window, a flag
 * that it is over, and a lease with an owner of its own each time, under which both are read and set.
 */
export function createIncidentFlags(options: IncidentFlagsOptions): IncidentFlags {
  const { now, rememberMs, timeoutMs = TIMEOUT_MS } = options;
  let restUntilMs = Number.NEGATIVE_INFINITY;

  async function ask<T>(incident: string, work: (flags: Flags) => Promise<T>): Promise<T | "unknown"> {
    const leases = options.leases();
    if (leases === undefined || now() < restUntilMs) return "unknown";
    const late = new AbortController();
    try {
      const answer = takeTurn({ leases, now }, incident, work, late.signal);
      answer.catch(() => undefined);
      const inTime = await withinDeadline(answer, timeoutMs);
      if (inTime !== undefined) return inTime;
    } catch {
      // The store's own alert tells of it.
    } finally {
      late.abort();
    }
    restUntilMs = now() + STORE_REST_MS;
    return "unknown";
  }

  return {
    open: (incident, windowMs) =>
      ask(incident, async ({ told, over }) => {
        if (await told.isUp()) return "told";
        await over.lower();
        await told.raise(windowMs);
        return "tell";
      }),
    remind: (incident, windowMs) =>
      ask(incident, async ({ told, over }) => {
        if (await over.isUp()) return "over";
        if (await told.isUp()) return "told";
        await told.raise(windowMs);
        return "tell";
      }),
    resolve: (incident) =>
      ask(incident, async ({ told, over }) => {
        if (!(await told.isUp()) && (await over.isUp())) return "over";
        await told.lower();
        await over.raise(rememberMs);
        return "tell";
      }),
  };
}

interface Flag {
  isUp(): Promise<boolean>;
  raise(forMs: number): Promise<void>;
  lower(): Promise<void>;
}

interface Flags {
  readonly told: Flag;
  readonly over: Flag;
}

interface Shared {
  readonly leases: Leases;
  readonly now: () => number;
}

/** Only one process at a time looks at an incident's flags. */
async function takeTurn<T>(
  shared: Shared,
  incident: string,
  work: (flags: Flags) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { leases, now } = shared;
  const owner = randomUUID();
  const name = `alert:${incident}:turn`;
  const take = () => leases.acquireLease(name, owner, now(), now() + TURN_MS, { endsWithProcess: true });
  while (!(await take())) await pause(POLL_MS, signal);
  try {
    signal.throwIfAborted();
    return await work({
      told: toFlag(shared, `alert:${incident}:told`),
      over: toFlag(shared, `alert:${incident}:over`),
    });
  } finally {
    await leases.releaseLease(name, owner);
  }
}

function toFlag({ leases, now }: Shared, name: string): Flag {
  return {
    async isUp() {
      const looker = randomUUID();
      // A lease that ends where it begins holds nobody up.
      if (!(await leases.acquireLease(name, looker, now(), now()))) return true;
      await leases.releaseLease(name, looker);
      return false;
    },
    async raise(forMs) {
      await leases.acquireLease(name, FLAG_OWNER, now(), now() + forMs);
    },
    lower: () => leases.releaseLease(name, FLAG_OWNER),
  };
}

import { isHoldfastError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { ObservedOutcome } from "../../store/figures/outcomes.ts";
import type { Store } from "../../store/store.ts";
import type { ObservedOrder, Platform, TenantId } from "../../platform/platform.ts";

/**
 * Looks what became of orders that were held or cancelled, or would have been, and what the platform itself made of them:
 * a day after they came, and once more after two weeks.
 */
export interface OutcomeWatch {
  start(): void;
  /** One round over every installed tenant; resolves to how many orders were looked at. */
  run(signal: AbortSignal): Promise<number>;
  stop(): Promise<void>;
}

/** Parts of {@link createOutcomeWatch}. */
export interface OutcomeWatchOptions {
  readonly store: Pick<
    Store,
    "listInstalled" | "acquireLease" | "findUnobserved" | "saveOutcome" | "loadCursor" | "saveCursor"
  >;
  readonly platforms: readonly Platform[];
  /** Unique per process. */
  readonly owner: string;
  readonly now: () => number;
  readonly logger: Logger;
}

const DAY_MS = 86_400_000;
/** As often as the reconciler. */
const EVERY_MS = 10 * 60_000;
const LEASE_MS = EVERY_MS / 2;
/** A round has no hurry, and a shop's calls are for its new orders: 60 an hour of each look. */
const ORDERS_PER_LOOK = 10;
/** Chargebacks come later than this, but most cancels and returns have happened. */
const LOOKS = [
  { name: "outcomes-1d", ageMs: DAY_MS },
  { name: "outcomes-14d", ageMs: 14 * DAY_MS },
] as const;
/** Older orders are not looked at any more, whatever was missed. */
const OLDEST_MS = 45 * DAY_MS;

/** Create an {@link OutcomeWatch}. */
export function createOutcomeWatch(options: OutcomeWatchOptions): OutcomeWatch {
  const { store, logger, now, owner } = options;
  const platforms = new Map(options.platforms.map((platform) => [platform.name, platform]));
  const pauses = new Map<TenantId, number>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();

  async function run(signal: AbortSignal): Promise<number> {
    let looked = 0;
    for (const { tenant, platform: name } of await store.listInstalled()) {
      signal.throwIfAborted();
      const platform = platforms.get(name);
      if (platform === undefined || now() < (pauses.get(tenant) ?? 0)) continue;
      if (!(await store.acquireLease(`outcomes:${tenant}`, owner, now(), now() + LEASE_MS))) continue;
      try {
        for (const look of LOOKS) looked += await lookThrough(options, tenant, platform, look, signal);
      } catch (error) {
        signal.throwIfAborted();
        pause(tenant, error);
      }
    }
    return looked;
  }

  /** The next round goes on where this one stopped, though not before the platform wants to be asked again. */
  function pause(tenant: TenantId, error: unknown): void {
    const untilMs = isHoldfastError(error) ? error.retryAtMs : undefined;
    if (untilMs !== undefined) pauses.set(tenant, untilMs);
    if (isHoldfastError(error, "PLATFORM_UNAUTHORIZED")) return;
    logger.warn({ err: error }, "what became of a shop's orders was not looked at");
  }

  function round(): void {
    running = running.then(async () => {
      if (stopping.signal.aborted) return;
      await run(stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.warn({ err: error }, "looking what became of orders failed");
      });
    });
  }

  return {
    run,
    start() {
      timer ??= setInterval(round, EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error("the watch is stopping"));
      await running;
    },
  };
}

/** A few orders of one tenant that have the age, oldest first; resolves to how many were looked at. */
async function lookThrough(
  { store, now }: OutcomeWatchOptions,
  tenant: TenantId,
  platform: Platform,
  { name, ageMs }: (typeof LOOKS)[number],
  signal: AbortSignal,
): Promise<number> {
  const nowMs = now();
  const seenMs = (await store.loadCursor(tenant, name)) ?? 0;
  const untilMs = nowMs - ageMs;
  // From the moment that was reached on: orders of that very moment may be left.
  const fromMs = Math.max(Math.min(seenMs, untilMs), nowMs - OLDEST_MS);
  const orders = await store.findUnobserved(tenant, { fromMs, untilMs, ageMs, limit: ORDERS_PER_LOOK });
  for (const { orderId } of orders) {
    signal.throwIfAborted();
    const outcome = await observe(platform, tenant, orderId, signal);
    await store.saveOutcome({ tenant, orderId }, { ...outcome, observedAtMs: now() });
  }
  const last = orders.length < ORDERS_PER_LOOK ? untilMs : (orders.at(-1)?.receivedAtMs ?? untilMs);
  if (last !== seenMs) await store.saveCursor(tenant, name, last);
  return orders.length;
}

async function observe(
  platform: Platform,
  tenant: TenantId,
  orderId: string,
  signal: AbortSignal,
): Promise<Omit<ObservedOutcome, "observedAtMs">> {
  try {
    return toSeen(await platform.observe(tenant, orderId, { signal }));
  } catch (error) {
    // What it refuses to tell of one order must not keep the others from being looked at.
    if (isHoldfastError(error, "PLATFORM_REFUSED")) return toSeen(null);
    throw error;
  }
}

function toSeen(observed: ObservedOrder | null): Omit<ObservedOutcome, "observedAtMs"> {
  if (observed === null) return { known: false, cancelled: false, shipped: false, platformRisk: null };
  const { cancelled, fulfilled, partlyFulfilled, platformRisk } = observed;
  return { known: true, cancelled, shipped: fulfilled || partlyFulfilled, platformRisk };
}

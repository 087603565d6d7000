import { isHoldfastError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Store } from "../store/store.ts";
import type { Platform, PlatformOrder, TenantId } from "./platform.ts";
import { toTimelineEntry } from "./timeline.ts";

/** Finds orders that the platform has and nobody told us of: webhooks are not guaranteed to come. */
export interface Reconciler {
  start(): void;
  /** One round over every installed tenant; resolves to how many orders were found. */
  run(signal: AbortSignal): Promise<number>;
  stop(): Promise<void>;
}

/** Parts of {@link createReconciler}. */
export interface ReconcilerOptions {
  readonly store: Pick<Store, "listInstalled" | "acquireLease" | "getOrder" | "receiveOrder">;
  readonly platforms: readonly Platform[];
  readonly owner: string;
  readonly now: () => number;
  readonly logger: Logger;
  /** Called when something was found and is due. */
  readonly onFound: () => void;
}

const EVERY_MS = 10 * 60_000;
/** A webhook may still be on its way for this long, and a platform's own index follows behind. */
const SETTLING_MS = 5 * 60_000;
/** Rounds overlap, so that nothing falls between two of them. */
const OVERLAP_MS = 15 * 60_000;
/** How far the first round of a process looks back. */
const FIRST_LOOK_MS = 2 * 3_600_000;

/** Create a {@link Reconciler}. */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { store, owner, now, logger, onFound } = options;
  const platforms = new Map(options.platforms.map((platform) => [platform.name, platform]));
  /** Up to where each tenant was looked through by this process. */
  const seenUntilMs = new Map<TenantId, number>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();

  async function run(signal: AbortSignal): Promise<number> {
    let found = 0;
    for (const installed of await store.listInstalled()) {
      const platform = platforms.get(installed.platform);
      const lease = `reconcile:${installed.tenant}`;
      signal.throwIfAborted();
      if (platform === undefined || !(await store.acquireLease(lease, owner, now(), now() + EVERY_MS / 2)))
        continue;
      try {
        found += await look(options, seenUntilMs, installed, platform, signal);
      } catch (error) {
        signal.throwIfAborted();
        // The next round looks again from where this one began.
        if (!isHoldfastError(error, "PLATFORM_UNAUTHORIZED"))
          logger.warn({ err: error }, "a shop was not looked through");
      }
    }
    if (found > 0) {
      logger.error({ alert: "webhooks_missed", found }, "orders were found that no webhook told of");
      onFound();
    }
    return found;
  }

  function round(): void {
    running = run(stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) logger.warn({ err: error }, "looking for missed orders failed");
    });
  }

  return {
    run,
    start() {
      // At once, for what was missed while nobody was there to be told.
      round();
      timer ??= setInterval(round, EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error("the reconciler is stopping"));
      await running;
    },
  };
}

/** Look through one tenant's recent orders; resolves to how many nobody had told of. */
async function look(
  options: ReconcilerOptions,
  seenUntilMs: Map<TenantId, number>,
  { tenant, installedAtMs }: { readonly tenant: TenantId; readonly installedAtMs: number },
  platform: Platform,
  signal: AbortSignal,
): Promise<number> {
  const nowMs = options.now();
  const untilMs = nowMs - SETTLING_MS;
  const sinceMs = Math.max((seenUntilMs.get(tenant) ?? nowMs - FIRST_LOOK_MS) - OVERLAP_MS, installedAtMs);
  if (sinceMs >= untilMs) return 0;
  let found = 0;
  let cursor: string | undefined;
  do {
    const page = await platform.recentOrders(tenant, { sinceMs, untilMs, cursor, signal });
    for (const order of page.orders) if (await takeIn(options, tenant, platform.name, order)) found += 1;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  seenUntilMs.set(tenant, untilMs);
  return found;
}

/** Take in an order nobody told of; whether it was one. */
async function takeIn(
  { store, now }: ReconcilerOptions,
  tenant: TenantId,
  platform: string,
  order: PlatformOrder,
): Promise<boolean> {
  const { orderId } = order;
  if ((await store.getOrder({ tenant, orderId })) !== null) return false;
  const entry = toTimelineEntry(now(), "found", "no webhook told of it");
  return store.receiveOrder({ tenant, platform, receivedAtMs: now(), ...order }, entry);
}

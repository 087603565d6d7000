import { HoldfastError, isHoldfastError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { OrderKey, OrderRecord, Store, TimelineEntry } from "../store/store.ts";
import { toRetryAtMs } from "./backoff.ts";
import type { EnforcementWork } from "./enforcement.ts";
import type { OrderDecision } from "./order-decision.ts";
import type { Platform } from "./platform.ts";

/** Parts of {@link createOrderWork}. */
export interface OrderWorkOptions {
  readonly store: Store;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly decideOrder: OrderDecision;
  readonly enforce: EnforcementWork;
  readonly owner: string;
  readonly logger: Logger;
  readonly now: () => number;
}

/** Carries one claimed order as far as it goes now, and releases it. */
export type OrderWork = (order: OrderRecord, signal: AbortSignal) => Promise<void>;

/** Customer history and card facts are detail: an order does not wait longer than this for them. */
const ENRICH_TIMEOUT_MS = 5_000;

/** Create the {@link OrderWork} of an app: enrich, decide, enforce, each kept before the next begins. */
export function createOrderWork(options: OrderWorkOptions): OrderWork {
  const { store, platforms, owner, now, logger } = options;

  async function save(order: OrderRecord, transition: Parameters<Store["saveOrder"]>[2]): Promise<void> {
    if (!(await store.saveOrder(toKey(order), owner, transition))) throw new LeaseLostError();
  }

  /** Fix the request before anything is paid for it, so that a repeat asks the very same question. */
  async function prepare(order: OrderRecord, platform: Platform, signal: AbortSignal): Promise<OrderRecord> {
    const { mapped } = order;
    if (mapped === null || order.enriched || order.decision !== null) return order;
    const asked = {
      orderId: order.orderId,
      name: order.name,
      customerId: order.customerId ?? undefined,
      mapped,
    };
    const facts = { amount: order.amount ?? undefined, currency: order.currency ?? undefined };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ENRICH_TIMEOUT_MS)]);
    const enriched =
      mapped.outcome === "screenable"
        ? await platform.enrich(order.tenant, { ...asked, ...facts }, { signal: limit })
        : { mapped, limitations: [] };
    signal.throwIfAborted();
    const changes = { mapped: enriched.mapped, enriched: true, state: "screening" as const };
    const entries =
      enriched.limitations.length === 0 ? [] : [toEntry("less-detail", enriched.limitations.join(", "))];
    await save(order, { changes, entries, release: false });
    return { ...order, ...changes };
  }

  /** The decided order, or null when it was released to wait. */
  async function decide(order: OrderRecord, signal: AbortSignal): Promise<OrderRecord | null> {
    if (order.decision !== null) return order;
    if (order.mapped === null) {
      await finish(
        order,
        "failed",
        order.problem === "DATA_UNREADABLE" ? order.problem : "ERASED_BEFORE_DECISION",
      );
      return null;
    }
    const decided = await options.decideOrder(order, order.mapped, signal);
    if (decided.outcome === "decided") {
      await save(order, { changes: decided.changes, entries: decided.entries, release: false });
      return { ...order, ...decided.changes };
    }
    const { retryAtMs: dueAtMs, problem } = decided;
    const attempts = order.attempts + 1;
    const entries = order.problem === problem ? [] : [toEntry("waiting", problem)];
    await save(order, { changes: { state: "waiting", dueAtMs, attempts, problem }, entries, release: true });
    return null;
  }

  async function finish(order: OrderRecord, state: "failed", problem: string): Promise<void> {
    const changes = { state, problem, dueAtMs: null, settledAtMs: now() };
    await store.saveOrder(toKey(order), owner, {
      changes,
      entries: [toEntry(state, problem)],
      release: true,
    });
    logger.error({ alert: "order_failed", problem }, "an order needs an operator");
  }

  /** The work ended early: leave the order so that it is picked up again, by somebody or at some time. */
  async function letGo(order: OrderRecord, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof LeaseLostError) {
      logger.warn({ orderId: order.orderId }, "an order was taken over while it was worked on");
      return;
    }
    if (signal.aborted) {
      await store.saveOrder(toKey(order), owner, { changes: { dueAtMs: now() }, release: true });
      return;
    }
    if (!isHoldfastError(error)) logger.error({ err: error, alert: "defect" }, "an order met a defect");
    if (isHoldfastError(error) && error.retryable) {
      const attempts = order.attempts + 1;
      const dueAtMs = toRetryAtMs(attempts, now(), error.retryAtMs);
      await store.saveOrder(toKey(order), owner, { changes: { attempts, dueAtMs }, release: true });
      return;
    }
    await finish(order, "failed", isHoldfastError(error) ? error.code : "INTERNAL");
  }

  function toEntry(kind: string, detail: string): TimelineEntry {
    return { atMs: now(), kind, detail, actor: "holdfast" };
  }

  return async (order, signal) => {
    const platform = platforms.get(order.platform);
    let current = order;
    try {
      if (platform === undefined) {
        throw new HoldfastError("CONFIG_INVALID", "the order's platform is not configured", {
          retryable: false,
        });
      }
      current = await prepare(current, platform, signal);
      const decided = await decide(current, signal);
      if (decided === null) return;
      current = decided;
      await options.enforce(current, platform, signal, (transition) => save(current, transition));
    } catch (error) {
      await letGo(current, error, signal);
    }
  };
}

/** Somebody else holds the order now; whatever was found out is theirs to find again. */
class LeaseLostError extends Error {
  override readonly name: string = "LeaseLostError";
}

function toKey({ tenant, orderId }: OrderRecord): OrderKey {
  return { tenant, orderId };
}

import { HoldfastError } from "../../base/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { OrderRecord } from "../../store/store.ts";
import { decide, holdForInquiry } from "../decide/decide-step.ts";
import { readDetail, refreshContext } from "../decide/read-detail.ts";
import { followPersonDecision } from "../decide/follow-person-decision.ts";
import { isUndoable } from "../decide/person-decision.ts";
import type { Claim } from "./claimer.ts";
import { letGoOfOrder, saveOrder } from "./order-lease.ts";
import { toSave, type OrderStep, type OrderTask } from "./order-task.ts";

/** Parts of {@link createOrderWork}. */
export interface OrderWorkOptions extends Omit<OrderTask, "owner" | "platform" | "signal"> {
  readonly platforms: ReadonlyMap<string, Platform>;
}

/** Carries one claimed order as far as it goes now, and releases it. */
export type OrderWork = (order: OrderRecord, claim: Claim) => Promise<void>;

/**
 * An order's way from the delivery that brought it (`intake/delivery-work.ts`) to rest. What each step finds out is kept
 * before the next begins, so that a process that dies repeats at most one step. `ORDER_STATES` says who moves an order on.
 */
const STEPS: readonly OrderStep[] = [
  waitWhileUndoable, // a person decided, and may still undo it
  followPersonDecision, // a person decided, or wants the order checked again
  holdWhileChecking, // where the policy says that nothing ships before it is decided
  readDetail, // ask the platform for what the webhook lacks
  refreshContext, // ask the platform again where it has news beyond the order
  decide, // ask the service once; decide again; or look after a hold
  holdForInquiry, // a bank asks about the payment: nothing ships or is refunded before a person decides
  carryOut, // assess, tag, hold or cancel on the platform
];

/** Create the {@link OrderWork} of an app. */
export function createOrderWork({ platforms, ...options }: OrderWorkOptions): OrderWork {
  return async (order, { owner, signal }) => {
    const task: OrderTask = {
      ...options,
      owner,
      signal,
      get platform() {
        return findPlatform(platforms, order);
      },
    };
    let current = order;
    try {
      for (const step of STEPS) {
        const next = await step(task, current);
        if (next === null) return;
        current = next;
      }
    } catch (error) {
      await letGoOfOrder(task, current, error, signal);
    }
  };
}

function findPlatform(platforms: ReadonlyMap<string, Platform>, { platform: name }: OrderRecord): Platform {
  const platform = platforms.get(name);
  if (platform !== undefined) return platform;
  throw new HoldfastError("CONFIG_INVALID", "the order's platform is not configured", { retryable: false });
}

/**
 * While a person may undo their decision nothing is done about the order, so that nothing automatic releases what they
 * declined or cancels what they approved.
 */
async function waitWhileUndoable(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { verdict } = order;
  if (verdict === null || !isUndoable(verdict, task.now())) return order;
  const dueAtMs = verdict.effectiveAtMs ?? task.now();
  await saveOrder(task, order, { changes: { dueAtMs }, release: true });
  return null;
}

async function holdWhileChecking(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  return task.holdWhileChecking(order, task.platform, task.signal, toSave(task));
}

/** The steps of the decision, each recorded; the order is released at rest or to wait. */
async function carryOut(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  return task.enforce(order, task.platform, task.signal, toSave(task));
}

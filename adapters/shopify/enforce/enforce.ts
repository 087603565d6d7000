import type { EnforcementStep, Platform, StepOutcome } from "../../../src/adapter-kit.ts";
import type { AdminClient } from "../admin/admin-client.ts";
import { createAssess } from "./assess.ts";
import { capture } from "./capture.ts";
import { cancel } from "./cancel.ts";
import { hold, release } from "./hold.ts";
import { toOrderGid } from "../base/payload.ts";
import { askShop } from "../admin/ask.ts";
import { readHidden } from "./hidden-order.ts";
import { ORDER_HIDDEN, ORDER_NOT_FOUND, type Step, type StepContext } from "./step.ts";
import { tag, untag } from "./tag.ts";

/** Create the platform's `enforce`: each step of a decision, idempotent. `onAssessed` is called for each new assessment. */
export function createEnforce(
  client: AdminClient,
  now: () => number,
  onAssessed?: (context: StepContext) => Promise<void>,
): Platform["enforce"] {
  const steps: Readonly<Record<EnforcementStep, Step>> = {
    assess: createAssess(onAssessed),
    tag,
    hold,
    cancel,
    release,
    untag,
    capture,
  };
  return async (step, target, { signal } = {}) => {
    const orderGid = toOrderGid(target.orderId);
    if (orderGid === undefined) return ORDER_NOT_FOUND;
    const ask = askShop(client, target.tenant, signal);
    const context = { target, orderGid, now, signal, ask };
    const outcome = await steps[step](context);
    return outcome === ORDER_NOT_FOUND ? explainNotFound(step, context) : outcome;
  };
}

/** Only notes on the order: a decision can be applied without them. */
const NOTES: ReadonlySet<EnforcementStep> = new Set(["assess", "tag", "untag"]);

async function explainNotFound(step: EnforcementStep, context: StepContext): Promise<StepOutcome> {
  if ((await readHidden({ ...context, ...context.target })) === null) return ORDER_NOT_FOUND;
  return NOTES.has(step) ? { ...ORDER_HIDDEN, outcome: "moot" } : ORDER_HIDDEN;
}

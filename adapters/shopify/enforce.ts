import type {
  EnforcementStep,
  EnforcementTarget,
  PlatformCallOptions,
  StepOutcome,
} from "../../src/index.ts";
import type { AdminClient } from "./admin-client.ts";
import { assess } from "./assess.ts";
import { cancel } from "./cancel.ts";
import { hold } from "./hold.ts";
import { toOrderGid } from "./order-id.ts";
import { release } from "./release.ts";
import { askShop, toShop, type Step } from "./step.ts";
import { tag } from "./tag.ts";
import { untag } from "./untag.ts";

const STEPS: Readonly<Record<EnforcementStep, Step>> = {
  assess,
  tag,
  hold,
  cancel,
  release,
  untag,
};

/** Create the platform's `enforce`: each step of a decision, idempotent. */
export function createEnforce(client: AdminClient, now: () => number) {
  return async (
    step: EnforcementStep,
    target: EnforcementTarget,
    { signal }: PlatformCallOptions = {},
  ): Promise<StepOutcome> => {
    const orderGid = toOrderGid(target.orderId);
    if (orderGid === undefined) return { outcome: "impossible", reason: "order-not-found" };
    const ask = askShop(client, toShop(target.tenant), signal);
    return STEPS[step]({ target, orderGid, now, signal, ask });
  };
}

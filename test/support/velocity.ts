import type { VelocityKeys } from "../../src/engine/velocity/keys.ts";

/** Keys of an order that lacks all but the given ones. */
export function velocityKeys(changes: Partial<VelocityKeys> = {}): VelocityKeys {
  return {
    mailbox: undefined,
    email: undefined,
    network: undefined,
    card: undefined,
    address: undefined,
    billingPostcode: undefined,
    ...changes,
  };
}

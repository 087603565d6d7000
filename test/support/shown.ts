import type { ObservedOrder } from "../../src/platform/platform.ts";

/** An observed order. @throws if the platform hides it. */
export function asShown(observed: ObservedOrder | "hidden" | null): ObservedOrder | null {
  if (observed === "hidden") throw new Error("the platform hides the order");
  return observed;
}

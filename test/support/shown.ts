import type { ObservedOrder } from "../../src/platform/platform.ts";

/** An observed order. @throws if the platform hides it. */
export function asShown(observed: ObservedOrder | "hidden" | null): ObservedOrder | null {
  if (observed === "hidden") throw new Error("the platform hides the order");
  return observed;
}

/** A held order as the platform shows it. */
export const shownHeld = (changes: Partial<ObservedOrder> = {}): ObservedOrder => ({
  cancelled: false,
  fulfilled: false,
  partlyFulfilled: false,
  holdable: false,
  tags: ["holdfast-high"],
  holds: [{ holdId: "h", reference: "f" }],
  assessment: "HIGH",
  platformRisk: null,
  ...changes,
});

import type { EnforcementStep, EnforcementTarget, StepOutcome } from "./platform.ts";
import type { HostShop, ShopMarks, ShopOrder } from "./host-shop.ts";

const NOT_FOUND: StepOutcome = { outcome: "impossible", reason: "order-not-found" };
const CANCELED: StepOutcome = { outcome: "moot", ended: "cancelled", reason: "already-cancelled" };
const SHIPPED: StepOutcome = { outcome: "impossible", ended: "shipped", reason: "already-fulfilled" };
const AS_IT_WAS: StepOutcome = { outcome: "done", detail: "as it was" };

/** Make one step of a decision true in the shop. A repeat finds its work done. */
export async function enforceInShop(
  shop: HostShop,
  order: ShopOrder | null,
  step: EnforcementStep,
  target: EnforcementTarget,
): Promise<StepOutcome> {
  if (order === null) return NOT_FOUND;
  if (order.cancelled && !MARKING.has(step)) return CANCELED;
  if (isTooLate(order, step)) return SHIPPED;
  if (step === "cancel") return shop.cancel(order.orderId, target.cancel);
  if (step === "capture") return shop.capture(order.orderId);
  return mark(shop, order, toMarks(order, step, target));
}

function isTooLate({ fulfilled, partlyFulfilled }: ShopOrder, step: EnforcementStep): boolean {
  return (step === "hold" && fulfilled) || (step === "cancel" && (fulfilled || partlyFulfilled));
}

function toMarks(
  order: ShopOrder,
  step: Exclude<EnforcementStep, "cancel" | "capture">,
  target: EnforcementTarget,
): Partial<ShopMarks> {
  switch (step) {
    case "assess":
      return toAssessment(order, target);
    case "tag":
      return { tags: [...new Set([...order.marks.tags, ...target.decision.tags])] };
    case "untag":
      return { tags: withoutFormer(order, target) };
    case "hold":
      return { hold: "decision" };
    case "release":
      return { hold: null };
  }
}

/** Steps that only write what is thought of an order, also of one that ended. */
const MARKING: ReadonlySet<EnforcementStep> = new Set(["assess", "tag", "untag"]);

/** What the check held before the order was placed, the decision lets go of unless it holds or cancels, too. */
function toAssessment({ marks }: ShopOrder, { decision }: EnforcementTarget): Partial<ShopMarks> {
  const { riskLevel, action } = decision;
  const isApproved = action === "allow" || action === "tag";
  return { riskLevel, action, hold: isApproved && marks.hold === "checkout" ? null : marks.hold };
}

function withoutFormer({ marks }: ShopOrder, { decision, formerTags }: EnforcementTarget): string[] {
  return marks.tags.filter((tag) => !formerTags.includes(tag) || decision.tags.includes(tag));
}

async function mark(shop: HostShop, order: ShopOrder, wanted: Partial<ShopMarks>): Promise<StepOutcome> {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(order.marks[name as keyof ShopMarks]),
  );
  if (changed.length === 0) return AS_IT_WAS;
  await shop.mark(order.orderId, Object.fromEntries(changed));
  return { outcome: "done", detail: "written to the order" };
}

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
  switch (step) {
    case "assess":
      return mark(shop, order, toAssessment(order, target));
    case "tag":
      return mark(shop, order, { tags: [...new Set([...order.marks.tags, ...target.decision.tags])] });
    case "untag":
      return mark(shop, order, { tags: withoutFormer(order, target) });
    case "hold":
      return order.fulfilled ? SHIPPED : mark(shop, order, { hold: "decision" });
    case "release":
      return mark(shop, order, { hold: null });
    case "cancel":
      return order.fulfilled || order.partlyFulfilled ? SHIPPED : shop.cancel(order.orderId, target.cancel);
    case "capture":
      return shop.capture(order.orderId);
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

import type { Action } from "../order/decision.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import type { CardCodes } from "./card-code.ts";
import type { OrderWindow, PlatformOrder, EnforcementTarget } from "./platform.ts";
import type { StepOutcome, EnforcementStep } from "./enforcement-step.ts";

/** What holds an order: its check before it was placed, or its decision. */
export const SHOP_HOLDS = ["checkout", "decision"] as const;
/** One of {@link SHOP_HOLDS}. */
export type ShopHold = (typeof SHOP_HOLDS)[number];

/** What Holdfast writes to an order in the shop. No personal data. */
export interface ShopMarks {
  readonly riskLevel: RiskLevel | null;
  readonly action: Action | null;
  /** Fingerprint of the content that was checked. */
  readonly checkId: string | null;
  /** While it's set, the shop refuses to fulfill the order. */
  readonly hold: ShopHold | null;
  readonly tags: readonly string[];
}

/** An order that Holdfast hasn't touched. */
export const NO_MARKS: ShopMarks = { riskLevel: null, action: null, checkId: null, hold: null, tags: [] };

/** An order's current state in the shop. */
export interface ShopOrder {
  readonly orderId: string;
  /** The shop's own order as JSON, for {@link HostShop.map}. */
  readonly content: unknown;
  readonly cancelled: boolean;
  /** All of it has shipped. */
  readonly fulfilled: boolean;
  /** Some of it has shipped, and some has not. */
  readonly partlyFulfilled: boolean;
  readonly marks: ShopMarks;
}

/** One page of a shop's orders. */
export interface ShopWindow extends Pick<OrderWindow, "sinceMs" | "untilMs"> {
  readonly offset: number;
  readonly limit: number;
}

/**
 * A shop whose own process runs Holdfast: the methods that Holdfast needs. Any rejection counts as "try again later".
 */
export interface HostShop {
  /** Lower-case name of the shop's software, e.g. `vendure`. */
  readonly name: string;
  /** Distinguishes this shop from others of one installation of Holdfast. @default "shop" */
  readonly shopName?: string | undefined;
  /** Map the order in {@link ShopOrder.content}. Pure. If it throws, the order can't be read. */
  map(content: unknown): PlatformOrder;
  /** Null when there is no such order, or it isn't placed. */
  read(orderId: string): Promise<ShopOrder | null>;
  /** Placed orders by when they were placed, oldest first. */
  list(window: ShopWindow): Promise<readonly ShopOrder[]>;
  /** Write these marks to an order, and change nothing else. */
  mark(orderId: string, marks: Partial<ShopMarks>): Promise<void>;
  /** Cancel an order that hasn't shipped and, if asked to, give its money back. Idempotent. */
  cancel(orderId: string, how: EnforcementTarget["cancel"]): Promise<StepOutcome>;
  /** Capture the authorized money. Idempotent. */
  capture(orderId: string): Promise<StepOutcome>;
  /** How many other orders the customer of an order, or of a cart, has placed; null when that isn't known. */
  countOtherOrders(order: Pick<PlatformOrder, "orderId" | "customerId">): Promise<number | null>;
  /** The payment platform's IDs of every payment that was tried for an order, in {@link cardCodes}. Another payment's ID is an empty text. */
  listPayments?(orderId: string): Promise<readonly string[]>;
  /** The payment platform that can show a code to a card's holder. Needs `listPayments`. Default: none can. */
  readonly cardCodes?: CardCodes | undefined;
  /** Where staff look at an order; null when there is no such page. */
  adminUrl?(orderId: string): string | null;
}

/** The rule of an option that is a {@link HostShop}. */
export const SHOP_RULE = {
  is: ["map", "read", "list", "mark", "cancel", "capture", "countOtherOrders"],
  expected: "a shop with the functions of HostShop",
  isRequired: true,
} as const;

const NOT_FOUND: StepOutcome = { outcome: "impossible", reason: "order-not-found" };
const CANCELED: StepOutcome = { outcome: "moot", ended: "cancelled", reason: "already-cancelled" };
const SHIPPED: StepOutcome = { outcome: "impossible", ended: "shipped", reason: "already-fulfilled" };
const AS_IT_WAS: StepOutcome = { outcome: "done", detail: "as it was" };

/** Carry out one step of a decision in the shop. If it is repeated, it finds its work done. */
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

/** Steps that only write marks, also to an order that ended. */
const MARKING: ReadonlySet<EnforcementStep> = new Set(["assess", "tag", "untag"]);

/** The decision ends the hold that the check placed, unless it holds or cancels the order too. */
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

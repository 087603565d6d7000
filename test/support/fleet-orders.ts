import { toPayload } from "../../tools/demo/demo-orders.ts";
import type { AdminEmulator } from "../../tools/emulators/shopify/admin-emulator.ts";

/** The service's answer to an order, by its email address. */
export type OrderLevel = "low" | "medium" | "high";

/** An order of an emulated shop. */
export interface ShopOrder {
  readonly shop: string;
  readonly orderId: string;
  readonly level: OrderLevel;
  /** Its `orders/create` delivery. */
  readonly body: string;
}

/** What the platform shows for an order because of Holdfast, with counts, so that a repeat is visible. */
export interface ShownEffects {
  readonly tags: readonly string[];
  readonly holds: number;
  readonly cancellations: number;
  readonly assessments: readonly string[];
}

/** Past 2^53, as new shops have them. */
const FIRST_ID = 9_820_982_911_947_000_000n;
/** No canceled orders, because the default policy cancels twenty an hour and holds the others. */
const MIX: readonly OrderLevel[] = ["low", "medium", "high"];

const EFFECTS: Readonly<Record<OrderLevel, ShownEffects>> = {
  low: { tags: [], holds: 0, cancellations: 0, assessments: ["LOW"] },
  medium: { tags: ["holdfast-medium"], holds: 0, cancellations: 0, assessments: ["MEDIUM"] },
  high: { tags: ["holdfast-high"], holds: 1, cancellations: 0, assessments: ["HIGH"] },
};

/** Creates orders with ids that no other order of the test has, and puts them into the emulator. */
export type NewOrders = (shop: string, count: number) => readonly ShopOrder[];

/** Create {@link NewOrders}. */
export function createNewOrders(emulator: AdminEmulator): NewOrders {
  let made = 0;
  return (shop, count) =>
    Array.from({ length: count }, () => {
      const level = MIX[made % MIX.length] ?? "low";
      made += 1;
      const orderId = String(FIRST_ID + BigInt(made));
      const placedAt = new Date(emulator.shop(shop).nowMs).toISOString();
      const body = toPayload(
        {
          orderId,
          story: level,
          email: `${level}@risk.example`,
          amount: "49.90",
          payload: { created_at: placedAt, processed_at: placedAt, updated_at: placedAt },
          expected: {
            levels: [],
            actions: [],
            credits: 1,
            shown: { held: false, cancelled: false, tags: [] },
          },
        },
        made,
      );
      // A process whose clock is ahead looks for missed orders, and can find this one before its webhook arrives.
      emulator.shop(shop).addOrder({ orderId, routed: 1, payload: body });
      return { shop, orderId, level, body };
    });
}

/** What the platform shows of orders. */
export function toShown(emulator: AdminEmulator, orders: readonly ShopOrder[]): readonly ShownEffects[] {
  return orders.map(({ shop, orderId }) => {
    const { tags, fulfillmentOrders, cancellations, assessments } = emulator.shop(shop).order(orderId);
    return {
      tags,
      holds: fulfillmentOrders.flatMap(({ holds }) => holds).length,
      cancellations: cancellations.length,
      assessments: assessments.map(({ riskLevel }) => riskLevel),
    };
  });
}

/** What it has to show for them, each effect once. */
export function toExpectedEffects(orders: readonly ShopOrder[]): readonly ShownEffects[] {
  return orders.map(({ level }) => EFFECTS[level]);
}

import type { OrderDetail } from "./order.ts";

/** A stage of an order's way through Holdfast. */
export interface Stage {
  readonly id: "received" | "decided" | "settled";
  readonly label: string;
  /** When it was reached; null when it was not yet. */
  readonly at: string | null;
}

type StagedOrder = Pick<OrderDetail, "receivedAt" | "decidedAt" | "settledAt" | "state" | "timeline">;

const NOTHING = { receivedAt: null, decidedAt: null, settledAt: null, state: null, timeline: [] } as const;

/** How far an order has come. Null: nothing is known of it yet. One that is held is at its end until a person decides. */
export function toStages(order: StagedOrder | null): readonly Stage[] {
  const { receivedAt, decidedAt, settledAt, state, timeline } = order ?? NOTHING;
  const isHeld = state === "review";
  const heldAt = timeline.at(-1)?.at ?? null;
  return [
    { id: "received", label: "Received", at: receivedAt },
    { id: "decided", label: "Decided", at: decidedAt },
    { id: "settled", label: isHeld ? "Held for review" : "Settled", at: isHeld ? heldAt : settledAt },
  ];
}

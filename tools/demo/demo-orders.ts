import { toOrderPayload } from "../emulators/shopify/order-payload.ts";

/** One order of the demo: its content and the expected result. */
export interface DemoOrder {
  readonly orderId: string;
  readonly story: string;
  readonly email: string;
  readonly amount: string;
  /** Changes to the ordinary payload. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Fulfilment is routed only after the order arrived, as on the platform. */
  readonly routedLate?: boolean;
  readonly expected: {
    /** Correct levels; null for an order that has none. */
    readonly levels: readonly (string | null)[];
    readonly actions: readonly string[];
    readonly credits: number;
    readonly shown: { readonly held: boolean; readonly cancelled: boolean; readonly tags: readonly string[] };
  };
}

const ALONE = { held: false, cancelled: false, tags: [] };
/** With a configured service, an order that the local engine rates low has no level. */
const LOCAL_LEVELS = [null, "medium", "high", "critical"];

/** IDs past 2^53, as in new shops. A JavaScript number would lose digits. */
const FIRST_ID = 9_820_982_911_946_154_000n;

const STORIES: readonly Omit<DemoOrder, "orderId">[] = [
  {
    story: "ordinary order",
    email: "low@risk.example",
    amount: "59.90",
    expected: { levels: ["low"], actions: ["allow"], credits: 1, shown: ALONE },
  },
  {
    story: "worth a look",
    email: "medium@risk.example",
    amount: "129.00",
    expected: {
      levels: ["medium"],
      actions: ["tag"],
      credits: 1,
      shown: { ...ALONE, tags: ["holdfast-medium"] },
    },
  },
  {
    story: "risky, routed late",
    email: "high@risk.example",
    amount: "899.00",
    routedLate: true,
    expected: {
      levels: ["high"],
      actions: ["hold"],
      credits: 1,
      shown: { held: true, cancelled: false, tags: ["holdfast-high"] },
    },
  },
  {
    story: "fraud",
    email: "critical@risk.example",
    amount: "2400.00",
    expected: {
      levels: ["critical"],
      actions: ["cancel"],
      credits: 1,
      shown: { held: false, cancelled: true, tags: ["holdfast-critical"] },
    },
  },
  {
    story: "last score of medium",
    email: "score-60@risk.example",
    amount: "75.00",
    payload: { shipping_address: null },
    expected: {
      levels: ["medium"],
      actions: ["tag"],
      credits: 1,
      shown: { ...ALONE, tags: ["holdfast-medium"] },
    },
  },
  {
    story: "test order",
    email: "buyer@example.com",
    amount: "59.90",
    payload: { test: true },
    expected: { levels: LOCAL_LEVELS, actions: ["allow", "tag", "hold"], credits: 0, shown: ALONE },
  },
  {
    story: "free order",
    email: "low@risk.example",
    amount: "0.00",
    expected: { levels: [null], actions: ["allow"], credits: 0, shown: ALONE },
  },
  {
    story: "canceled in the shop",
    email: "critical@risk.example",
    amount: "310.00",
    payload: { cancelled_at: "2026-11-20T10:05:00Z", cancel_reason: "customer" },
    expected: { levels: [null], actions: ["allow"], credits: 0, shown: ALONE },
  },
];

/** The orders of the demo. */
export const DEMO_ORDERS: readonly DemoOrder[] = STORIES.map((story, index) => ({
  orderId: String(FIRST_ID + BigInt(index + 1)),
  ...story,
}));

/** The body of the order's `orders/create` delivery. */
export function toPayload({ orderId, email, amount, payload }: DemoOrder, number: number): string {
  const createdAt = "2026-11-20T10:00:00Z";
  return toOrderPayload({ orderId, number: 1000 + number, email, amount, createdAt, fields: payload });
}

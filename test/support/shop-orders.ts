import { toPayload } from "../../tools/demo/demo-orders.ts";

/** Ids past 2^53, as new shops have them. */
const FIRST_ID = 9_820_982_911_946_200_000n;
const UNSAID = {
  levels: [],
  actions: [],
  credits: 0,
  shown: { held: false, cancelled: false, tags: [] },
} as const;

/** An order of a test's shop and the body of its `orders/create` webhook. */
export interface ShopOrder {
  readonly orderId: string;
  readonly amount: number;
  readonly body: string;
}

/** The `number`-th order, counting from 1; the sandbox judges it by `email`. */
export function toShopOrder(
  number: number,
  {
    email,
    amount,
    payload = {},
  }: { email: string; amount: number; payload?: Readonly<Record<string, unknown>> },
): ShopOrder {
  const orderId = String(FIRST_ID + BigInt(number));
  const order = { orderId, story: "", email, amount: amount.toFixed(2), payload, expected: UNSAID };
  return { orderId, amount, body: toPayload(order, number) };
}

/** A webhook's body about an inquiry of a buyer's bank. */
export function toInquiry(orderId: string, changes: object = {}): string {
  const body = {
    id: Number(orderId.slice(-4)),
    type: "inquiry",
    amount: "59.90",
    currency: "USD",
    reason: "fraudulent",
    network_reason_code: "4837",
    status: "needs_response",
    evidence_due_by: null,
    evidence_sent_on: null,
    finalized_on: null,
    initiated_at: "2026-11-20T10:00:00Z",
    ...changes,
  };
  return `{"order_id":${orderId},${JSON.stringify(body).slice(1)}`;
}

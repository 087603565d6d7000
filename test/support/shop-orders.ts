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

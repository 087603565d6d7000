import { randomInt } from "node:crypto";
import { toOrderPayload } from "../emulators/shopify/order-payload.ts";
import { signDelivery } from "../emulators/shopify/sign-delivery.ts";

/** Where a delivery goes, and who signs it. */
export interface WebhookTarget {
  /** The address of the app's webhook, such as `http://127.0.0.1:3000/webhooks/shopify`. */
  readonly url: URL | string;
  /** The secret of the app, which Shopify signs with. */
  readonly secret: string;
  /** Such as `my-shop.myshopify.com`. */
  readonly shop: string;
}

/** An order to send. */
export interface NewShopifyOrder {
  /** Digits. @default a random one that is longer than a JavaScript number */
  readonly orderId?: string | undefined;
  /** In the sandbox, its name chooses the answer: `high@risk.example`. @default `low@risk.example` */
  readonly email?: string | undefined;
  /** In US dollars. @default "59.90" */
  readonly amount?: string | undefined;
  /** Fields of Shopify's order that replace the ordinary ones. @default none */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** @default "orders/create" */
  readonly topic?: string | undefined;
  /** Stays the same when Shopify delivers again. @default a new one */
  readonly webhookId?: string | undefined;
  /** Send exactly this, such as a recorded order. Its ID is read from it. @default made from the other options */
  readonly body?: string | undefined;
}

/** What was sent, and how it was answered. */
export interface SentShopifyOrder {
  readonly orderId: string;
  /** The body as it was sent. */
  readonly body: string;
  /** The HTTP status. Shopify delivers again unless it's 200 to 299. */
  readonly status: number;
}

/** Longer than 2^53, as the IDs of new shops are. */
const toOrderId = (): string => `98209${String(randomInt(1e14)).padStart(14, "0")}`;

/** The text of an ID, with all of its digits. */
function readId(body: string): string {
  const { admin_graphql_api_id: id } = JSON.parse(body) as { readonly admin_graphql_api_id?: string };
  const [, digits] = /^gid:\/\/shopify\/Order\/(\d+)$/.exec(id ?? "") ?? [];
  if (digits === undefined) throw new TypeError("an order's body needs its admin_graphql_api_id");
  return digits;
}

/** An order and its body, with what isn't given. */
export function completeOrder(order: NewShopifyOrder): { readonly orderId: string; readonly body: string } {
  const { orderId = toOrderId(), email = "low@risk.example", amount = "59.90", fields } = order;
  if (order.body !== undefined) return { orderId: readId(order.body), body: order.body };
  const createdAt = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const number = 1_000 + randomInt(1e6);
  return { orderId, body: toOrderPayload({ orderId, number, email, amount, createdAt, fields }) };
}

/**
 * Send an order's webhook, signed as Shopify signs it, to any app.
 *
 * @throws {TypeError} if nothing answers at that address.
 */
export async function sendShopifyOrder(
  { url, secret, shop }: WebhookTarget,
  order: NewShopifyOrder = {},
): Promise<SentShopifyOrder> {
  const { topic = "orders/create", webhookId } = order;
  const { orderId, body } = completeOrder(order);
  const delivery = { shop, topic, body, ...(webhookId === undefined ? {} : { webhookId }) };
  const { headers } = signDelivery(secret, delivery);
  const response = await fetch(url, { method: "POST", headers: { ...headers }, body });
  await response.arrayBuffer();
  return { orderId, body, status: response.status };
}

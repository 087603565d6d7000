import { z } from "zod";
import { PERSON_ACTS } from "../../../order/decision.ts";
import { REVIEW_OBSTACLES } from "../../../store/orders/reviews.ts";
import type { OrderRecord } from "../../../store/store.ts";

/** What an action on an order does, or why it isn't possible. */
export const actionEffectJson = z.object({
  code: z.enum([
    "releases",
    "records-approval",
    "cancels",
    "cancels-sandbox",
    "records-decline",
    "handles",
    "rechecks",
    "rechecks-locally",
    "decides-again",
    "already",
    "impossible",
  ]),
  obstacle: z.enum(REVIEW_OBSTACLES).nullable().describe("of `impossible`"),
  first: z.enum(PERSON_ACTS).nullable().describe("another person's decision that stands in the way"),
  held: z.boolean().describe("of `releases`: whether Holdfast holds the order"),
  tags: z.array(z.string()).describe("of `releases`: the tags that are removed"),
  refunds: z.boolean(),
  restocks: z.boolean(),
  notifies: z.boolean().describe("whether the customer is told"),
});

export type ActionEffect = z.infer<typeof actionEffectJson>;

export const NO_EFFECT: ActionEffect = {
  code: "already",
  obstacle: null,
  first: null,
  held: false,
  tags: [],
  refunds: false,
  restocks: false,
  notifies: false,
};

type Affected = Pick<OrderRecord, "platform" | "amount" | "currency">;
type Doing = Exclude<ActionEffect["code"], "already" | "impossible">;

const SENTENCES: Readonly<Record<Doing, (effect: ActionEffect, order: Affected) => string>> = {
  releases: sayRelease,
  "records-approval": () => "Records that the order is good. It has shipped already.",
  cancels: sayCancel,
  "cancels-sandbox": () => "Cancels the sandbox order. No money moves, and nothing changes on the platform.",
  "records-decline": () =>
    "Records your decision, and cancels and refunds nothing: the order has shipped. Refund it on the platform.",
  handles: () =>
    "Takes the order, which has shipped, out of the queue. Reports don't count it as approved or declined.",
  rechecks: () => "Uses 1 credit and decides again.",
  "rechecks-locally": () => "Checks again with the local engine and decides again. Uses no credits.",
  "decides-again": () =>
    "Decides again. Uses no credits, since this order isn't sent to the verification service.",
};

/** What a possible action does, in a sentence or two. */
export function sayEffect(effect: ActionEffect, order: Affected): string {
  return SENTENCES[effect.code as Doing](effect, order);
}

function sayRelease({ held, tags }: ActionEffect, { platform }: Affected): string {
  const done = [
    ...(held ? ["releases Holdfast's hold"] : []),
    ...(tags.length > 0 ? [`removes ${tags.join(", ")}`] : []),
  ];
  const first = done.length === 0 ? `changes nothing on ${toCapital(platform)}` : done.join(" and ");
  return `${toCapital(first)}. The order can ship.`;
}

function sayCancel({ refunds, restocks, notifies }: ActionEffect, order: Affected): string {
  const money = toMoney(order.amount, order.currency);
  const refund = money === null ? "refunds it" : `refunds ${money}`;
  const done = [
    `Cancels the order on ${toCapital(order.platform)}`,
    refunds ? refund : "doesn't refund",
    restocks ? "restocks" : "doesn't restock",
  ];
  return `${done.join(", ")}${notifies ? " and notifies the customer" : ""}. You can't undo this after it takes effect.`;
}

/** An amount in its currency's format, e.g. `1,128.00 USD`; null if there is none. */
function toMoney(amount: number | null, currency: string | null): string | null {
  if (amount === null || currency === null || !/^[A-Za-z]{3}$/.test(currency)) return null;
  const { maximumFractionDigits: usual = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
  }).resolvedOptions();
  // People leave out the fillér and the sen, but an amount that has them isn't rounded.
  const places = usual === 0 && !Number.isInteger(amount) ? 2 : usual;
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places };
  return `${amount.toLocaleString("en", digits)} ${currency.toUpperCase()}`;
}

function toCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

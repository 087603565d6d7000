import { isEmailAddress } from "../alerts/alert-config.ts";
import { isStop, toMachineDecision } from "../order/decision.ts";
import { toKnownNow } from "../platform/platform.ts";
import type { Recipient } from "../store/buyer-checks/buyer-check.ts";
import { isPaidByCard, toPlacedAtMs, type EarlierOrder } from "../store/buyer-checks/earlier-orders.ts";
import type { KeptAddress } from "../store/buyer-checks/kept-addresses.ts";
import type { OrderTrace } from "../store/outcomes/outcomes.ts";
import type { OrderRecord, Store } from "../store/store.ts";
import { html } from "./html.ts";
import type { BuyerMethod, Judgement, Offer } from "./method.ts";

/**
 * How old an order must be for its address to count. A thief's own trial order, or an account that was taken over, is usually
 * found within a month: the card's holder sees it on the next statement and disputes it.
 */
export const EARLIER_MS = 30 * 86_400_000;

/** Endings after which an order says nothing good about its address. */
const BAD_ENDS: ReadonlySet<string> = new Set([
  "cancelled-on-platform",
  "cancel-done",
  "refunded",
  "hold-overridden",
]);

/**
 * Ask at an address that is older than the order. Who placed the order may know the customer's address, but doesn't read their
 * mail.
 */
export function createEarlierAddress(store: Pick<Store, "buyerChecks" | "outcomes">): BuyerMethod {
  return {
    name: "earlier-address",

    async offer({ order, policy, nowMs }): Promise<Offer> {
      const { tenant } = order;
      const withKept = policy.verify.keepAddresses;
      const earlier = await store.buyerChecks.listEarlier(order, { withKept });
      const old = earlier.filter((one) => isGood(one) && isOlder(one, order, nowMs));
      const ids = old.map(({ orderId }) => orderId);
      const traces = await store.outcomes.loadTraces(tenant, ids);
      const good = old.filter(({ orderId }) => hasEndedWell(traces.get(orderId)));
      const found = findRecipient(good);
      if (found !== undefined) return { possible: true, ...found };
      return { possible: false, reason: hasHistory(order) ? "no-earlier-address" : "no-earlier-order" };
    },

    form({ texts }, action) {
      return html`<form method="post" action="${action}">
        <h2>${texts["earlier-title"]}</h2>
        <p>${texts["earlier-text"]}</p>
        <p class="answers">
          <button name="answer" value="yes">${texts["earlier-yes"]}</button>
          <button name="answer" value="no" class="plain">${texts["earlier-no"]}</button>
        </p>
      </form>`;
    },

    async judge(_shown, { fields }): Promise<Judgement> {
      const answer = fields.get("answer");
      if (answer === "yes") return { outcome: "answered", answer: "right" };
      if (answer === "no") return { outcome: "answered", answer: "wrong" };
      return { outcome: "again", problem: "choose-one" };
    },
  };
}

/** Holdfast let it pass by itself, it's no test, and a card paid for it. */
function isGood({ decision, isPaid }: Pick<EarlierOrder, "decision" | "isPaid">): boolean {
  const { action, source } = toMachineDecision(decision);
  return isPaid && decision.confirmed === undefined && source !== "person" && !isStop(action);
}

function isOlder({ placedAtMs }: EarlierOrder, order: OrderRecord, nowMs: number): boolean {
  return placedAtMs <= Math.min(order.receivedAtMs, nowMs) - EARLIER_MS;
}

/** What of an order is kept for a later one, if the shop keeps addresses; null if its address will prove nothing. */
export function toKeptAddress({
  mapped,
  decision,
  receivedAtMs,
}: OrderRecord): (KeptAddress & { readonly placedAtMs: number }) | null {
  if (mapped === null || decision === null || !isGood({ decision, isPaid: isPaidByCard(mapped) }))
    return null;
  const { customerEmail, customerPhone: phone } = toKnownNow(mapped);
  const email = customerEmail !== undefined && isEmailAddress(customerEmail) ? customerEmail : undefined;
  return (email ?? phone) === undefined
    ? null
    : { email, phone, placedAtMs: toPlacedAtMs(mapped, receivedAtMs) };
}

function hasEndedWell(trace: OrderTrace | undefined): boolean {
  const { events = [], observed = null, disputes = [] } = trace ?? {};
  if (disputes.length > 0 || observed?.cancelled === true) return false;
  return events.every(
    ({ kind, event }) => !BAD_ENDS.has(kind) && !("ended" in event && event.ended === "cancelled"),
  );
}

/**
 * The address of the oldest order, because whoever takes over an account adds later orders to it. A message can't be sent to a phone
 * by Holdfast, so a mail address comes first. `isWeak`: no order with this address shares the card or the delivery address.
 */
function findRecipient(
  orders: readonly EarlierOrder[],
): { readonly recipient: Recipient; readonly isWeak: boolean } | undefined {
  const oldest = orders.toSorted((one, other) => one.placedAtMs - other.placedAtMs);
  for (const kind of ["email", "phone"] as const) {
    const found = oldest.find((order) => toAddress(order, kind) !== undefined);
    const address = found === undefined ? undefined : toAddress(found, kind);
    if (found === undefined || address === undefined) continue;
    const isWeak = !orders.some((one) => one.sharesDetail && toAddress(one, kind) === address);
    return { recipient: { kind, address, ofOrder: found.name }, isWeak };
  }
  return undefined;
}

function toAddress({ email, phone }: EarlierOrder, kind: Recipient["kind"]): string | undefined {
  if (kind === "phone") return phone;
  return email !== undefined && isEmailAddress(email) ? email : undefined;
}

/** Whether the platform says that the customer ordered before: then an address was erased, or counts for another reason. */
function hasHistory({ mapped }: OrderRecord): boolean {
  return mapped !== null && (toKnownNow(mapped).totalOrders ?? 0) > 0;
}

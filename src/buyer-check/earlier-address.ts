import { isEmailAddress } from "../alerts/alert-config.ts";
import { isStop, toMachineDecision } from "../order/decision.ts";
import { toTimestampMs } from "../order/timestamp.ts";
import { toKnownNow } from "../platform/platform.ts";
import type { Recipient } from "../store/buyer-checks/buyer-check.ts";
import type { EarlierOrder } from "../store/buyer-checks/earlier-orders.ts";
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

    async offer({ order, nowMs }): Promise<Offer> {
      const { tenant } = order;
      const earlier = await store.buyerChecks.listEarlier(order);
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
function isGood({ decision, mapped }: EarlierOrder): boolean {
  const { action, source } = toMachineDecision(decision);
  if (mapped.test || decision.confirmed !== undefined || source === "person" || isStop(action)) return false;
  return toKnownNow(mapped).paymentInfo !== undefined;
}

function isOlder({ mapped, receivedAtMs }: EarlierOrder, order: OrderRecord, nowMs: number): boolean {
  return toPlacedMs({ mapped, receivedAtMs }) <= Math.min(order.receivedAtMs, nowMs) - EARLIER_MS;
}

/** The earlier of two times, because an imported order arrived later than it was placed. */
function toPlacedMs({ mapped, receivedAtMs }: Pick<EarlierOrder, "mapped" | "receivedAtMs">): number {
  const placedAtMs = toTimestampMs(toKnownNow(mapped).orderTimestamp ?? "") ?? receivedAtMs;
  return Math.min(placedAtMs, receivedAtMs);
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
  const oldest = orders.toSorted((one, other) => toPlacedMs(one) - toPlacedMs(other));
  for (const kind of ["email", "phone"] as const) {
    const found = oldest.find((order) => toAddress(order, kind) !== undefined);
    const address = found === undefined ? undefined : toAddress(found, kind);
    if (found === undefined || address === undefined) continue;
    const isWeak = !orders.some((one) => one.sharesDetail && toAddress(one, kind) === address);
    return { recipient: { kind, address, ofOrder: found.name }, isWeak };
  }
  return undefined;
}

function toAddress({ mapped }: EarlierOrder, kind: Recipient["kind"]): string | undefined {
  const { customerEmail, customerPhone } = toKnownNow(mapped);
  if (kind === "phone") return customerPhone;
  return customerEmail !== undefined && isEmailAddress(customerEmail) ? customerEmail : undefined;
}

/** Whether the platform says that the customer ordered before: then an address was erased, or counts for another reason. */
function hasHistory({ mapped }: OrderRecord): boolean {
  return mapped !== null && (toKnownNow(mapped).totalOrders ?? 0) > 0;
}

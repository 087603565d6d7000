import { toIso } from "../../../base/iso-time.ts";
import type { Shipment, Shipping } from "../../../platform/evidence.ts";
import { toBankDay, type Statement } from "./statement.ts";

const BASE = { section: "delivery", source: "platform" } as const;

/** How the order was sent and delivered, parcel by parcel, and what wasn't sent, as the platform says. */
export function deliveryStatements(shipping: Shipping | null): readonly Statement[] {
  if (shipping === null) return [];
  return [
    ...shipping.shipments.flatMap((shipment, index) => ofParcel(shipment, toParcel(index, shipping))),
    ...sayUnsent(shipping),
  ];
}

/** One parcel isn't always the whole order. */
function toParcel(index: number, { shipments, hasMore }: Shipping): string {
  if (shipments.length === 1 && !hasMore) return "One parcel";
  return `Parcel ${index + 1} of ${hasMore ? "at least " : ""}${shipments.length}`;
}

function ofParcel(shipment: Shipment, parcel: string): readonly Statement[] {
  const { sentAtMs, deliveredAtMs } = shipment;
  const by = toCarrier(shipment);
  const say = (atMs: number | null, verb: string): readonly Statement[] =>
    atMs === null
      ? []
      : [{ ...BASE, at: toIso(atMs), text: `${parcel} was ${verb} on ${toBankDay(atMs)}${by}.` }];
  return [...say(sentAtMs, "sent"), ...say(deliveredAtMs, "delivered")];
}

function toCarrier({ carrier, trackingNumbers }: Shipment): string {
  const numbers = trackingNumbers.length === 0 ? "" : `, tracking number ${trackingNumbers.join(", ")}`;
  return carrier === null ? numbers : ` with ${carrier}${numbers}`;
}

function sayUnsent({ shipments, unsentUnits }: Shipping): readonly Statement[] {
  if (unsentUnits === null || shipments.length === 0) return [];
  const text =
    unsentUnits === 0
      ? "No item of the order is left to send."
      : `Not sent yet: ${unsentUnits} ${unsentUnits === 1 ? "item" : "items"} of the order.`;
  return [{ ...BASE, at: null, text }];
}

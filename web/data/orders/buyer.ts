import type { DataOf } from "../api/api-types.ts";
import { findPlace, toDistanceKm, type Place } from "./places.ts";

export type Buyer = DataOf<"GET /orders/:orderId/buyer">;
export type BuyerOrder = Buyer["orders"][number];

/** The order that the page is about. */
export function findAsked({ orders }: Buyer): BuyerOrder | undefined {
  return orders.find(({ links }) => links.length === 0);
}

/** What shares a buyer with the order, oldest first; `others` share only an address or a network. */
export function splitOrders({ orders }: Buyer) {
  return {
    own: orders.filter(({ sameBuyer }) => sameBuyer),
    others: orders.filter(({ sameBuyer }) => !sameBuyer),
  };
}

/** A country on the map, and how often each role of it occurs among the buyer's orders. */
export interface Spot extends Place {
  readonly country: string;
  readonly ships: number;
  readonly bills: number;
  readonly ips: number;
}

/** The countries of the buyer's orders. Those without a place on the map are left out. */
export function listSpots(orders: readonly BuyerOrder[]): readonly Spot[] {
  const spots = new Map<string, Spot>();
  const add = (country: string | undefined, role: "ships" | "bills" | "ips") => {
    const place = findPlace(country);
    if (country === undefined || place === undefined) return;
    const before = spots.get(country) ?? { ...place, country, ships: 0, bills: 0, ips: 0 };
    spots.set(country, { ...before, [role]: before[role] + 1 });
  };
  for (const { contents } of orders) {
    add(contents?.countries.shipping, "ships");
    add(contents?.countries.billing, "bills");
    add(contents?.countries.ip, "ips");
  }
  return [...spots.values()];
}

/** How far the buyer's network is from where an order goes, in kilometers; null if it isn't known or is the same country. */
export function toIpDistance({ contents }: Pick<BuyerOrder, "contents">): number | null {
  const { ip, shipping, billing } = contents?.countries ?? {};
  const target = shipping ?? billing;
  const [from, to] = [findPlace(ip), findPlace(target)];
  return from === undefined || to === undefined || ip === target ? null : toDistanceKm(from, to);
}

/** The earlier order that is compared first: the newest one before, or else the one after. */
export function findCompared(buyer: Buyer, wanted: string | undefined): BuyerOrder | undefined {
  const asked = findAsked(buyer);
  const { own } = splitOrders(buyer);
  const at = own.findIndex((one) => one === asked);
  const chosen = buyer.orders.find((one) => one.orderId === wanted && one !== asked);
  // They are in the order of time.
  return chosen ?? own[at - 1] ?? own[at + 1];
}

/** Values of an order, side by side with another's. */
export interface Compared {
  readonly field: CompareField;
  readonly values: readonly [string, string];
  readonly differs: boolean;
}

export const COMPARED = ["name", "email", "phone", "shipTo", "billTo", "card", "ip", "goods"] as const;
export type CompareField = (typeof COMPARED)[number];

/** Two orders, line by line. Lines that neither has are left out. */
export function compareTwo(one: BuyerOrder, other: BuyerOrder): readonly Compared[] {
  return COMPARED.map((field) => {
    const [a, b] = [toValue(one, field), toValue(other, field)];
    return { field, values: [a, b] as const, differs: a !== "" && b !== "" && fold(a) !== fold(b) };
  }).filter(({ values }) => values.some((value) => value !== ""));
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s,.-]+/g, " ")
    .trim();
}

function toValue({ contents }: BuyerOrder, field: CompareField): string {
  if (contents === null) return "";
  const { buyer, shippingAddress, billingAddress, card, ip, items } = contents;
  const toLine = (address: typeof shippingAddress) =>
    [address?.street, address?.postalCode, address?.city, address?.country].filter(Boolean).join(", ");
  const values: Readonly<Record<CompareField, string | undefined>> = {
    name: buyer.name,
    email: buyer.email,
    phone: buyer.phone,
    shipTo: toLine(shippingAddress),
    billTo: toLine(billingAddress),
    card: [card?.brand, card?.lastFourDigits && `•••• ${card.lastFourDigits}`].filter(Boolean).join(" "),
    ip: ip?.address,
    goods: items.map(({ name, quantity }) => `${quantity} × ${name}`).join(", "),
  };
  return values[field] ?? "";
}

import { z } from "zod";
import { toIso } from "../../../base/iso-time.ts";
import { foldAddress } from "../../../order/text.ts";
import { foldEmail } from "../../../order/email-address.ts";
import type { Dispute } from "../../../platform/platform.ts";
import type { KeptOrder } from "../../../store/outcomes/kept-orders.ts";
import { toBankDay, type Statement } from "./statement.ts";

/**
 * Visa's Compelling Evidence 3.0, for reason code 10.4 (other fraud, card absent) only: two earlier payments with the same
 * card, 120 to 364 days before the dispute, that nobody disputed or reported as fraud. At least two elements match in the
 * disputed order and both earlier ones, and one of these is the IP address or the device. Sources: docs/disputes.md.
 */
const VISA_CODES: ReadonlySet<string> = new Set(["10.4", "104"]);
const DAY_MS = 86_400_000;
const FIRST_DAY = 120;
const LAST_DAY = 364;
const NEEDED = 2;

/** What can match. Platforms share no device ID. */
const ELEMENTS = ["ip", "address", "account"] as const;
type Element = (typeof ELEMENTS)[number];

export const earlierOrdersJson = z.object({
  applies: z
    .enum(["yes", "no", "unknown"])
    .describe("whether the rule is for this dispute; unknown: the card network or its code isn't known"),
  keeping: z.boolean().describe("whether the shop keeps earlier orders for disputes"),
  from: z.iso.datetime().describe("earlier orders count from here"),
  until: z.iso.datetime(),
  orders: z
    .array(
      z.object({
        orderId: z.string(),
        name: z.string(),
        placedAt: z.iso.datetime(),
        amount: z.number().nullable(),
        currency: z.string().nullable(),
        items: z.array(z.string()).readonly(),
        matches: z
          .array(z.enum(ELEMENTS))
          .readonly()
          .describe("what both earlier orders share with this one"),
      }),
    )
    .readonly()
    .describe("two orders that fit the rule, as far as Holdfast knows; empty if it has no two"),
});
export type EarlierOrders = z.infer<typeof earlierOrdersJson>;

/** The facts of the disputed order that earlier ones are compared with. */
export interface Compared {
  readonly brand?: string | undefined;
  readonly ip?: string | undefined;
  readonly email?: string | undefined;
  readonly address?: string | undefined;
}

interface Asked {
  readonly dispute: Pick<Dispute, "networkCode" | "isFraud" | "initiatedAtMs">;
  readonly order: Compared;
  /** Undisputed orders with the same card. */
  readonly kept: readonly KeptOrder[];
  readonly keeping: boolean;
}

/** When earlier orders count, milliseconds since the epoch. */
export function toEarlierWindow(initiatedAtMs: number) {
  return {
    sinceMs: initiatedAtMs - (LAST_DAY + 1) * DAY_MS + 1,
    untilMs: initiatedAtMs - FIRST_DAY * DAY_MS + 1,
  };
}

/** Two earlier orders that fit the rule. Pure. */
export function findEarlierOrders({ dispute, order, kept, keeping }: Asked): EarlierOrders {
  const { sinceMs, untilMs } = toEarlierWindow(dispute.initiatedAtMs);
  const applies = isRuleFor(dispute, order.brand);
  const around = { applies, keeping, from: toIso(sinceMs), until: toIso(untilMs - 1) };
  if (applies === "no") return { ...around, orders: [] };
  const candidates = kept
    .filter(({ placedAtMs, isDisputed }) => !isDisputed && placedAtMs >= sinceMs && placedAtMs < untilMs)
    .toSorted((one, other) => other.placedAtMs - one.placedAtMs || (one.orderId < other.orderId ? -1 : 1))
    .map((one) => ({ one, matches: findMatches(order, one) }));
  const pair = findPair(candidates);
  return { ...around, orders: pair.map(toEarlierJson) };
}

function isRuleFor(dispute: Asked["dispute"], brand: string | undefined): EarlierOrders["applies"] {
  const isVisa = brand === undefined ? undefined : /visa/i.test(brand);
  if (!dispute.isFraud || isVisa === false) return "no";
  if (dispute.networkCode === undefined) return "unknown";
  if (!VISA_CODES.has(dispute.networkCode)) return "no";
  return "yes";
}

function findMatches(order: Compared, { content }: KeptOrder): readonly Element[] {
  const isSame = (fold: (text: string) => string, one?: string, other?: string): boolean =>
    one !== undefined && other !== undefined && fold(one) === fold(other) && fold(one) !== "";
  const same: Readonly<Record<Element, boolean>> = {
    ip: isSame((text) => text.toLowerCase(), order.ip, content.ip),
    address: isSame(foldAddress, order.address, content.address),
    account: isSame(foldEmail, order.email, content.email),
  };
  return ELEMENTS.filter((element) => same[element]);
}

interface Candidate {
  readonly one: KeptOrder;
  readonly matches: readonly Element[];
}

/** The same elements have to match in both, and the IP address is always among them, because there is no device. */
function findPair(candidates: readonly Candidate[]): readonly Candidate[] {
  const withIp = candidates.filter(({ matches }) => matches.includes("ip"));
  for (const needed of [["address", "account"], ["address"], ["account"]] as const) {
    const fitting = withIp.filter(({ matches }) => needed.every((element) => matches.includes(element)));
    if (fitting.length >= NEEDED)
      return fitting.slice(0, NEEDED).map(({ one }) => ({ one, matches: ["ip", ...needed] }));
  }
  return [];
}

function toEarlierJson({ one, matches }: Candidate): EarlierOrders["orders"][number] {
  const { orderId, placedAtMs, content } = one;
  const { name, amount, currency, items } = content;
  return { orderId, name, placedAt: toIso(placedAtMs), amount, currency, items, matches };
}

const ELEMENT_WORDS: Readonly<Record<Element, string>> = {
  ip: "IP address",
  address: "shipping address",
  account: "email address",
};

export function earlierStatements({ orders }: EarlierOrders): readonly Statement[] {
  return orders.map(({ name, placedAt, amount, currency, items, matches }) => {
    const price = amount === null ? "" : ` for ${amount} ${currency ?? ""}`.trimEnd();
    const goods = items.length === 0 ? "" : ` (${items.join(", ")})`;
    const same = matches.map((match) => ELEMENT_WORDS[match]).join(", ");
    const text = `Earlier order ${name} of ${toBankDay(Date.parse(placedAt))}${price}${goods}: no dispute is known. The same card, by its brand, last four digits, expiry and holder; the same ${same}.`;
    return { section: "earlier-orders", source: "holdfast", at: placedAt, text };
  });
}

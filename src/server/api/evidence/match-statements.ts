import type { z } from "zod";
import type { LinkKind } from "../../../order/link-kinds.ts";
import { foldAddress } from "../../../order/text.ts";
import type { LinkedOrder } from "../../../store/orders/linked-orders.ts";
import type { contentsJson } from "../orders/order-contents.ts";
import type { Statement } from "./statement.ts";

type Contents = z.infer<typeof contentsJson>;
type Address = NonNullable<Contents["shippingAddress"]>;

/** How the order's addresses, card and IP address fit together, and which other orders share them. */
export function matchStatements(contents: Contents, linked: readonly LinkedOrder[]): readonly Statement[] {
  const say = (text: string | null, source: Statement["source"] = "holdfast"): readonly Statement[] =>
    text === null ? [] : [{ section: "match", source, at: null, text }];
  const { avs, cvv } = contents.checks;
  return [
    ...say(compareAddresses(contents)),
    ...say(compareIp(contents)),
    ...say(avs === undefined ? null : `The bank's address check (AVS): ${avs}.`, "bank"),
    ...say(cvv === undefined ? null : `The bank's check of the security code (CVV): ${cvv}.`, "bank"),
    ...say(sayHistory(contents), "platform"),
    ...(["address", "card", "mailbox", "phone", "network"] as const).flatMap((kind) =>
      say(sayShared(kind, linked)),
    ),
  ];
}

const PARTS = ["street", "city", "postalCode", "country"] as const;

function isWhole(address: Address | undefined): address is Address {
  return address !== undefined && PARTS.every((part) => address[part] !== undefined);
}

/** Only if both are complete: a part that nobody gave can't be compared. */
function compareAddresses({ shippingAddress, billingAddress }: Contents): string | null {
  if (!isWhole(shippingAddress) || !isWhole(billingAddress)) return null;
  const isSame = PARTS.every(
    (part) => foldAddress(shippingAddress[part] ?? "") === foldAddress(billingAddress[part] ?? ""),
  );
  return isSame
    ? "The shipping address is the billing address."
    : "The shipping address differs from the billing address.";
}

function compareIp({ ip, countries }: Contents): string | null {
  if (ip === undefined) return null;
  const from = `The order was placed from the IP address ${ip.address}`;
  if (countries.ip === undefined) return `${from}.`;
  const known = (["billing", "shipping"] as const).filter((name) => countries[name] !== undefined);
  const [same, other] = [true, false].map((isSame) =>
    known.filter((name) => (countries[name] === countries.ip) === isSame),
  );
  return [
    `${from}, which is registered in the country ${countries.ip}.`,
    ...sayCountry("is", " and ", same),
    ...sayCountry("isn't", " or ", other),
  ].join(" ");
}

/** Nothing about addresses whose country isn't known. */
function sayCountry(verb: string, joiner: string, names: readonly string[] = []): readonly string[] {
  return names.length === 0 ? [] : [`That ${verb} the country of the ${names.join(joiner)} address.`];
}

function sayHistory({ buyer: { accountAgeInDays, earlierOrders } }: Contents): string | null {
  if (earlierOrders === undefined || earlierOrders === 0) return null;
  const age = accountAgeInDays === undefined ? "" : `, with an account that was ${accountAgeInDays} days old`;
  return `The buyer had placed ${earlierOrders} earlier ${earlierOrders === 1 ? "order" : "orders"}${age}.`;
}

const SHARED: Readonly<Record<LinkKind, string>> = {
  address: "the shipping address",
  card: "the card",
  mailbox: "the email address",
  phone: "the phone number",
  network: "the network of the IP address",
};

function sayShared(kind: LinkKind, linked: readonly LinkedOrder[]): string | null {
  const count = linked.filter(({ links }) => links.includes(kind)).length;
  if (count === 0) return null;
  // A list ends at a limit, so there can be more.
  return `At least ${count} other ${count === 1 ? "order of the shop shares" : "orders of the shop share"} ${SHARED[kind]} with this one.`;
}

import { toBankDay, toBankTime, type Statement } from "../statement.ts";
import type { EvidencePack } from "../evidence-pack.ts";

/** A part of the file, from top to bottom. */
export type Block =
  | { readonly kind: "title" | "heading" | "text" | "note"; readonly text: string }
  | { readonly kind: "item"; readonly text: string; readonly source: string }
  | { readonly kind: "facts"; readonly rows: readonly Fact[] };
type Fact = readonly [label: string, value: string];

export interface EvidencePage {
  readonly title: string;
  readonly shop: string;
  readonly madeAtMs: number;
  /** At the bottom of each page, before its number. */
  readonly foot: string;
  readonly blocks: readonly Block[];
}

/** More goods than this say no more about who bought them. */
const MOST_ITEMS = 30;

/**
 * What a bank's clerk reads, in the order in which they ask. Pure. It leaves out what only the shop needs: what is missing,
 * and where the shop finds it.
 */
export function toEvidencePage(pack: EvidencePack, shop: string, communication: string): EvidencePage {
  const { order, madeAt } = pack;
  const title = `Evidence about order ${order.name}`;
  const madeAtMs = Date.parse(madeAt);
  return {
    title,
    shop,
    madeAtMs,
    foot: `${shop} · Order ${order.name} · Made ${toBankTime(madeAtMs)}`,
    blocks: [
      { kind: "title", text: title },
      { kind: "facts", rows: toCase(pack, shop) },
      ...toSection("How the order was checked", pack, "decision"),
      ...toBuyer(pack),
      ...toSection("Delivery", pack, "delivery", "The shop has no record of a delivery."),
      ...toEarlier(pack),
      { kind: "heading", text: "Messages with the buyer" },
      communication.trim() === ""
        ? { kind: "note", text: "None are included in this file." }
        : { kind: "text", text: communication.trim() },
    ],
  };
}

function toCase({ order, dispute }: EvidencePack, shop: string): readonly Fact[] {
  const code = dispute.networkCode === null ? "" : `, network code ${dispute.networkCode}`;
  const placedAt = order.placedAt ?? order.receivedAt;
  return [
    ["Shop", shop],
    ["Order", order.name],
    [order.placedAt === null ? "Received" : "Placed", toBankTime(Date.parse(placedAt))],
    ...toFact("Amount", order.amount === null ? undefined : toAmount(order.amount, order.currency)),
    ["Dispute", dispute.disputeId],
    ["Reason", `${dispute.reason.replaceAll("_", " ")}${code}`],
    ["Raised", toBankTime(Date.parse(dispute.raisedAt))],
    ...toFact("Answer by", dispute.evidenceDueBy === null ? undefined : toTime(dispute.evidenceDueBy)),
  ];
}

/** Who bought, where it went, and how that fits together. */
function toBuyer(pack: EvidencePack): readonly Block[] {
  const statements = pick(pack, "match");
  const rows = pack.contents === null ? toKeptRows(pack.kept) : toContentRows(pack.contents);
  if (rows.length === 0 && statements.length === 0)
    return [
      ...toHeading("Buyer, addresses and device"),
      { kind: "note", text: "The shop has no record left." },
    ];
  return [
    ...toHeading("Buyer, addresses and device"),
    ...(rows.length === 0 ? [] : [{ kind: "facts", rows } as const]),
    ...statements,
    { kind: "note", text: "The shop's platform shares no device ID: the IP address stands for the device." },
  ];
}

function toContentRows(contents: NonNullable<EvidencePack["contents"]>): readonly Fact[] {
  const { buyer, recipient, shippingAddress, billingAddress, card, ip, items } = contents;
  return [
    ...toFact("Buyer", join([buyer.name, buyer.company])),
    ...toFact("Email address", buyer.email),
    ...toFact("Phone", buyer.phone),
    ...toFact("Shipped to", join([recipient, ...toParts(shippingAddress)])),
    ...toFact("Billing address", join(toParts(billingAddress))),
    ...toFact(
      "Card",
      join([card?.brand, card?.lastFourDigits && `ending in ${card.lastFourDigits}`, card?.holderName]),
    ),
    ...toFact("IP address", ip?.address),
    ...toFact("Goods", toGoods(items.map(({ name, quantity }) => `${quantity} × ${name}`))),
  ];
}

/** Their statements already name the address and the goods. */
function toKeptRows(kept: EvidencePack["kept"]): readonly Fact[] {
  return kept === null ? [] : [...toFact("Email address", kept.email), ...toFact("Card", kept.brand)];
}

type Address = NonNullable<NonNullable<EvidencePack["contents"]>["shippingAddress"]>;

function toParts(address: Address | undefined): readonly (string | undefined)[] {
  if (address === undefined) return [];
  const { street, postalCode, city, state, country } = address;
  return [street, postalCode, city, state, country];
}

function toGoods(items: readonly string[]): string | undefined {
  const rest = items.length - MOST_ITEMS;
  return join([...items.slice(0, MOST_ITEMS), rest > 0 ? `and ${rest} more` : undefined]);
}

const ELEMENT_WORDS = { ip: "IP address", address: "shipping address", account: "email address" } as const;

function toEarlier({ earlier }: EvidencePack): readonly Block[] {
  if (earlier.orders.length === 0) return [];
  return [
    ...toHeading("Two earlier orders of the same buyer (Visa Compelling Evidence 3.0)"),
    {
      kind: "text",
      text: "No dispute of these orders is known. They were paid with the same card, by its brand, last four digits, expiry and holder, 120 to 364 days before the dispute.",
    },
    ...earlier.orders.map(({ name, placedAt, amount, currency, items, matches }): Block => {
      const rows: Fact[] = [
        ["Order", name],
        ["Placed", toBankDay(Date.parse(placedAt))],
        ...toFact("Amount", amount === null ? undefined : toAmount(amount, currency)),
        ...toFact("Goods", toGoods(items)),
        ["The same in both", matches.map((match) => ELEMENT_WORDS[match]).join(", ")],
      ];
      return { kind: "facts", rows };
    }),
  ];
}

/** Where a statement comes from, as a bank's clerk understands it. */
const SOURCES: Readonly<Record<Statement["source"], string>> = {
  service: "the verification service",
  local: "the shop's fraud check",
  holdfast: "the shop's fraud check",
  person: "the shop's staff",
  platform: "the shop's platform",
  bank: "the buyer's bank",
};

function pick({ statements }: EvidencePack, section: Statement["section"]): readonly Block[] {
  return statements
    .filter((statement) => statement.section === section)
    .map(({ text, source }) => ({ kind: "item", text, source: `Source: ${SOURCES[source]}` }));
}

function toSection(
  heading: string,
  pack: EvidencePack,
  section: Statement["section"],
  without = "Nothing is recorded.",
): readonly Block[] {
  const found = pick(pack, section);
  return [
    ...toHeading(heading),
    ...(found.length === 0 ? [{ kind: "note", text: without } as const] : found),
  ];
}

const toHeading = (text: string): readonly Block[] => [{ kind: "heading", text }];
const toTime = (iso: string): string => toBankTime(Date.parse(iso));
const toFact = (label: string, value: string | undefined): readonly Fact[] =>
  value === undefined || value === "" ? [] : [[label, value]];
const join = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(", ");

/** `EUR 59.90`: a bank's clerk compares it with the payment. */
function toAmount(amount: number, currency: string | null): string {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency ?? ""}`.trimEnd();
  return new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "code" })
    .format(amount)
    .replace("\u00A0", " ");
}

import { EVIDENCE_FIELDS, type EvidenceDraft, type EvidenceField } from "../../../platform/evidence.ts";
import { cutText } from "../../../order/text.ts";
import type { EvidencePack } from "./evidence-pack.ts";
import { toBankTime, type Statement } from "./statement.ts";

/** Stripe, which Shopify Payments runs on, takes this many characters. Shopify publishes no limit. */
const LONGEST_TEXT = 20_000;
const LONGEST_NAME = 255;

/** What to fill into a platform's form. Pure. */
export function toEvidenceDraft(pack: EvidencePack, communication: string): EvidenceDraft {
  const { contents, kept, statements } = pack;
  const { firstName, lastName } = splitName(contents?.buyer.name);
  const fields = {
    firstName,
    lastName,
    email: contents?.buyer.email ?? kept?.email,
    shippingAddress: contents?.shippingAddress,
    accessLog: toAccessLog(pack),
    statement: toStatementText(statements, communication),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A name's last word is the last name. People correct it in the form if it isn't. */
function splitName(name: string | undefined) {
  const words = name?.trim().split(/\s+/) ?? [];
  const last = words.pop();
  if (last === undefined || last === "") return { firstName: undefined, lastName: undefined };
  if (words.length === 0) return { firstName: undefined, lastName: cutText(last, LONGEST_NAME) };
  return { firstName: cutText(words.join(" "), LONGEST_NAME), lastName: cutText(last, LONGEST_NAME) };
}

function toAccessLog({ order, contents, kept }: EvidencePack): string | undefined {
  const ip = contents?.ip?.address ?? kept?.ip;
  if (ip === undefined) return undefined;
  const at = toBankTime(Date.parse(order.placedAt ?? order.receivedAt));
  return `${at}: order ${order.name} ${order.placedAt === null ? "received, " : ""}placed from the IP address ${ip}.`;
}

const HEADINGS: Readonly<Record<Statement["section"], string>> = {
  decision: "How the order was checked",
  match: "How the order's details match",
  delivery: "Delivery",
  "earlier-orders": "Earlier orders with the same card",
};

function toStatementText(statements: readonly Statement[], communication: string): string | undefined {
  const sections = [...Map.groupBy(statements, ({ section }) => section)].map(([section, own]) =>
    [HEADINGS[section], ...own.map(({ text }) => `- ${text}`)].join("\n"),
  );
  const given = communication.trim() === "" ? [] : [`Communication with the buyer\n${communication.trim()}`];
  const all = [...sections, ...given];
  return all.length === 0 ? undefined : cutText(all.join("\n\n"), LONGEST_TEXT);
}

/** A draft's fields as text, as they will be sent. */
export function toDraftTexts(
  draft: EvidenceDraft,
): readonly { readonly field: EvidenceField; readonly text: string }[] {
  return EVIDENCE_FIELDS.flatMap((field) => {
    const value = draft[field];
    if (value === undefined) return [];
    const text = typeof value === "string" ? value : Object.values(value).filter(Boolean).join(", ");
    return [{ field, text }];
  });
}

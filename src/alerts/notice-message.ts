import { createHash } from "node:crypto";
import type { NoticeEvent } from "../base/notices.ts";
import { splitReason, type ReasonCode } from "../order/reasons.ts";
import type { OrderRecord } from "../store/store.ts";
import type { Language } from "../texts/languages.ts";
import { createSay, findKey, type Say } from "../texts/say.ts";
import type { AlertMessage } from "./alert-message.ts";
import type { Notice } from "./notice-event.ts";

/** Notices of one event that go to people as one. */
export interface NoticeNews {
  readonly event: NoticeEvent;
  /** Whose shop it is about. */
  readonly tenant: string;
  /** The first of them. */
  readonly notice: Notice;
  readonly count: number;
  /** The first one's order, if it is still stored. */
  readonly order: Pick<OrderRecord, "orderId" | "name" | "amount" | "currency"> | null;
  /** Identifies the news, also in another process. */
  readonly id: string;
  readonly atMs: number;
}

/** What a page gets to show. */
export function toPageContent({ event, notice, count, order }: NoticeNews) {
  const { reason } = notice;
  if (order === null || count > 1) return { event, reason, count };
  const { orderId, amount, currency } = order;
  return { event, reason, count, orderId, name: toPlainName(order.name), amount, currency };
}

/** A message to one person. Nothing in it is about the buyer. */
export function toNoticeMessage(
  news: NoticeNews,
  actor: string,
  consoleUrl: string | null,
  language: Language,
): AlertMessage {
  const { event, tenant, notice, count, atMs } = news;
  const say = createSay(language);
  const order = count > 1 ? null : news.order;
  const link = toLink(consoleUrl, order === null ? "queue" : `orders/${encodeURIComponent(order.orderId)}`);
  const shop = toShop(tenant);
  const headline = `[Holdfast] ${toHeadline(news, say)}`;
  const amount = toAmount(order, language);
  const about = [
    amount === null ? [] : say("amount", { amount }),
    shop === null ? [] : say("shop", { shop }),
  ].flat();
  const lines = [count > 1 ? [] : toReason(notice, say), about.join(" · "), link ?? []].flat();
  return {
    id: toId(news.id, tenant, actor),
    subject: headline,
    text: [headline, ...lines.filter((line) => line !== "")].join("\n"),
    fields: {
      event: `notice.${event}`,
      reason: notice.reason,
      count,
      shop: shop ?? undefined,
      ...toOrderFields(order),
      link: link ?? undefined,
      time: new Date(atMs).toISOString(),
    },
  };
}

function toOrderFields(order: NoticeNews["order"]): AlertMessage["fields"] {
  if (order === null) return {};
  const { orderId, name, amount, currency } = order;
  return { orderId, order: toPlainName(name), amount: amount ?? undefined, currency: currency ?? undefined };
}

/** What the button "Send a test" sends. */
export function toTestMessage(tenant: string, id: string, atMs: number, language: Language): AlertMessage {
  const shop = toShop(tenant);
  const say = createSay(language);
  const text = `[Holdfast] ${say("test")}`;
  return {
    id,
    subject: `[Holdfast] ${say("test-subject")}`,
    text: shop === null ? text : `${text}\n${say("shop", { shop })}`,
    fields: { event: "notice.test", shop: shop ?? undefined, time: new Date(atMs).toISOString() },
  };
}

/** Shows that an address is the person's own. Nothing in it is the person's choice: it may go to a stranger. */
export function toCodeMessage(code: string, id: string, atMs: number, language: Language): AlertMessage {
  const say = createSay(language);
  const lines = [`[Holdfast] ${say("code", { code })}`, say("code-enter"), say("code-ignore")];
  return {
    id,
    subject: `[Holdfast] ${say("code-subject")}`,
    text: lines.join("\n"),
    fields: { event: "notice.code", time: new Date(atMs).toISOString() },
  };
}

function toHeadline({ event, notice, count, order }: NoticeNews, say: Say): string {
  if (count > 1) return event === "service" ? say("service-many") : say(`${event}-many`, { count });
  if (event === "service") return say("service-one");
  const name = order === null ? "" : toPlainName(order.name);
  const key = notice.reason === "mentioned" ? "mentioned-one" : (`${event}-one` as const);
  return say(key, { name, known: name === "" ? "no" : "yes" });
}

/** Why it happened. Names of rules stay here: people write them. */
function toReason({ event, reason }: Notice, say: Say): string | readonly string[] {
  if (event !== "held") {
    const key = findKey("reason", reason);
    return key === undefined ? [] : say(key);
  }
  const { code, detail: level } = splitReason(reason);
  if (code === "level") return say("held-level", { level });
  const key = HELD_CODES.find((one) => one === code);
  return key === undefined ? [] : say(`held-${key}`);
}

/** The reasons that hold an order, in addition to its level. */
const HELD_CODES = [
  "rule",
  "blocked",
  "degraded",
  "unavailable",
  "unchecked",
  "too-little-known",
  "burst",
  "held-to-check",
  "hold-released",
  "hold-kept",
  "policy-changed",
  "local-never-cancels",
  "no-policy-saved",
  "opted-out",
  "skipped",
] as const satisfies readonly ReasonCode[];

/** Names come from the shop. Nothing in them may end a header, mention a channel or look like an address. */
function toPlainName(name: string): string {
  return name
    .replaceAll(/[^\p{L}\p{N}#._/ -]/gu, "")
    .trim()
    .slice(0, 64);
}

/** The platform's name for a shop; null for a shop without a platform. */
export function toShop(tenant: string): string | null {
  const colon = tenant.indexOf(":");
  return colon === -1 ? null : tenant.slice(colon + 1);
}

function toAmount(order: NoticeNews["order"], language: Language): string | null {
  if (order?.amount == null || order.currency === null) return null;
  const { amount, currency } = order;
  if (!/^[A-Z]{3}$/.test(currency)) return null;
  const written = amount.toLocaleString(language, { style: "currency", currency, currencyDisplay: "code" });
  // Some mail programs show a space that doesn't break as another sign.
  return written.replaceAll(/[\u00A0\u202F]/g, " ");
}

/** Keeps the query, which says to a platform whose shop it is. */
function toLink(consoleUrl: string | null, path: string): string | null {
  if (consoleUrl === null || !URL.canParse(consoleUrl)) return null;
  return new URL(`/${path}${new URL(consoleUrl).search}`, consoleUrl).href;
}

function toId(id: string, tenant: string, actor: string): string {
  return createHash("sha256").update(`${id}\0${tenant}\0${actor}`).digest("hex").slice(0, 32);
}

import { listensHidden, onNotice } from "../api/changes.ts";
import { getSession, isEmbedded } from "../api/session.ts";
import { formatMoney } from "../base/format.ts";
import { t } from "../base/texts.ts";
import { createValue } from "../base/value.ts";
import { explainReason } from "../orders/event-words.ts";
import { navigate } from "./route.ts";
import type { NoticeEvent } from "../settings/notices.ts";

/**
 * Whether the browser shows notifications of this page. `embedded`: not in a platform's frame. `unsupported`: on phones, only
 * apps that are installed have them.
 */
export type PagePermission = NotificationPermission | "embedded" | "unsupported";

export const pagePermission = createValue<PagePermission>(readPermission());

function readPermission(): PagePermission {
  if (isEmbedded) return "embedded";
  return typeof Notification === "function" ? Notification.permission : "unsupported";
}

function notePermission(permission: PagePermission): PagePermission {
  pagePermission.set(permission);
  listensHidden.set(permission === "granted");
  return permission;
}

/** Ask the person. Browsers only do that after a click. */
export async function askForPermission(): Promise<PagePermission> {
  if (pagePermission.get() === "default") await Notification.requestPermission();
  return notePermission(readPermission());
}

/** A notice as the server sends it. */
interface PageNotice {
  readonly id: number;
  readonly event: NoticeEvent;
  readonly reason: string;
  readonly count: number;
  readonly orderId?: string;
  readonly name?: string;
  readonly amount?: number | null;
  readonly currency?: string | null;
}

function toTitle({ event, count, name, reason }: PageNotice): string {
  const values = { count, name: name ?? getSession()?.shop ?? "Holdfast" };
  if (event === "assigned" && count === 1 && reason === "mentioned")
    return t("notices.title-mentioned", values);
  return t(`notices.title-${event}`, values);
}

function toBody({ event, reason, count, amount, currency }: PageNotice): string {
  const why = event === "held" && count === 1 ? explainReason(reason) : "";
  const money = amount == null || currency == null ? "" : formatMoney(amount, currency);
  return [why, money, getSession()?.shop ?? ""].filter((part) => part !== "").join(" · ");
}

function show(title: string, options: NotificationOptions, onClick?: () => void): void {
  try {
    const shown = new Notification(title, { icon: "/assets/favicon.svg", ...options });
    shown.addEventListener("click", () => {
      focus();
      onClick?.();
      shown.close();
    });
  } catch {
    // A phone's browser has the name, and refuses to show any.
    notePermission("unsupported");
  }
}

/** Show a notification now, to try it out. */
export function showTestNotice(): void {
  show(t("notices.title-test"), { body: t("notices.test-arrived") });
}

/** Show notices as notifications of the browser, if the person allowed it. */
export function startPageNotices(): void {
  notePermission(readPermission());
  onNotice((received) => {
    if (pagePermission.get() !== "granted") return;
    const notice = received as PageNotice;
    const { id, orderId = null } = notice;
    // The same tag in each tab of the shop, so that it's shown once.
    const options = { tag: `holdfast-${getSession()?.shopKey ?? ""}-${id}`, body: toBody(notice) };
    show(toTitle(notice), options, () =>
      navigate(orderId === null ? { view: "queue" } : { view: "orders", id: orderId }),
    );
  });
}

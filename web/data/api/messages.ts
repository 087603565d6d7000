import { createValue } from "../base/value.ts";
import { explain } from "./api.ts";

/** Where a person can act on a message. */
export type ToastLink = { readonly label: string; readonly href: string };

export type Toast = {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  readonly link: ToastLink | undefined;
};

export const toasts = createValue<readonly Toast[]>([]);
/** What screen readers announce. */
export const spoken = createValue<string>("");
let last = 0;

const SHOWN_AT_MOST = 4;

/** Show a short message for a while, and have it read out. */
export function showToast(text: string, tone: "good" | "bad" = "good", link?: ToastLink): void {
  last += 1;
  toasts.set([...toasts.get(), { id: last, text, isBad: tone === "bad", link }].slice(-SHOWN_AT_MOST));
}

export function showFailure(error: unknown): void {
  showToast(explain(error), "bad");
}

/** Have screen readers announce something that is already visible: "12 orders shown". */
export function announce(text: string): void {
  // The same text again wouldn't be a change, so it wouldn't be read out.
  spoken.set(spoken.get() === text ? `${text}\u00A0` : text);
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id));
}

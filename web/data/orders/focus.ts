/** What gets the focus when an order opens. */
export type OrderFocus = "heading" | "note";

let wanted: OrderFocus | null = null;

/** Give the focus to the next order that opens, because somebody asked for that order. */
export function wantOrderFocus(focus: OrderFocus = "heading"): void {
  wanted = focus;
}

/** The element of the opening order that gets the focus. Read once. */
export function takeOrderFocus(): OrderFocus | null {
  const was = wanted;
  wanted = null;
  return was;
}

export function toRowId(orderId: string): string {
  return `order-${orderId}`;
}

/** Scroll an order's row into sight in a list beside the order. */
export function showRow(orderId: string): void {
  const pane = document.getElementById(toRowId(orderId))?.closest(".list-pane");
  // On a narrow screen, the list is hidden behind the order.
  if (pane === null || pane === undefined || pane.clientHeight === 0) return;
  document.getElementById(toRowId(orderId))?.scrollIntoView({ block: "nearest" });
}

/** Put the focus on an order's row, and show it. False if no such row is visible. */
export function focusRow(orderId: string): boolean {
  const link = document.getElementById(toRowId(orderId))?.querySelector("a");
  if (link === null || link === undefined || link.offsetParent === null) return false;
  link.focus();
  link.closest("tr")?.scrollIntoView({ block: "nearest" });
  return true;
}

/** Put the focus on an order's row, or else on the heading, once a dialog or an order in front of the list is gone. */
export function focusRowLater(orderId: string | undefined): void {
  requestAnimationFrame(() => {
    if (orderId === undefined || !focusRow(orderId)) document.querySelector("h1")?.focus();
  });
}

export function findFocusedOrder(): string | null {
  const row = document.activeElement?.closest("[data-order]");
  return row instanceof HTMLElement ? (row.dataset["order"] ?? null) : null;
}

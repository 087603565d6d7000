/** What the platform adds to an order after it arrived. */
export const DETAIL_PARTS = ["payment", "history"] as const;
type DetailPart = (typeof DETAIL_PARTS)[number];

/**
 * Why the platform hasn't provided it. `not-granted`: the app may not read it. `throttled`: the platform limits how much
 * is read. `unavailable`: it couldn't be reached, or left it out. `not-yet`: it doesn't have it yet. `refused`: it
 * answered with something unusable.
 */
export const UNREAD_CAUSES = ["not-granted", "throttled", "unavailable", "not-yet", "refused"] as const;
export type UnreadCause = (typeof UNREAD_CAUSES)[number];

export type UnreadDetail = Readonly<Partial<Record<DetailPart, UnreadCause>>>;

const CAUSES: Readonly<Record<string, UnreadDetail>> = {
  PAYMENT_NOT_GRANTED: { payment: "not-granted" },
  HISTORY_NOT_GRANTED: { history: "not-granted" },
  PLATFORM_THROTTLED: { payment: "throttled", history: "throttled" },
  PLATFORM_UNAVAILABLE: { payment: "unavailable", history: "unavailable" },
  PLATFORM_UNAUTHORIZED: { payment: "unavailable", history: "unavailable" },
  DETAIL_INCOMPLETE: { payment: "unavailable", history: "unavailable" },
  PLATFORM_REFUSED: { payment: "refused", history: "refused" },
  DETAIL_UNUSABLE: { payment: "refused", history: "refused" },
  ORDER_NOT_FOUND: { payment: "refused", history: "refused" },
};

/** What an order still lacks of the platform's detail, and why, by the codes of what was read. Pure. */
export function toUnreadDetail(
  limitations: readonly string[],
  { awaitsPayment, has }: { readonly awaitsPayment: boolean; readonly has: (part: DetailPart) => boolean },
): UnreadDetail {
  const found: UnreadDetail = Object.assign(
    awaitsPayment ? { payment: "not-yet" } : {},
    ...limitations.map((code) => CAUSES[code] ?? {}),
  );
  return Object.fromEntries(Object.entries(found).filter(([part]) => !has(part as DetailPart)));
}

const PASSING: ReadonlySet<UnreadCause | undefined> = new Set<UnreadCause>(["throttled", "unavailable"]);

/** Whether a later look may find it. A payment that isn't there yet is looked for once, and with each news. */
export function mayCome({ payment, history }: UnreadDetail): boolean {
  return payment === "not-yet" || PASSING.has(payment) || PASSING.has(history);
}

export function isPassing({ payment, history }: UnreadDetail): boolean {
  return PASSING.has(payment) || PASSING.has(history);
}

/** What a person can do about an order. */
export const ACTS = ["approve", "decline", "recheck"] as const;
/** One of {@link ACTS}. */
export type Act = (typeof ACTS)[number];

/** Words around each act. */
export const ACT_WORDS = {
  approve: {
    choice: "Approve: the order can ship",
    verb: "Approve",
    button: "Approve order",
    done: "approved",
  },
  decline: {
    choice: "Decline: cancel the order",
    verb: "Decline",
    button: "Cancel order as fraud",
    done: "declined",
  },
  recheck: {
    choice: "Check again",
    verb: "Check again",
    button: "Check again",
    done: "sent for another check",
  },
} as const;

/** How the extensions call the app. */
export type Ask = (path: string, init: RequestInit) => Promise<Response>;

/** The part of the API's order that the extensions show. */
export interface CheckedOrder {
  readonly name: string;
  /** Changes with the order's visible state. */
  readonly version: string;
  readonly state: string;
  readonly riskLevel: "low" | "medium" | "high" | "critical" | null;
  readonly riskScore: number | null;
  readonly action: "allow" | "tag" | "hold" | "cancel" | null;
  readonly degraded: boolean;
  readonly decidedBy: string | null;
  readonly skipReason: string | null;
  /** False: decided in shadow mode, and nothing was changed. */
  readonly enforced: boolean | null;
  readonly factors: readonly {
    readonly factor: string;
    readonly severity: "low" | "medium" | "high" | "critical";
    readonly description: string;
  }[];
  /** What this person can do, and its consequences. */
  readonly actions: Readonly<Record<Act, { readonly possible: boolean; readonly consequence: string }>>;
}

/** What the block shows. */
export type LoadedOrder =
  | { readonly status: "loading" }
  /** Holdfast doesn't have the order: it is older than the app, or its webhook is on the way. */
  | { readonly status: "unknown" }
  | { readonly status: "failed" }
  | { readonly status: "known"; readonly order: CheckedOrder };

/** How long an answer may take. The admin's page waits for nobody, but a spinner should end. */
const TIMEOUT_MS = 10_000;

/** The order's id in Holdfast: the digits of its global id; null if it has none. */
export function toOrderId(globalId: string | undefined): string | null {
  return /^gid:\/\/shopify\/Order\/([1-9]\d*)$/.exec(globalId ?? "")?.[1] ?? null;
}

/** Ask the app about an order. The admin adds the session token, and resolves the path against the app's address. */
export async function loadOrder(orderId: string | null, ask: Ask = fetch): Promise<LoadedOrder> {
  if (orderId === null) return { status: "unknown" };
  try {
    const response = await ask(`/api/orders/${orderId}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 404) return { status: "unknown" };
    if (!response.ok) return { status: "failed" };
    return { status: "known", order: (await response.json()) as CheckedOrder };
  } catch {
    return { status: "failed" };
  }
}

const ACTIONS = {
  allow: "Allowed",
  tag: "Tagged",
  hold: "Held for review",
  cancel: "Canceled as fraud",
} as const;

/** The decision in one line, for a merchant. */
export function describeDecision(order: CheckedOrder): string {
  if (order.action === null) return order.skipReason === null ? "Checking" : "Not checked";
  const done = ACTIONS[order.action];
  const notes = [
    ...(order.decidedBy === null ? [] : ["by a person"]),
    ...(order.degraded ? ["without the service"] : []),
    ...(order.enforced === false ? ["shadow mode: no changes made"] : []),
  ];
  return notes.length === 0 ? done : `${done} (${notes.join(", ")})`;
}

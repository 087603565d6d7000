/** How risky an order is. */
export type RiskLevel = "low" | "medium" | "high" | "critical";
/** What Holdfast does with an order. */
export type Action = "allow" | "tag" | "hold" | "cancel";
/** Where an order stands. */
export type OrderState =
  | "received"
  | "screening"
  | "decided"
  | "enforcing"
  | "waiting"
  | "settled"
  | "review"
  | "failed";
/** Who checked an order. */
export type Source = "service" | "cache" | "local" | "policy" | "person";

/** An order as lists show it (`GET /api/orders`). */
export interface OrderRow {
  readonly orderId: string;
  readonly name: string;
  readonly receivedAt: string;
  readonly state: OrderState;
  readonly riskLevel: RiskLevel | null;
  readonly riskScore: number | null;
  readonly action: Action | null;
  readonly source: Source | null;
  readonly degraded: boolean;
  readonly skipReason: string | null;
  /** Why the configured service did not check it. */
  readonly unchecked: string | null;
  readonly creditsSpent: number;
  readonly holdDeadline: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly why: readonly string[];
  readonly decidedBy: string | null;
  /** What a person has decided and can still be undone. */
  readonly pendingDecision: PendingDecision | null;
}

/** What a person decides about an order. */
export type Decided = "approve" | "decline";

/** A saved decision that hasn't taken effect yet. */
export interface PendingDecision {
  readonly verdict: Decided;
  /** `person:ID`. */
  readonly by: string;
  readonly at: string;
  /** When it is carried out. */
  readonly effectiveAt: string;
}

/** A page of orders. */
export interface OrderPage {
  readonly orders: readonly OrderRow[];
  readonly nextCursor: string | null;
}

/** What a person may do with an order. */
export type Act = Decided | "recheck";

/** A sign of risk. */
export interface Factor {
  readonly factor: string;
  readonly category: string;
  readonly severity: string;
  readonly description: string;
}

/** Something that happened to an order. */
export interface TimelineEntry {
  readonly at: string;
  readonly kind: string;
  readonly detail: string;
  readonly actor: string;
  /** What a person wrote. */
  readonly note?: string | null;
}

/** A value of a changed field. */
export type ChangedValue = string | number | null;

/** An order alone (`GET /api/orders/:id`). */
export interface OrderDetail extends OrderRow {
  readonly decidedAt: string | null;
  readonly settledAt: string | null;
  readonly problem: string | null;
  readonly enforced: boolean | null;
  readonly tags: readonly string[];
  readonly reasons: readonly string[];
  readonly policyVersion: number | null;
  readonly factors: readonly Factor[];
  readonly reasoning: string | null;
  readonly recommendations: readonly string[];
  readonly timeline: readonly TimelineEntry[];
  /** A person's decision that waits for the current work to end. */
  readonly pending: { readonly act: Act; readonly actor: string; readonly at: string } | null;
  readonly steps: readonly {
    readonly step: string;
    readonly state: string;
    readonly detail: string;
    readonly at: string;
  }[];
  readonly changes: readonly {
    readonly at: string;
    readonly material: boolean;
    readonly fields: readonly {
      readonly path: string;
      readonly before: ChangedValue;
      readonly after: ChangedValue;
    }[];
  }[];
  readonly actions: Readonly<Record<Act, { readonly possible: boolean; readonly consequence: string }>>;
  readonly sent: readonly { readonly path: string; readonly value: unknown }[] | null;
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
  readonly calls: readonly {
    readonly at: string;
    readonly state: string;
    /** Whether it counts as a credit. */
    readonly metered: "yes" | "no" | "unknown" | null;
    readonly error: string | null;
  }[];
  readonly version: string;
}

/** What the platform says of an order now (`GET /api/orders/:id/platform`). */
export interface PlatformOrder {
  readonly observedAt: string;
  readonly cancelled: boolean;
  readonly fulfilled: boolean;
  readonly partlyFulfilled: boolean;
  readonly tags: readonly string[];
  readonly holds: number;
  readonly assessment: string | null;
  readonly platformRisk: "accept" | "investigate" | "cancel" | null;
  readonly adminUrl: string | null;
}

import type { Decision } from "../../src/order/decision.ts";
import type { ObservedOrder } from "../../src/platform/platform.ts";
import type { Found, Situation } from "../../src/pipeline/order-life/situation.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import type { BuyerCheck } from "../../src/store/buyer-checks/buyer-check.ts";
import type { KeptDispute } from "../../src/store/outcomes/disputes.ts";
import type {
  OrderRecord,
  OrderRevision,
  OrderState,
  PendingReview,
  StepRecord,
} from "../../src/store/store.ts";
import { decision, mapped, T0, TENANT } from "../store/samples.ts";

export const HOUR_MS = 3_600_000;

export const RECEIVED: OrderRecord = {
  tenant: TENANT,
  orderId: "1",
  platform: "shopify",
  name: "#1",
  customerId: null,
  receivedAtMs: T0 - HOUR_MS,
  state: "received",
  dueAtMs: T0,
  attempts: 0,
  enriched: true,
  mapped: mapped(),
  amount: 19.99,
  currency: "USD",
  effects: "live",
  fingerprint: null,
  result: null,
  facts: null,
  decision: null,
  decidedAtMs: null,
  settledAtMs: null,
  skipReason: null,
  problem: null,
  problems: [],
  holdDeadlineMs: null,
  creditsSpent: 0,
  asOfMs: null,
  revisedAtMs: null,
  revision: null,
  rereadAtMs: null,
  review: null,
};

export const DECIDED_AT_MS = T0 - HOUR_MS / 2;

export interface Changes extends Partial<Omit<Situation, "order" | "policy" | "found">> {
  readonly order?: Partial<OrderRecord>;
  readonly policy?: object;
  readonly found?: Found;
}

export function situation({ order, policy = {}, found = {}, ...changes }: Changes): Situation {
  return {
    order: { ...RECEIVED, ...order },
    steps: [],
    policy: parsePolicy({ mode: "active", ...policy }),
    policyVersion: 1,
    disputes: [],
    buyerChecks: [],
    hasPlatform: true,
    nowMs: T0,
    found,
    ...changes,
  };
}

/** An order with a decision. */
export function decided(state: OrderState, changes: Partial<Decision> = {}): Partial<OrderRecord> {
  return { state, decision: decision(changes), decidedAtMs: DECIDED_AT_MS };
}

export const REVIEW: PendingReview = { act: "decline", actor: "person:1", atMs: T0 - 1, answersSinceMs: 0 };
export const CHANGED: OrderRevision = {
  mapped: mapped("other@shop.example"),
  amount: 30,
  currency: "USD",
  enriched: true,
  rescreen: true,
  attempts: 0,
  sinceMs: T0,
};
export const GUESS = {
  degraded: true,
  source: "local",
  riskLevel: null,
  unchecked: "VERIFICATION_TIMEOUT",
} as const;
export const CANCEL = { action: "cancel", riskLevel: "critical" } as const;
export const HELD: ObservedOrder = {
  cancelled: false,
  fulfilled: false,
  partlyFulfilled: false,
  holdable: false,
  tags: [],
  holds: [{ holdId: "h", reference: "f" }],
  assessment: "HIGH",
  platformRisk: null,
};
export const RELEASED: ObservedOrder = { ...HELD, holds: [] };
export const OVERDUE = { holdDeadlineMs: T0 - 1 };
export const INQUIRY: KeptDispute = {
  orderId: "1",
  disputeId: "d",
  kind: "inquiry",
  status: "open",
  reason: "fraudulent",
  isFraud: true,
  initiatedAtMs: T0 - 10,
  seenAtMs: T0 - 10,
};

/** The order's buyer was asked about it as it is. */
export const CHECK: BuyerCheck = {
  tenant: TENANT,
  orderId: "1",
  checkId: "0".repeat(32),
  tokenDigest: "digest",
  decidedAtMs: DECIDED_AT_MS,
  effect: "release",
  isStrong: true,
  methods: { "earlier-address": true, "card-code": "not-configured", evidence: "not-configured" },
  route: "email",
  recipient: { kind: "email", address: "jane@shop.example", ofOrder: "#0" },
  askedAtMs: DECIDED_AT_MS + 2,
  expiresAtMs: T0 + HOUR_MS,
  kept: {},
  sendAtMs: null,
  sends: 1,
  retryAtMs: null,
  retries: 0,
  sentAtMs: DECIDED_AT_MS + 3,
  problem: null,
  tries: 0,
  answer: null,
  revokedAtMs: null,
};

export function step(name: StepRecord["step"], changes: Partial<StepRecord> = {}): StepRecord {
  return { step: name, state: "done", detail: "", memory: {}, atMs: DECIDED_AT_MS + 1, ...changes };
}

export const WARNED = step("hold", { notes: { warned: "yes" } });
export const BEFORE = step("hold", { atMs: DECIDED_AT_MS - 1 });
export const POSTPONED = { retryAtMs: T0 + 60_000, problem: "VERIFICATION_UNREACHABLE" } as const;

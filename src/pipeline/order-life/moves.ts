import type { BuyerCheckMethod, RightAnswer } from "../../order/buyer-check.ts";
import type { EnforcementStep, HoldRelease } from "../../platform/enforcement-step.ts";
import type { MappedOrder, ObservedOrder } from "../../platform/platform.ts";
import type { BuyerCheck } from "../../store/buyer-checks/buyer-check.ts";
import type { PendingReview, StepRecord } from "../../store/store.ts";
import type { ChangedOrder } from "./changed-order.ts";
import type { HoldEnd, Stay } from "./hold-look.ts";
import type { Found, Pass, Situation, WaitingStep } from "./situation.ts";
import type { Superseding } from "./supersede.ts";

/** What happens next to a claimed order. */
export type Move =
  /** Give the order back until then; null: for good. `tries`: its new number of tries. */
  | { readonly kind: "wait"; readonly untilMs: number | null; readonly tries?: number }
  /** Give the order back: it needs a person. */
  | { readonly kind: "fail"; readonly problem: string }
  | { readonly kind: "apply-review"; readonly review: PendingReview }
  | { readonly kind: "check-for-person"; readonly review: PendingReview }
  | { readonly kind: "hold-to-check"; readonly placed: StepRecord | undefined }
  | { readonly kind: "take-up-change"; readonly order: ChangedOrder }
  | { readonly kind: "read-detail"; readonly mapped: MappedOrder }
  | { readonly kind: "read-changed-detail"; readonly order: ChangedOrder }
  | { readonly kind: "refresh-context"; readonly seenMs: number }
  | { readonly kind: "keep-news"; readonly news: NonNullable<Found["news"]>; readonly rest: Rest | null }
  | { readonly kind: "drop-change"; readonly order: ChangedOrder }
  | { readonly kind: "decide-changed"; readonly order: ChangedOrder }
  | {
      readonly kind: "postpone-change";
      readonly order: ChangedOrder;
      readonly postponed: NonNullable<Found["postponed"]>;
      readonly isAtRest: boolean;
    }
  | { readonly kind: "decide"; readonly mapped: MappedOrder }
  | { readonly kind: "look-at-hold" }
  | { readonly kind: "end-hold"; readonly finding: HoldEnd }
  | { readonly kind: "learn-who-released" }
  | { readonly kind: "stay-hidden" }
  | { readonly kind: "ask-late"; readonly mapped: MappedOrder }
  | { readonly kind: "follow-app-release"; readonly release: HoldRelease }
  | { readonly kind: "take-buyer-answer"; readonly method: BuyerCheckMethod; readonly effect: RightAnswer }
  | { readonly kind: "ask-buyer"; readonly effect: RightAnswer }
  | { readonly kind: "send-buyer-link"; readonly check: BuyerCheck }
  | { readonly kind: "retry-buyer-methods"; readonly check: BuyerCheck }
  | { readonly kind: "check-for-news" }
  | { readonly kind: "cancel-at-deadline" }
  | { readonly kind: "release-at-deadline" }
  | { readonly kind: "keep-hold"; readonly observed: ObservedOrder; readonly stay: Stay }
  | { readonly kind: "hold-for-inquiry"; readonly held: Superseding }
  | { readonly kind: "ask-who-released"; readonly hold: StepRecord }
  | { readonly kind: "hold-instead"; readonly cause: "hold-released" | "policy-changed" }
  | { readonly kind: "judge-cancel-again" }
  | { readonly kind: "look-at-waiting-hold"; readonly hold: StepRecord; readonly pass: Pass }
  | { readonly kind: "apply-step"; readonly step: EnforcementStep; readonly pass: Pass }
  | { readonly kind: "wait-for-steps"; readonly waits: Pass["waits"] }
  | { readonly kind: "come-to-rest"; readonly wasBegun: boolean; readonly partial: WaitingStep | undefined };

/** Until when an order is given back; null: for good. */
export interface Rest {
  readonly untilMs: number | null;
}

/** One situation in the life of an order. */
export interface Turn {
  readonly move: Move["kind"];
  /** The situation, in words. */
  readonly when: string;
  /** What Holdfast does in it, and what that leads to. */
  readonly does: string;
  /** The move, if this is the situation. */
  readonly find: (situation: Situation) => Move | null;
}

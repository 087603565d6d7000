/**
 * One step to carry out on the platform. `release` and `untag` undo what `hold` and `tag` did; `capture` captures the
 * authorized payment.
 */
export const ENFORCEMENT_STEPS = ["assess", "tag", "hold", "cancel", "release", "untag", "capture"] as const;
/** One of {@link ENFORCEMENT_STEPS}. */
export type EnforcementStep = (typeof ENFORCEMENT_STEPS)[number];

/**
 * How an order ended on the platform. `shipped`: so much of it has shipped, or is about to, that the step comes too
 * late.
 */
export const ORDER_ENDS = ["cancelled", "shipped"] as const;
/** One of {@link ORDER_ENDS}. */
export type OrderEnd = (typeof ORDER_ENDS)[number];

/**
 * Why some goods of an order can ship although the others are on hold. `hidden`: the platform doesn't show them to
 * Holdfast. `recalling`: a fulfillment service was asked to give them back and hasn't answered. `refused`: it won't.
 * `open`: they can't be put on hold yet.
 */
export const HOLD_GAPS = ["hidden", "recalling", "refused", "open"] as const;
/** One of {@link HOLD_GAPS}. */
export type HoldGap = (typeof HOLD_GAPS)[number];

/**
 * Who released our hold on the platform. `app`: a workflow or another app, which isn't a verdict about the order. `unknown`:
 * the platform doesn't say.
 */
export const HOLD_RELEASERS = ["person", "app", "unknown"] as const;
/** One of {@link HOLD_RELEASERS}. */
export type HoldReleaser = (typeof HOLD_RELEASERS)[number];

/** A release of our hold that Holdfast didn't ask for. */
export interface HoldRelease {
  readonly by: HoldReleaser;
  /** The app's name, for people. Absent if it isn't known, or no app released it. */
  readonly app?: string | undefined;
}

/**
 * How a step ended. Steps are idempotent: a repeat finds its work done.
 *
 * `reason` and `detail` are for people and contain no personal data. No code branches on them: `outcome`, `gap`, `begun`
 * and `ended` have everything that Holdfast acts on.
 */
export type StepOutcome =
  /** Done on the platform. `memory`: for a repeat of the step, for example when Holdfast checks a held order again. */
  | {
      readonly outcome: "done";
      readonly detail: string;
      readonly memory?: Readonly<Record<string, string>>;
    }
  /** Only for a hold: some goods are on hold, and others can still ship. Try again, as after `wait`. */
  | {
      readonly outcome: "partial";
      readonly gap: HoldGap;
      readonly detail: string;
      readonly retryAtMs: number;
      readonly memory?: Readonly<Record<string, string>>;
    }
  /** Can't be done yet. Try again at `retryAtMs` or later, or when the platform says the order is ready. */
  | {
      readonly outcome: "wait";
      readonly reason: string;
      readonly retryAtMs: number;
      /**
       * Only for a cancel: the platform has started it, and it can't be stopped. From then on, Holdfast only asks for
       * its result, even after answers without this field. Before that, Holdfast checks again whether the order should
       * still be canceled.
       *
       * @default false
       */
      readonly begun?: true | undefined;
      readonly memory?: Readonly<Record<string, string>>;
    }
  /** Will never work on this order (refused, or the order has ended); a person must know. */
  | { readonly outcome: "impossible"; readonly reason: string; readonly ended?: OrderEnd }
  /** Nothing to do, and nothing is wrong. `ended`: because the order has ended on the platform. */
  | { readonly outcome: "moot"; readonly reason: string; readonly ended?: OrderEnd };

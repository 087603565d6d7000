import type { RecheckLimit } from "../tenants/quotas.ts";
import type {
  OrderKey,
  OrderRecord,
  OrderTransition,
  PersonDecision,
  StepRecord,
  TimelineEntry,
} from "./order-record.ts";

/** The longest time in which an approval or a refusal can be undone, in milliseconds. */
export const MAX_UNDO_MS = 60_000;

/** What an order is like at the moment a person's word comes in. */
export interface OrderSituation {
  readonly order: OrderRecord;
  readonly steps: readonly StepRecord[];
  readonly timeline: readonly Pick<TimelineEntry, "kind" | "event">[];
}

/** What a person's word comes to, by what the order is like. */
export type PersonRuling =
  /** It takes effect with this. */
  | { readonly outcome: "decided"; readonly transition: Pick<OrderTransition, "changes" | "entries"> }
  /** The order's worker has to carry it out. */
  | { readonly outcome: "asked" }
  /** Nothing to do: the order is already as asked. */
  | { readonly outcome: "already" }
  /** `detail` is for the person, in one sentence. `first`: somebody has decided before them, and what. */
  | { readonly outcome: "impossible"; readonly detail: string; readonly first?: PersonDecision }
  /** The order is not what the person has seen. */
  | { readonly outcome: "changed" };

/** A press of a button. */
export interface PersonRequest extends PersonDecision {
  /** May hold personal data: sealed, and erased with the order's content. */
  readonly note: string | null;
  /** Keep it until this moment, so that it can be undone. Default: it takes effect at once. Not for a recheck. */
  readonly effectiveAtMs?: number | undefined;
}

/** What became of a {@link PersonRequest}. */
export type PersonResult =
  /** It is in force, and the order due. The record is the order as it is now. */
  | { readonly outcome: "decided"; readonly order: OrderRecord }
  /** It is kept, and taken up by the order's worker: at once, or as soon as the work under way has ended. */
  | { readonly outcome: "queued" }
  | Extract<PersonRuling, { readonly outcome: "already" | "impossible" | "changed" }>
  /** The order, or the tenant's orders together, were checked again as often as may be: see `RECHECK_QUOTA`. */
  | ({ readonly outcome: "limited" } & RecheckLimit)
  /** A note cannot be kept: the order's content was erased. */
  | { readonly outcome: "erased" }
  | { readonly outcome: "unknown" };

/** A person's note, as an entry of the timeline. */
export type NoteEntry = TimelineEntry & { readonly note: string };

/** Judges an order that rests: what another decision about it writes; null for nothing. Pure: it may be called again. */
export type RestJudge = (standing: OrderSituation) => Pick<OrderTransition, "changes" | "entries"> | null;

/** How the store keeps what people say about orders. */
export interface PersonDecisionStore {
  /**
   * Take in a person's word on an order, in one transaction with what the order is like at that moment: of two people
   * who decide at once the second is judged by what the first has decided. Where a worker holds the order, neither its
   * work nor the person's word is lost: the word is kept, and the order due again as soon as it is released.
   *
   * @param judge - What the word comes to. Pure: it may be called again.
   */
  decideByPerson(
    key: OrderKey,
    press: PersonRequest,
    judge: (standing: OrderSituation) => PersonRuling,
  ): Promise<PersonResult>;
  /**
   * Take back an approval or a refusal that no worker has taken up yet; the order goes on as if it had never been
   * pressed. `none`: there is nothing to take back, or not any more.
   */
  undoVerdict(
    key: OrderKey,
    by: Pick<PersonDecision, "actor" | "atMs">,
  ): Promise<"undone" | "none" | "unknown">;
  /** Let an approval or a refusal of `actor` that can still be undone take effect now; `false` when there is none. */
  hastenVerdict(key: OrderKey, by: Pick<PersonDecision, "actor" | "atMs">): Promise<boolean>;
  /**
   * Let another decision take the place of the order's, in one transaction with what the order is like at that moment.
   * `busy`, changing nothing: a worker has it, or a person's word waits to be taken up.
   */
  decideAtRest(
    key: OrderKey,
    nowMs: number,
    judge: RestJudge,
  ): Promise<"decided" | "unchanged" | "busy" | "unknown">;
  /** Keep a note on an order. `erased`, keeping nothing: its content was erased, and a note would outlive it. */
  noteOrder(key: OrderKey, entry: NoteEntry): Promise<"noted" | "erased" | "unknown">;
}

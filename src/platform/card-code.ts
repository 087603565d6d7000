import type { UnofferedReason } from "../order/buyer-check.ts";

/** Why no code can be shown to the holder of the card that paid. */
export type NoCardCode = Extract<
  UnofferedReason,
  "platform-cannot" | "no-payment" | "not-a-card" | "several-cards" | "card-not-saved" | "not-configured"
>;

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface NotPossible {
  readonly outcome: "not-possible";
  readonly reason: NoCardCode;
}

/**
 * A payment platform that shows a code to whoever sees a card's statement: in the text of a small amount, which is authorized,
 * never captured, and canceled in the end. The order's own payment isn't touched. Any rejection counts as "try again later".
 */
export interface CardCodes {
  /**
   * Whether a code can be shown. Changes nothing.
   *
   * @param payments The payment platform's IDs of every payment that was tried for the order. If more than one card was used, it
   * isn't possible: a thief could first try their own.
   */
  find(
    payments: readonly string[],
    options?: CallOptions,
  ): Promise<{ readonly outcome: "possible" } | NotPossible>;
  /** Prepare the amount and its text. The bank doesn't hear of it yet, so what is prepared and then forgotten does no harm. */
  prepare(
    payments: readonly string[],
    code: string,
    options?: CallOptions,
  ): Promise<{ readonly outcome: "prepared"; readonly reference: string } | NotPossible>;
  /** Authorize what was prepared: once for each reference, however often this is called. */
  show(reference: string, options?: CallOptions): Promise<{ readonly outcome: "shown" } | NotPossible>;
  /** Give the amount back, whatever state it's in. Idempotent. */
  end(reference: string, options?: CallOptions): Promise<void>;
}

import { isHoldfastError, type HoldfastError } from "../errors.ts";
import { makeAttempt, type AttemptOptions } from "./attempt.ts";
import { pause, type Slots } from "./flight.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import type { Inquiry, Screened, Spending } from "./question.ts";
import { toUnavailable } from "./unavailable.ts";

/** Parts of {@link ask}. */
export interface AskOptions extends AttemptOptions {
  /** Bound the calls under way at once. */
  readonly slots: Slots;
  readonly answers: KeptAnswers;
}

/** Tries of one question before its callers are told, about a second apart. */
const TRIES = 3;
const RETRY_AFTER_MS = 1_000;
/** Another process is asking: look again this often. */
const BUSY_POLL_MS = 100;

/**
 * Attempt until there is an answer, of whoever got it, or no attempt is worth making.
 *
 * @throws {HoldfastError} the reason of `closing` as soon as that is aborted and no call is under way.
 */
export async function ask(options: AskOptions, inquiry: Inquiry, spending: Spending): Promise<Screened> {
  const { slots, answers, now, closing } = options;
  const { fingerprint } = inquiry;
  const mark = answers.mark();
  for (let tries = 1; ;) {
    const attempted = await slots.run((leave) => makeAttempt(options, inquiry, spending, leave), closing);
    switch (attempted.kind) {
      case "busy":
        await pause(BUSY_POLL_MS, closing);
        break;
      case "refused":
        return toUnavailable(attempted.error, spending.credits, fingerprint);
      case "failed":
        if (tries >= TRIES || !mayAskAgain(attempted.error))
          return toUnavailable(attempted.error, spending.credits, fingerprint);
        tries += 1;
        await pause(RETRY_AFTER_MS, closing);
        break;
      case "kept":
      case "answered": {
        const answer =
          attempted.kind === "kept" ? attempted.answer : { result: attempted.result, answeredAtMs: now() };
        answers.remember(inquiry, answer, mark);
        const source = attempted.kind === "kept" ? "cache" : "service";
        return {
          outcome: "answered",
          result: answer.result,
          source,
          creditsSpent: spending.credits,
          fingerprint,
        };
      }
    }
  }
}

/** Worth another try within the same question; a pause or an open circuit is for the caller to wait out. */
function mayAskAgain(error: HoldfastError): boolean {
  return error.retryable && !isHoldfastError(error, "VERIFICATION_RATE_LIMITED", "VERIFICATION_NO_CREDITS");
}

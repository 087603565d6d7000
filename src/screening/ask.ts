import { isHoldfastError, type HoldfastError } from "../errors.ts";
import { makeAttempt, type Attempted, type AttemptOptions } from "./attempt.ts";
import { pause, type Slots } from "./flight.ts";
import type { KeyTrust } from "./key-trust.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import type { Inquiry, Screened, Spending } from "./question.ts";
import { toUnavailable } from "./unavailable.ts";

/** Parts of {@link ask}. */
export interface AskOptions extends AttemptOptions {
  /** Bound the calls under way at once. */
  readonly slots: Slots;
  readonly answers: KeptAnswers;
  readonly trust: KeyTrust;
}

/** Tries of one question before its callers are told, about a second apart. */
const TRIES = 3;
const RETRY_AFTER_MS = 1_000;
/** Few calls are left and they go out one by one: so long, and so often, a question waits for its turn by itself. */
const LONGEST_TURN_MS = 1_000;
const TURNS = 5;
/** Another process is asking: look again this often. */
const BUSY_POLL_MS = 100;

/**
 * Attempt until there is an answer, of whoever got it, or no attempt is worth making.
 *
 * @throws {HoldfastError} the reason of `closing` as soon as that is aborted and no call is under way.
 */
export async function ask(options: AskOptions, inquiry: Inquiry, spending: Spending): Promise<Screened> {
  const { answers, now, closing } = options;
  const { fingerprint } = inquiry;
  const mark = answers.mark();
  let turns = 0;
  for (let tries = 1; ;) {
    const attempted = await attempt(options, inquiry, spending);
    switch (attempted.kind) {
      case "busy":
        await pause(BUSY_POLL_MS, closing);
        break;
      case "refused": {
        const turnMs = toTurnMs(attempted.error, turns, now());
        if (turnMs === undefined) return toUnavailable(attempted.error, spending.credits, fingerprint);
        turns += 1;
        await pause(turnMs, closing);
        break;
      }
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

async function attempt(options: AskOptions, inquiry: Inquiry, spending: Spending): Promise<Attempted> {
  const { slots, trust, closing } = options;
  const { access, tenant } = inquiry.question;
  const leaveTrust = await trust.enter({ keyId: access.keyId, tenant }, closing);
  let proven = false;
  try {
    const attempted = await slots.run(
      inquiry.question.tenant,
      (leave) => makeAttempt(options, inquiry, spending, leave),
      closing,
    );
    proven = isProof(attempted);
    return attempted;
  } finally {
    leaveTrust(proven);
  }
}

/** Whether the service looked at the order, so that the key works and has credits. */
function isProof(attempted: Attempted): boolean {
  if (attempted.kind === "failed") return attempted.error.code === "VERIFICATION_REFUSED";
  return attempted.kind === "answered";
}

/** How long until it is this question's turn, when calls are spread out; undefined when that is not worth waiting for. */
function toTurnMs({ code, retryAtMs }: HoldfastError, turns: number, nowMs: number): number | undefined {
  if (code !== "VERIFICATION_RATE_LIMITED" || retryAtMs === undefined || turns >= TURNS) return undefined;
  const turnMs = Math.max(retryAtMs - nowMs, 1);
  return turnMs <= LONGEST_TURN_MS ? turnMs : undefined;
}

/** Worth another try within the same question; a pause or an open circuit is for the caller to wait out. */
function mayAskAgain(error: HoldfastError): boolean {
  return error.retryable && !isHoldfastError(error, "VERIFICATION_RATE_LIMITED", "VERIFICATION_NO_CREDITS");
}

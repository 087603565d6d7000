import { HoldfastError } from "../errors.ts";
import { fingerprintOrder } from "../order/fingerprint.ts";
import type { VerificationRequest } from "../order/request.ts";
import type { TenantId } from "../pipeline/platform.ts";
import type { Keyring } from "../store/keyring.ts";
import type { ScreeningStore } from "../store/store.ts";
import { ask } from "./ask.ts";
import type { AttemptObserver, AttemptOptions } from "./attempt.ts";
import { createSlots, withinDeadline } from "./flight.ts";
import { createKeptAnswers } from "./kept-answers.ts";
import type { Inquiry, Question, Screened } from "./question.ts";
import { createSavings, type SavingReason } from "./savings.ts";
import { createSharedFlights } from "./shared-flights.ts";
import { toUnavailable } from "./unavailable.ts";

/** What happened to credits, for metrics. */
export interface ScreeningObserver extends AttemptObserver {
  /** A call did not have to be made. */
  saved(reason: SavingReason): void;
}

/** Parts of {@link createScreening}. */
export interface ScreeningOptions extends AttemptOptions {
  readonly store: ScreeningStore & { readonly keyring: Keyring };
  /** Calls under way at once. */
  readonly maxInFlight: number;
  readonly observer?: ScreeningObserver | undefined;
}

/** Asks the service once per order state, across callers, processes and crashes. */
export interface Screening {
  /** Never rejects for the service's or the store's sake, only when the caller's signal fires. */
  screen(question: Question): Promise<Screened>;
  /** The digest under which an order's answer is kept. */
  fingerprint(tenant: TenantId, request: VerificationRequest): string;
  /** Drop what is kept in memory of a tenant's answers, after some of them were erased from the store. */
  forget(tenant: TenantId): void;
  /** Wait for the calls under way and write what is still to be written. */
  close(): Promise<void>;
}

/** Create a {@link Screening}. */
export function createScreening(options: ScreeningOptions): Screening {
  const { store, logger, now, observer } = options;
  const savings = createSavings(store, logger, now);
  const answers = createKeptAnswers(store, now);
  const asking = { ...options, answers, slots: createSlots(options.maxInFlight) };
  const flights = createSharedFlights((inquiry, spending) => ask(asking, inquiry, spending));

  const fingerprintOf = (tenant: TenantId, request: VerificationRequest): string =>
    fingerprintOrder(request, (text) => store.keyring.digest(tenant, "fingerprint", text));

  function save(tenant: TenantId, reason: SavingReason): void {
    observer?.saved(reason);
    savings.add(tenant, reason);
  }

  async function board(inquiry: Inquiry): Promise<Screened> {
    const { question, fingerprint, key } = inquiry;
    let joined = flights.find(key);
    if (joined === undefined) {
      const known = await answers.find(inquiry);
      if (known !== null) {
        save(question.tenant, "cached");
        return { outcome: "answered", result: known.result, source: "cache", creditsSpent: 0, fingerprint };
      }
      // Looked up again: another caller may have taken off while the store was read.
      joined = flights.find(key);
    }
    const flight = joined ?? flights.takeOff(inquiry);
    if (joined !== undefined) save(question.tenant, "duplicate");
    const landed = await withinDeadline(flight.landed, question.deadlineMs, question.signal);
    const creditsSpent = joined === undefined ? flight.spending.credits : 0;
    if (landed === undefined)
      return { ...toUnavailable(toTooLate(), creditsSpent, fingerprint), late: flight.landed };
    if (joined === undefined) return landed;
    return landed.outcome === "answered"
      ? { ...landed, source: "cache", creditsSpent }
      : { ...landed, creditsSpent };
  }

  return {
    fingerprint: fingerprintOf,
    async screen(question) {
      question.signal?.throwIfAborted();
      const fingerprint = fingerprintOf(question.tenant, question.request);
      try {
        return await board({ question, fingerprint, key: `${question.tenant}\0${fingerprint}` });
      } catch (error) {
        if (question.signal?.aborted === true) throw error;
        return toUnavailable(error, 0, fingerprint);
      }
    },
    forget: (tenant) => answers.forget(tenant),
    async close() {
      await flights.settle();
      await savings.close();
    },
  };
}

function toTooLate(): HoldfastError {
  return new HoldfastError("VERIFICATION_TIMEOUT", "no answer within the deadline", {
    retryable: true,
    metered: "unknown",
  });
}

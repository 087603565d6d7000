import type { Inquiry, Progress, Screened } from "./question.ts";
import { toUnavailable } from "./unavailable.ts";

/** A question under way. Callers with the same content share it; it outlives each of them. */
export interface Flight {
  /** Never rejects. */
  readonly landed: Promise<Screened>;
  readonly progress: Progress;
}

/** The questions under way in this process, at most one per order state. */
export interface SharedFlights {
  find(inquiry: Inquiry): Flight | undefined;
  /** Begin to ask. */
  takeOff(inquiry: Inquiry, limits: Pick<Progress, "startedAtMs" | "waitMs">): Flight;
  /** Wait for those under way. */
  settle(): Promise<void>;
}

/** Create {@link SharedFlights} that ask with `ask`. */
export function createSharedFlights(
  ask: (inquiry: Inquiry, progress: Progress) => Promise<Screened>,
): SharedFlights {
  const flights = new Map<string, Flight>();

  return {
    find: (inquiry) => flights.get(toFlightKey(inquiry)),
    takeOff(inquiry, limits) {
      const { fingerprint } = inquiry;
      const key = toFlightKey(inquiry);
      const progress: Progress = { credits: 0, ...limits };
      const landed = ask(inquiry, progress)
        .catch((error: unknown) => toUnavailable(error, progress.credits, fingerprint))
        .finally(() => flights.delete(key));
      const flight = { landed, progress };
      flights.set(key, flight);
      return flight;
    },
    async settle() {
      await Promise.allSettled([...flights.values()].map(({ landed }) => landed));
    },
  };
}

/** Who asks anew does not share a call with those who would take an older answer. */
function toFlightKey({ key, question }: Inquiry): string {
  return question.answersSinceMs === undefined ? key : `${key}\0${question.answersSinceMs}`;
}

import type { Inquiry, Screened, Spending } from "./question.ts";
import { toUnavailable } from "./unavailable.ts";

/** A question under way. Callers with the same content share it; it outlives each of them. */
export interface Flight {
  /** Never rejects. */
  readonly landed: Promise<Screened>;
  readonly spending: Readonly<Spending>;
}

/** The questions under way in this process, at most one per order state. */
export interface SharedFlights {
  find(inquiry: Inquiry): Flight | undefined;
  /** Begin to ask. */
  takeOff(inquiry: Inquiry): Flight;
  /** Wait for those under way. */
  settle(): Promise<void>;
}

/** Create {@link SharedFlights} that ask with `ask`. */
export function createSharedFlights(
  ask: (inquiry: Inquiry, spending: Spending) => Promise<Screened>,
): SharedFlights {
  const flights = new Map<string, Flight>();

  return {
    find: (inquiry) => flights.get(toFlightKey(inquiry)),
    takeOff(inquiry) {
      const { fingerprint } = inquiry;
      const key = toFlightKey(inquiry);
      const spending: Spending = { credits: 0 };
      const landed = ask(inquiry, spending)
        .catch((error: unknown) => toUnavailable(error, spending.credits, fingerprint))
        .finally(() => flights.delete(key));
      const flight = { landed, spending };
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

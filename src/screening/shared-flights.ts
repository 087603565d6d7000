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
  find(key: string): Flight | undefined;
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
    find: (key) => flights.get(key),
    takeOff(inquiry) {
      const { fingerprint, key } = inquiry;
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

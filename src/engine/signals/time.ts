import type { OrderFacts } from "../facts/order-facts.ts";
import type { Place } from "../facts/place.ts";
import type { EvidenceGroup } from "./signal.ts";
import { say, type Sentence } from "./sentence.ts";
import { shipsAbroad } from "./geo.ts";
import { listUtcOffsets } from "../tables/utc-offsets.ts";

const HOUR_MS = 3_600_000;
/** In standard time. In summer the clock shows an hour later, which is still night. */
const NIGHT = { fromHour: 0, untilHour: 6 } as const;
/** The possible hours at a place, in standard time; empty if unknown. */
function listHours({ nowMs, timeKnown }: OrderFacts, place: Place | undefined): readonly number[] {
  if (!timeKnown || place?.country === undefined || place.military) return [];
  // A territory has its own time zone.
  const { writtenCountry, country, region } = place;
  return listUtcOffsets(writtenCountry ?? country, region).map(
    (offset) => (((nowMs / HOUR_MS + offset) % 24) + 24) % 24,
  );
}

/** A customer who ships abroad may be in that country and its time zone. */
function listDestinationHours(facts: OrderFacts): readonly number[] {
  return shipsAbroad(facts) ? listHours(facts, facts.shipping) : [];
}

/**
 * The hour where the order is billed, in standard time; where a country has several time zones, in the one in the middle of
 * the list. Undefined if it isn't known, or is an agent's.
 */
export function toLocalHour(facts: OrderFacts): number | undefined {
  if (facts.isAgent) return undefined;
  const hours = listHours(facts, facts.billing);
  return hours[Math.floor(hours.length / 2)];
}

function isNight(hour: number): boolean {
  return hour >= NIGHT.fromHour && hour < NIGHT.untilHour;
}

/** A country with several time zones has several hours, and summer time isn't known. */
function sayNight(hours: readonly number[]): Sentence {
  const [hour = 0, ...others] = new Set(hours.map(Math.floor));
  if (others.length > 0) return say("It was night at every place that the billing address can mean.");
  return hour === 0
    ? say("At the billing address it was about midnight (standard time).")
    : say("At the billing address it was about {hour} a.m. (standard time).", { hour });
}

export const TIME_SIGNALS: EvidenceGroup = {
  name: "time",
  isKnown: (facts) => listHours(facts, facts.billing).length > 0,
  limitation: "The time of day at the customer's home is not known.",
  signals: [
    {
      code: "NIGHT",
      category: "behavioral",
      title: "Ordered at night",
      observe: (facts) => {
        if (facts.isAgent) return null;
        const hours = listHours(facts, facts.billing);
        // In a country with several time zones, it has to be night in all of them.
        return hours.length > 0 && [...hours, ...listDestinationHours(facts)].every(isNight)
          ? {
              points: 6,
              says: sayNight(hours),
            }
          : null;
      },
    },
  ],
};

import type { OrderFacts } from "../order-facts.ts";
import type { Place } from "../place.ts";
import type { EvidenceGroup } from "../signal.ts";
import { shipsAbroad } from "./geo.ts";
import { listUtcOffsets } from "../tables/utc-offsets.ts";

const HOUR_MS = 3_600_000;
/** By standard time; in summer an hour later by the clock, which is still night. */
const NIGHT = { fromHour: 0, untilHour: 6 } as const;
/** The hours of standard time that it may be at a place; empty where that is not known. */
function listHours({ nowMs, timeKnown }: OrderFacts, place: Place | undefined): readonly number[] {
  if (!timeKnown || place?.country === undefined || place.military) return [];
  // A territory has its own clock.
  const { writtenCountry, country, region } = place;
  return listUtcOffsets(writtenCountry ?? country, region).map(
    (offset) => (((nowMs / HOUR_MS + offset) % 24) + 24) % 24,
  );
}

/** Who has goods sent abroad may be there, and have that country's clock. */
function listDestinationHours(facts: OrderFacts): readonly number[] {
  return shipsAbroad(facts) ? listHours(facts, facts.shipping) : [];
}

function isNight(hour: number): boolean {
  return hour >= NIGHT.fromHour && hour < NIGHT.untilHour;
}

/** When the order was placed, by the customer's own clock. */
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
        const hours = listHours(facts, facts.billing);
        // Where a country has several clocks, it has to be night by each of them.
        return hours.length > 0 && [...hours, ...listDestinationHours(facts)].every(isNight)
          ? {
              points: 6,
              description: `The order was placed at about ${Math.floor(hours[0] ?? 0)} o'clock at night in the billing address's time zone.`,
            }
          : null;
      },
    },
  ],
};

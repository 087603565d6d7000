import type { OrderFacts } from "../order-facts.ts";
import type { EvidenceGroup } from "../signal.ts";
import { listUtcOffsets } from "../tables/utc-offsets.ts";

const HOUR_MS = 3_600_000;
/** By standard time; in summer an hour later by the clock, which is still night. */
const NIGHT = { fromHour: 0, untilHour: 6 } as const;
/** The hours of standard time that it may be where the customer is billed; empty where that is not known. */
function listLocalHours({ nowMs, timeKnown, billing }: OrderFacts): readonly number[] {
  if (!timeKnown || billing?.country === undefined || billing.military) return [];
  // A territory has its own clock.
  const { writtenCountry, country, region } = billing;
  return listUtcOffsets(writtenCountry ?? country, region).map(
    (offset) => (((nowMs / HOUR_MS + offset) % 24) + 24) % 24,
  );
}

function isNight(hour: number): boolean {
  return hour >= NIGHT.fromHour && hour < NIGHT.untilHour;
}

/** When the order was placed, by the customer's own clock. */
export const TIME_SIGNALS: EvidenceGroup = {
  name: "time",
  isKnown: (facts) => listLocalHours(facts).length > 0,
  limitation: "The time of day at the customer's home is not known.",
  signals: [
    {
      code: "NIGHT",
      category: "behavioral",
      title: "Ordered at night",
      observe: (facts) => {
        const hours = listLocalHours(facts);
        // Where a country has several clocks, it has to be night by each of them.
        return hours.length > 0 && hours.every(isNight)
          ? {
              points: 6,
              description: `The order was placed at about ${Math.floor(hours[0] ?? 0)} o'clock at night in the billing address's time zone.`,
            }
          : null;
      },
    },
  ],
};

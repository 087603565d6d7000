import type { OrderFacts } from "../order-facts.ts";
import type { EvidenceGroup } from "../signal.ts";
import { UTC_OFFSETS } from "../tables/utc-offsets.ts";

const HOUR_MS = 3_600_000;
/** By standard time; in summer an hour later by the clock, which is still night. */
const NIGHT = { fromHour: 1, untilHour: 5 } as const;

/** The hour of standard time where the customer is billed; undefined where that has several or is not known. */
function toLocalHour({ nowMs, timeKnown, billing }: OrderFacts): number | undefined {
  if (!timeKnown || billing?.country === undefined || billing.military) return undefined;
  const offset =
    UTC_OFFSETS.get(billing.country) ??
    (billing.region === undefined ? undefined : UTC_OFFSETS.get(`${billing.country}-${billing.region}`));
  if (offset === undefined) return undefined;
  return (((nowMs / HOUR_MS + offset) % 24) + 24) % 24;
}

/** When the order was placed, by the customer's own clock. */
export const TIME_SIGNALS: EvidenceGroup = {
  name: "time",
  isKnown: (facts) => toLocalHour(facts) !== undefined,
  limitation: "The time of day at the customer's home is not known.",
  signals: [
    {
      code: "NIGHT",
      category: "behavioral",
      title: "Ordered at night",
      observe: (facts) => {
        const hour = toLocalHour(facts);
        return hour !== undefined && hour >= NIGHT.fromHour && hour < NIGHT.untilHour
          ? {
              points: 4,
              description: `The order was placed at about ${Math.floor(hour)} o'clock at night, where it is billed.`,
            }
          : null;
      },
    },
  ],
};

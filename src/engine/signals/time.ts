import type { OrderFacts } from "../order-facts.ts";
import type { EvidenceGroup } from "../signal.ts";
import { UTC_OFFSETS } from "../tables/utc-offsets.ts";

const HOUR_MS = 3_600_000;
/** By standard time; in summer an hour later by the clock, which is still night. */
const NIGHT = { fromHour: 0, untilHour: 6 } as const;
/** For countries of several zones, where nobody knows which: the zone in the middle of their people. */
const MIDDLE_OFFSETS: ReadonlyMap<string, number> = new Map([
  ["US", -6],
  ["CA", -5],
  ["MX", -6],
  ["BR", -3],
  ["AU", 10],
]);

/** The hour of standard time where the customer is billed; undefined where that is not known. */
function toLocalHour({ nowMs, timeKnown, billing }: OrderFacts): number | undefined {
  if (!timeKnown || billing?.country === undefined || billing.military) return undefined;
  const { country, region } = billing;
  const offset =
    UTC_OFFSETS.get(country) ??
    (region === undefined ? undefined : UTC_OFFSETS.get(`${country}-${region}`)) ??
    MIDDLE_OFFSETS.get(country);
  return offset === undefined ? undefined : (((nowMs / HOUR_MS + offset) % 24) + 24) % 24;
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
              points: 6,
              description: `The order was placed at about ${Math.floor(hour)} o'clock at night in the billing address's time zone.`,
            }
          : null;
      },
    },
  ],
};

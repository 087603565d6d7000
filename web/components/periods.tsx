import { getRoute, toHash, useRoute } from "../data/route.ts";

interface PeriodsProps {
  readonly periods: readonly number[];
  readonly days: number;
}

/** Links to the same view over other numbers of days. */
export function Periods({ periods, days }: PeriodsProps) {
  useRoute();
  return (
    <nav class="sub-nav" aria-label="Days shown">
      <ul>
        {periods.map((one) => (
          <li key={one}>
            <a
              href={toHash({ ...getRoute(), query: { ...getRoute().query, days: String(one) } })}
              aria-current={one === days ? "true" : undefined}
            >
              {one} days
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The number of days in the address: one of those offered, or the first of `otherwise`. */
export function useDays(periods: readonly number[], otherwise: number): number {
  const asked = Number(useRoute().query["days"] ?? otherwise);
  return periods.includes(asked) ? asked : otherwise;
}

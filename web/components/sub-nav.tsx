import { getRoute, toPath, useRoute } from "../data/route.ts";

interface SubNavProps {
  readonly label: string;
  readonly view: string;
  /** The open entry; null for the first. */
  readonly open: string | null;
  readonly parts: readonly (readonly [id: string | null, label: string])[];
}

/** Links between the parts of one view. */
export function SubNav({ label, view, open, parts }: SubNavProps) {
  return (
    <nav class="sub-nav" aria-label={label}>
      <ul class="row gap-1">
        {parts.map(([id, text]) => (
          <li key={text}>
            <a href={toPath({ view, id })} aria-current={id === open ? "page" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Links to the same view over other numbers of days. */
export function Periods({ periods, days }: { readonly periods: readonly number[]; readonly days: number }) {
  useRoute();
  return (
    <nav class="sub-nav" aria-label="Days shown">
      <ul class="row gap-1">
        {periods.map((one) => (
          <li key={one}>
            <a
              href={toPath({ ...getRoute(), query: { ...getRoute().query, days: String(one) } })}
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

/** The number of days in the address if it's one of `periods`, else `otherwise`. */
export function useDays(periods: readonly number[], otherwise: number): number {
  const asked = Number(useRoute().query["days"] ?? otherwise);
  return periods.includes(asked) ? asked : otherwise;
}

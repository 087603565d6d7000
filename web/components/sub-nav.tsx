import { type Route, toPath, useRoute } from "../data/shell/route.ts";
import { t } from "../data/base/texts.ts";

interface SubNavProps {
  readonly label: string;
  readonly view: string;
  /** The open entry; null for the first. */
  readonly open: string | null;
  readonly parts: readonly (readonly [id: string | null, label: string])[];
}

/** Links between the parts of one view. */
export function SubNav({ label, view, open, parts }: SubNavProps) {
  const links = parts.map(([id, text]): Link => [text, { view, id }, id === open ? "page" : undefined]);
  return <Links label={label} links={links} />;
}

type Link = readonly [text: string, route: Partial<Route>, current: "page" | "true" | undefined];

function Links({ label, links }: { readonly label: string; readonly links: readonly Link[] }) {
  return (
    <nav class="sub-nav" aria-label={label}>
      <ul class="row gap-1">
        {links.map(([text, route, current]) => (
          <li key={text}>
            <a href={toPath(route)} aria-current={current}>
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
  const route = useRoute();
  const links = periods.map((one): Link => {
    const query = { ...route.query, days: String(one) };
    return [t("components.days", { days: one }), { ...route, query }, one === days ? "true" : undefined];
  });
  return <Links label={t("components.days-shown")} links={links} />;
}

/** The number of days in the address if it's one of `periods`, else `otherwise`. */
export function useDays(periods: readonly number[], otherwise: number): number {
  const asked = Number(useRoute().query["days"] ?? otherwise);
  return periods.includes(asked) ? asked : otherwise;
}

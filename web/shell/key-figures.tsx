import { Figure } from "../components/panel.tsx";
import { formatCount } from "../data/format.ts";
import type { Overview } from "../data/overview.ts";
import { toPath } from "../data/route.ts";

/** What a merchant wants to know first, above the queue. It keeps its room until the numbers are there. */
export function KeyFigures({ overview }: { readonly overview: Overview | null }) {
  const { held, failed } = overview?.queue ?? {};
  const today = overview?.days.at(-1);
  const checked = today && today.low + today.medium + today.high + today.critical + today.unjudged;
  return (
    <section class="figures home-figures" aria-label="Key figures">
      <Figure label="Orders today" value={show(checked)} href={toPath({ view: "overview" })} />
      <Figure label="Held for review" value={show(held)} />
      <Figure
        label="Cancel decisions today"
        value={show(today?.cancel)}
        href={toPath({ view: "overview" })}
      />
      <Figure
        label="Needs attention"
        value={show(failed)}
        href={toPath({ view: "orders", query: { state: "failed" } })}
        tone={failed ? "bad" : undefined}
      />
    </section>
  );
}

function show(count: number | undefined): string {
  return count === undefined ? "–" : formatCount(count);
}

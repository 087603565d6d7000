import { useId } from "preact/hooks";
import { toShare } from "../data/chart.ts";
import { formatCount } from "../data/format.ts";
import { ACTIONS, type Tally } from "../data/replay.ts";
import { ACTION_WORDS } from "../data/words.ts";
import { ACTION_SERIES, Textures, toFill } from "./texture.tsx";

/** How orders divide among the actions, as one bar. The table beside it has the numbers. */
export function ActionSplit({ label, tally }: { readonly label: string; readonly tally: Tally }) {
  const id = useId();
  const total = ACTIONS.reduce((sum, action) => sum + tally[action].orders, 0);
  const words = ACTIONS.map(
    (action) => `${formatCount(tally[action].orders)} ${ACTION_WORDS[action].toLowerCase()}`,
  );
  let at = 0;
  return (
    <svg
      class="split-bar"
      viewBox="0 0 400 16"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${words.join(", ")}.`}
    >
      <Textures id={id} series={ACTION_SERIES} />
      {ACTIONS.map((action, index) => {
        const width = 400 * toShare(tally[action].orders, total);
        const piece = (
          <rect key={action} x={at} y="0" width={width} height="16" fill={toFill(id, ACTION_SERIES[index])} />
        );
        at += width;
        return piece;
      })}
    </svg>
  );
}

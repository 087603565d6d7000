import { Figure, Panel } from "../../components/panel.tsx";
import { formatCount } from "../../data/format.ts";
import { SAVED_WORDS, toRunOutSentence, type Credits } from "../../data/overview.ts";

/** What was spent, what was saved, and how long the rest lasts. */
export function CreditPanel({ credits }: { readonly credits: Credits }) {
  const { spentToday, spentMonth, savedMonth, savedByReason, dailyCap, monthlyCap } = credits;
  const saved = Object.entries(savedByReason).toSorted(([, one], [, other]) => other - one);
  return (
    <Panel title="Credits">
      <div class="figures two">
        <Figure
          label="Used this month"
          value={formatCount(spentMonth)}
          hint={<Cap spent={spentMonth} cap={monthlyCap} of="month" />}
        />
        <Figure
          label="Used today"
          value={formatCount(spentToday)}
          hint={<Cap spent={spentToday} cap={dailyCap} of="day" />}
        />
      </div>
      <div class="figures wide">
        <Figure
          label="Saved this month"
          value={formatCount(savedMonth)}
          hint={saved
            .map(([reason, count]) => `${formatCount(count)} ${SAVED_WORDS[reason] ?? reason}`)
            .join(", ")}
        />
      </div>
      <p class="lead hint">{toRunOutSentence(credits, new Date().toISOString().slice(0, 10))}</p>
    </Panel>
  );
}

interface CapProps {
  readonly spent: number;
  readonly cap: number | null;
  readonly of: "day" | "month";
}

function Cap({ spent, cap, of }: CapProps) {
  if (cap === null) return <>no limit</>;
  return (
    <>
      of {formatCount(cap)}
      <meter
        min={0}
        max={Math.max(1, cap)}
        low={cap * 0.8}
        high={cap * 0.95}
        optimum={0}
        value={spent}
        aria-label={`Credits of this ${of}: ${spent} of ${cap}`}
      />
    </>
  );
}

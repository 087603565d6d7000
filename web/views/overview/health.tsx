import { Notice } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { toSentence } from "../../data/api.ts";
import { formatCount, formatPlural } from "../../data/format.ts";
import { CIRCUIT_WORDS, countToday, formatTook, SHIFT_WORDS, type Overview } from "../../data/overview.ts";
import { toPath } from "../../data/route.ts";
import { explainCode } from "../../data/words.ts";

/** The oldest undecided order may be this old before it is worth a word, in ms. */
const SLOW_MS = 5 * 60_000;
/** An end that far away doesn't count. */
const NO_END = "9999";

/** What prevents deciding orders now; empty when nothing does. */
export function Health({ overview }: { readonly overview: Overview }) {
  const { circuits, credits, backlog, levelShifts, mode } = overview;
  const isSlow = backlog.oldestAgeMs !== null && backlog.oldestAgeMs > SLOW_MS;
  return (
    <>
      {mode === "shadow" && (
        <Notice>
          Watch only: Holdfast records decisions without changing orders.{" "}
          <a href={toPath({ view: "report" })}>See what would have happened</a>
        </Notice>
      )}
      {mode === null && (
        <Notice tone="bad">
          The saved policy is no longer valid. <a href={toPath({ view: "policy" })}>Fix policy</a>
        </Notice>
      )}
      {circuits.map(({ code, untilAt, pause }) => (
        <Notice key={code} tone={pause ? "warn" : "bad"}>
          {toSentence(explainCode(code))}{" "}
          {untilAt === null || untilAt > NO_END ? (
            "Calls stay paused until this is fixed."
          ) : (
            <>
              Next attempt: <Time at={untilAt} />. Until then, orders follow the policy for when the service
              is unavailable.
            </>
          )}
        </Notice>
      ))}
      {circuits.length === 0 && credits.circuit !== "closed" && (
        <Notice>{CIRCUIT_WORDS[credits.circuit]}</Notice>
      )}
      {levelShifts.map(({ shift, level, since }) => (
        <Notice key={shift} tone="warn">
          {SHIFT_WORDS[shift]} {formatCount(countToday(overview, level))} of{" "}
          {formatPlural(countToday(overview), "order")} with a risk level today.{" "}
          <a href={toPath({ view: "orders", query: { level, since } })}>Show these orders</a>
        </Notice>
      ))}
      {isSlow && (
        <Notice tone="warn">
          Undecided orders: {formatCount(backlog.pending)}. The oldest arrived{" "}
          {formatTook(backlog.oldestAgeMs)} ago.
        </Notice>
      )}
    </>
  );
}

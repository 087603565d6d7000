import { ActionLabel, LevelBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/form.tsx";
import { Failure, Notice, Panel, Skeleton } from "../../components/panel.tsx";
import { ActionSplit } from "../../components/stacked-bars.tsx";
import { Table } from "../../components/table.tsx";
import { ACTION_SERIES, Swatch } from "../../components/texture.tsx";
import type { Action, Worth } from "../../data/api/api-types.ts";
import { formatCount, formatMoney, formatPlural, formatSum } from "../../data/base/format.ts";
import {
  OUTCOME_WORDS,
  type Replay,
  toReplaySentence,
  toReviewsADay,
  toReviewsSentence,
} from "../../data/policy/replay.ts";
import { toPath } from "../../data/shell/route.ts";
import { toRoleReason } from "../../data/api/session.ts";
import { useLoad } from "../../data/api/use-load.ts";
import type { ReplayState } from "../../data/policy/use-replay.ts";
import { ACTION_WORDS } from "../../data/api/words.ts";

interface ReplayPanelProps {
  readonly replay: ReplayState;
  readonly isChanged: boolean;
  readonly days: number;
  readonly onDays: (days: string) => void;
}

export function ReplayPanel({ replay, isChanged, days, onDays }: ReplayPanelProps) {
  return (
    <aside class="replay" aria-label="Replay">
      <Panel
        title="Replay"
        aside={
          <div class="row">
            <Select
              label="Orders from the last"
              hideLabel
              value={String(days)}
              options={[
                ["7", "last 7 days"],
                ["30", "last 30 days"],
                ["90", "last 90 days"],
                ["365", "last year"],
              ]}
              onChange={onDays}
            />
            <Button
              label="Replay"
              small
              icon="refresh"
              busy={replay.loading}
              disabledReason={toRoleReason("reviewer")}
              onClick={replay.run}
            />
          </div>
        }
      >
        <p class="hint lead">
          Compares this policy with past decisions. Uses no credits and changes no orders.
        </p>
        <ReplayBody replay={replay} isChanged={isChanged} />
      </Panel>
    </aside>
  );
}

const IDLE = "Change the policy to see what it would have done.";

function ReplayBody({ replay, isChanged }: Pick<ReplayPanelProps, "replay" | "isChanged">) {
  const { data, error, loading, isStale, run } = replay;
  if (error !== null && error.errors.length > 0) {
    return <Notice tone="bad">Fix the highlighted fields to run the replay.</Notice>;
  }
  if (error !== null) return <Failure error={error} onRetry={run} />;
  if (data === null && !loading) {
    return <p>{toRoleReason("reviewer") ?? (isChanged ? "Starting…" : IDLE)}</p>;
  }
  if (data === null) return <Skeleton lines={8} label="Replaying" />;
  return (
    <div class={isStale ? "stack stale" : "stack"} aria-busy={loading}>
      <ReplaySummary replay={data} />
      <ReviewsADay replay={data} />
      <ReplayExamples replay={data} />
    </div>
  );
}

export function ReviewsADay({ replay }: { readonly replay: Replay }) {
  const { data } = useLoad("GET /overview", { query: { days: 30 } });
  const reviews = data === null ? null : toReviewsADay(replay, data.days);
  return reviews === null ? null : <p>{toReviewsSentence(reviews)}</p>;
}

export function ReplaySummary({ replay }: { readonly replay: Replay }) {
  const { before, after, changes, unknown, unknownReason } = replay;
  return (
    <>
      <p>
        <strong>{toReplaySentence(replay)}</strong>
      </p>
      {replay.replayed > 0 && (
        <div class="splits stack">
          <span class="hint">Before</span>
          <ActionSplit label="Before" tally={before} />
          <span class="hint">After</span>
          <ActionSplit label="After" tally={after} />
        </div>
      )}
      <TallyTable replay={replay} />
      {changes.length > 0 && (
        <ul class="flow stack" aria-label="Action changes">
          {changes.map(({ from, to, orders, amount }) => (
            <li key={`${from} ${to}`} class="tile">
              <span class="no-wrap">
                {ACTION_WORDS[from]} <span aria-hidden="true">→</span>
                <span class="unseen"> becomes </span> <strong>{ACTION_WORDS[to]}</strong>
              </span>
              <span class="number">{formatPlural(orders, "order")}</span>
              <span class="number soft">{formatSum(amount)}</span>
            </li>
          ))}
        </ul>
      )}
      <Outcomes outcomes={replay.outcomes} />
      <IdleRules replay={replay} />
      {unknown > 0 && (
        <Notice>
          {formatPlural(unknown, "order")} couldn't be replayed
          {unknownReason === null ? "." : ` – ${unknownReason}.`}
        </Notice>
      )}
    </>
  );
}

/** A rule that matches nothing looks like one that works. */
function IdleRules({ replay: { idleRules, replayed } }: { readonly replay: Replay }) {
  if (idleRules.length === 0) return null;
  const orders = formatPlural(replayed, "order");
  const [first, ...others] = idleRules;
  return (
    <Notice tone="warn">
      {others.length === 0 ? (
        `The rule “${first ?? ""}” matched none of ${orders}. Check its conditions and the rules above it.`
      ) : (
        <>
          <p>These rules matched none of {orders}. Check their conditions and the rules above them.</p>
          <ul class="bullets stack gap-1">
            {idleRules.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  );
}

function TallyTable({ replay: { before, after } }: { readonly replay: Replay }) {
  return (
    <Table
      look="tally"
      caption="Orders by action, before and after"
      region="Orders by action, before and after"
      columns={["Action", ["Before", "number"], ["After", "number"], ["Change", "number"]]}
      rows={ACTION_SERIES.map((series) => {
        const action = series.id as Action;
        const [old, now] = [before[action], after[action]];
        return [
          action,
          <>
            <Swatch series={series} /> {ACTION_WORDS[action]}
          </>,
          <Count worth={old} />,
          <Count worth={now} />,
          toSigned(now.orders - old.orders),
        ];
      })}
    />
  );
}

function Count({ worth: { orders, amount } }: { readonly worth: Worth }) {
  return (
    <>
      {formatCount(orders)}
      <span class="sub">{formatSum(amount)}</span>
    </>
  );
}

function toSigned(difference: number): string {
  if (difference === 0) return "–";
  return `${difference > 0 ? "+" : "−"}${formatCount(Math.abs(difference))}`;
}

function Outcomes({ outcomes }: { readonly outcomes: Replay["outcomes"] }) {
  const parts = Object.entries(outcomes).map(
    ([outcome, orders]) => `${formatCount(orders)} ${OUTCOME_WORDS[outcome] ?? outcome}`,
  );
  if (parts.length === 0) return null;
  return <p class="hint">Outcomes of the changed orders: {parts.join(", ")}.</p>;
}

/** As many rows as fit beside the form. */
const SHOWN_AT_FIRST = 5;

function ReplayExamples({ replay: { examples } }: { readonly replay: Replay }) {
  if (examples.length === 0) return null;
  const rest = examples.slice(SHOWN_AT_FIRST);
  return (
    <section class="stack gap-2" aria-label="Highest-value changes">
      <h3>Highest-value changes</h3>
      <ExampleList examples={examples.slice(0, SHOWN_AT_FIRST)} />
      {rest.length > 0 && (
        <details class="as-table">
          <summary>{formatCount(rest.length)} more</summary>
          <ExampleList examples={rest} />
        </details>
      )}
    </section>
  );
}

function ExampleList({ examples }: Pick<Replay, "examples">) {
  return (
    <ul class="examples stack gap-2">
      {examples.map(({ orderId, name, amount, currency, riskLevel, from, to, rule, outcome }) => (
        <li key={orderId} class="wrap">
          <a href={toPath({ view: "orders", id: orderId })}>{name}</a>
          <span class="number">{formatMoney(amount, currency)}</span>
          <span>
            <ActionLabel action={from} /> → <strong>{ACTION_WORDS[to]}</strong>
          </span>
          <LevelBadge level={riskLevel} />
          <span class="hint alone">
            {rule === null ? "by risk level" : `by rule “${rule}”`}; {OUTCOME_WORDS[outcome] ?? outcome}
          </span>
        </li>
      ))}
    </ul>
  );
}

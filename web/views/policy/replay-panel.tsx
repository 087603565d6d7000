import { ActionLabel, LevelBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/form.tsx";
import { Failure, Notice, Panel, Skeleton } from "../../components/panel.tsx";
import { ActionSplit } from "../../components/stacked-bars.tsx";
import { Table } from "../../components/table.tsx";
import { ACTION_SERIES, Swatch } from "../../components/texture.tsx";
import type { Action, Worth } from "../../data/api/api-types.ts";
import { formatCount, formatList, formatMoney, formatSum } from "../../data/base/format.ts";
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
import { t } from "../../data/base/texts.ts";

interface ReplayPanelProps {
  readonly replay: ReplayState;
  readonly isChanged: boolean;
  /** Whether a field must be filled in first. */
  readonly isUnfinished: boolean;
  readonly days: number;
  readonly onDays: (days: string) => void;
}

export function ReplayPanel({ replay, isChanged, isUnfinished, days, onDays }: ReplayPanelProps) {
  return (
    <aside class="replay" aria-label={t("replay.replay")}>
      <Panel
        title={t("replay.replay")}
        aside={
          <div class="row">
            <Select
              label={t("replay.orders-from-the-last")}
              hideLabel
              value={String(days)}
              options={[
                ["7", t("replay.last-7-days")],
                ["30", t("replay.last-30-days")],
                ["90", t("replay.last-90-days")],
                ["365", t("replay.last-year")],
              ]}
              onChange={onDays}
            />
            <Button
              label={t("replay.replay")}
              small
              icon="refresh"
              busy={replay.loading}
              disabledReason={toRoleReason("reviewer")}
              onClick={replay.run}
            />
          </div>
        }
      >
        <p class="hint lead">{t("replay.compares-this-policy-with-past-decisions")}</p>
        <ReplayBody {...{ replay, isChanged, isUnfinished }} />
      </Panel>
    </aside>
  );
}

const IDLE = t("replay.change-the-policy-to-see-what");

function ReplayBody({ replay, isChanged, isUnfinished }: Omit<ReplayPanelProps, "days" | "onDays">) {
  const { data, error, loading, isStale, run } = replay;
  if (isUnfinished || (error !== null && error.errors.length > 0)) {
    return <Notice tone="bad">{t("replay.fix-the-highlighted-fields-to-run")}</Notice>;
  }
  if (error !== null) return <Failure error={error} onRetry={run} />;
  if (data === null && !loading) {
    return <p>{toRoleReason("reviewer") ?? (isChanged ? t("replay.starting") : IDLE)}</p>;
  }
  if (data === null) return <Skeleton lines={8} label={t("replay.replaying")} />;
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
          <span class="hint">{t("replay.before")}</span>
          <ActionSplit label={t("replay.before")} tally={before} />
          <span class="hint">{t("replay.after")}</span>
          <ActionSplit label={t("replay.after")} tally={after} />
        </div>
      )}
      <TallyTable replay={replay} />
      {changes.length > 0 && (
        <ul class="flow stack" aria-label={t("replay.action-changes")}>
          {changes.map(({ from, to, orders, amount }) => (
            <li key={`${from} ${to}`} class="tile">
              <span class="no-wrap">
                {ACTION_WORDS[from]} <span aria-hidden="true">→</span>
                <span class="unseen"> {t("replay.becomes")} </span> <strong>{ACTION_WORDS[to]}</strong>
              </span>
              <span class="number">{t("format.orders", { count: orders })}</span>
              <span class="number soft">{formatSum(amount)}</span>
            </li>
          ))}
        </ul>
      )}
      <Outcomes outcomes={replay.outcomes} />
      <IdleRules replay={replay} />
      {unknown > 0 && (
        <Notice>{t("replay.not-replayed", { count: unknown, reason: unknownReason ?? "none" })}</Notice>
      )}
    </>
  );
}

/** A rule that matches nothing looks like one that works. */
function IdleRules({ replay: { idleRules, replayed } }: { readonly replay: Replay }) {
  if (idleRules.length === 0) return null;

  const [first, ...others] = idleRules;
  return (
    <Notice tone="warn">
      {others.length === 0 ? (
        t("replay.idle-one", { rule: first ?? "", count: replayed })
      ) : (
        <>
          <p>{t("replay.idle-many", { count: replayed })}</p>
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
      caption={t("replay.orders-by-action-before-and-after")}
      region={t("replay.orders-by-action-before-and-after")}
      columns={[
        t("replay.action"),
        [t("replay.before"), "number"],
        [t("replay.after"), "number"],
        [t("replay.change"), "number"],
      ]}
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
  const parts = Object.entries(outcomes).map(([outcome, orders]) =>
    t("replay.outcome-part", { count: orders, outcome: OUTCOME_WORDS[outcome] ?? outcome }),
  );
  if (parts.length === 0) return null;
  return <p class="hint">{t("replay.outcomes", { outcomes: formatList(parts) })}</p>;
}

/** As many rows as fit beside the form. */
const SHOWN_AT_FIRST = 5;

function ReplayExamples({ replay: { examples } }: { readonly replay: Replay }) {
  if (examples.length === 0) return null;
  const rest = examples.slice(SHOWN_AT_FIRST);
  return (
    <section class="stack gap-2" aria-label={t("replay.highest-value-changes")}>
      <h3>{t("replay.highest-value-changes")}</h3>
      <ExampleList examples={examples.slice(0, SHOWN_AT_FIRST)} />
      {rest.length > 0 && (
        <details class="as-table">
          <summary>{t("replay.more-examples", { count: rest.length })}</summary>
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
            {rule === null ? t("replay.by-risk-level") : t("replay.by-rule", { rule })};{" "}
            {OUTCOME_WORDS[outcome] ?? outcome}
          </span>
        </li>
      ))}
    </ul>
  );
}

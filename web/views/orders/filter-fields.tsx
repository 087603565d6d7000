import { Select } from "../../components/form.tsx";
import { formatTime, listCountries } from "../../data/base/format.ts";
import { OUTCOME_WORDS } from "../../data/policy/replay.ts";
import { ACTION_WORDS, LEVEL_WORDS, STATE_WORDS } from "../../data/api/words.ts";
import type { ListKind } from "./order-row.tsx";
import { t } from "../../data/base/texts.ts";

type Options = readonly (readonly [value: string, label: string])[];

const RISKS: Options = [
  ["", t("orders.any-risk")],
  ["high,critical", t("orders.high-or-critical")],
  ...Object.entries(LEVEL_WORDS).toReversed(),
];

const QUEUE_STATES = [
  ["", t("orders.any-state")],
  ["review", STATE_WORDS.review],
  ["failed", STATE_WORDS.failed],
  ["waiting", STATE_WORDS.waiting],
] as const;

const STATES = [
  ["", t("orders.any-state")],
  ...(["received", "screening", "waiting", "review", "failed", "settled"] as const).map(
    (state) => [state, STATE_WORDS[state]] as const,
  ),
] as const;

const ACTIONS: Options = [["", t("orders.any-action")], ...Object.entries(ACTION_WORDS)];

const DUE = [
  ["", t("orders.any-deadline")],
  ["soon", t("orders.due-within-6-hours")],
  ["overdue", t("orders.overdue")],
] as const;

const CHECKS = [
  ["", t("orders.any-check")],
  ["true", t("orders.not-checked")],
] as const;

const QUEUE_SORTS: Options = [
  ["", t("orders.nearest-deadline")],
  ["amount", t("orders.highest-amount")],
  ["score", t("orders.highest-risk-score")],
  ["newest", t("orders.newest-order")],
  ["age", t("orders.oldest-order")],
];

const SORTS: Options = [
  ["", t("orders.newest-order")],
  ["age", t("orders.oldest-order")],
  ["amount", t("orders.highest-amount")],
  ["score", t("orders.highest-risk-score")],
];

const DISPUTE_SORTS: Options = [...SORTS, ["evidence", t("orders.bank-deadline")]];

const OUTCOMES: Options = [["", t("orders.any-outcome")], ...Object.entries(OUTCOME_WORDS)];

const DISPUTES: Options = [
  ["", t("orders.any-dispute")],
  ["any", t("orders.disputed")],
  ["inquiry", t("orders.inquiry")],
  ["chargeback", t("orders.chargeback")],
  ["open", t("orders.dispute-open")],
  ["won", t("orders.dispute-won")],
  ["lost", t("orders.dispute-lost")],
];

const WORDS: Options = [
  ["", t("asking.any-word")],
  ...["asked", "right", "wrong", "for-person"].map((word) => [word, t("asking.word", { word })] as const),
];

type Query = Readonly<Record<string, string>>;

/** Whether a list can be sorted by the deadlines of banks. */
function isByBank({ dispute, sort }: Query): boolean {
  return Boolean(dispute) || sort === "evidence";
}

interface FilterFieldsProps {
  readonly kind: ListKind;
  readonly query: Query;
  readonly onChange: (changes: Query) => void;
  /** Only screen readers get the labels: each choice says what it is about. */
  readonly hideLabels?: boolean;
}

/** Every filter of a list, and its sort. */
export function FilterFields({ kind, query, onChange, hideLabels = false }: FilterFieldsProps) {
  const toSelect = (name: string, label: string, options: Options) => (
    <Select
      key={name}
      label={label}
      hideLabel={hideLabels}
      value={query[name] ?? ""}
      options={options}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  const toDay = (name: string, label: string) => (
    <DayField label={label} value={query[name] ?? ""} onChange={(value) => onChange({ [name]: value })} />
  );
  return (
    <>
      {toSelect("level", t("orders.risk"), RISKS)}
      {kind === "orders" && toSelect("action", t("orders.action"), ACTIONS)}
      {toSelect("state", t("orders.state"), kind === "queue" ? QUEUE_STATES : STATES)}
      {toSelect("buyerAnswer", t("asking.word-label"), WORDS)}
      {kind === "orders" && (
        <>
          {toSelect("outcome", t("orders.outcome"), OUTCOMES)}
          {toSelect("dispute", t("orders.dispute"), DISPUTES)}
          {toDay("since", t("orders.from-day"))}
          {toDay("until", t("orders.to-day"))}
          {toSelect("country", t("orders.country"), toCountries())}
          {toSelect("sort", t("orders.sort-by"), isByBank(query) ? DISPUTE_SORTS : SORTS)}
        </>
      )}
      {kind === "queue" && (
        <>
          {toSelect("due", t("orders.deadline"), DUE)}
          {toSelect("degraded", t("orders.check"), CHECKS)}
          {toSelect("sort", t("orders.sort-by"), QUEUE_SORTS)}
        </>
      )}
    </>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A day by the shop's calendar. The tiles of the overview ask for a moment, which is shown as it is. */
function DayField({ label, value, onChange }: DayFieldProps) {
  const isMoment = value.includes("T");
  if (isMoment) {
    return (
      <Select
        label={label}
        hideLabel
        value={value}
        options={[
          ["", t("orders.any-time")],
          [value, t("orders.since", { time: formatTime(value) })],
        ]}
        onChange={onChange}
      />
    );
  }
  return (
    <label class="day-field line gap-1 soft">
      {label}
      <input type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  );
}

let countries: Options | null = null;

function toCountries(): Options {
  countries ??= [["", t("orders.any-country")], ...listCountries()];
  return countries;
}

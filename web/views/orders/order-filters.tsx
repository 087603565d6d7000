import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Icon } from "../../components/button.tsx";
import { Select } from "../../components/form.tsx";
import { formatTime } from "../../data/base/format.ts";
import { getRoute, navigate, setQuery } from "../../data/shell/route.ts";
import { toStableText } from "../../data/base/stable-text.ts";
import { type Filters, savedFilters } from "../../data/shell/search.ts";
import { ACTION_WORDS, LEVEL_WORDS, STATE_WORDS } from "../../data/api/words.ts";
import type { ListKind } from "./order-row.tsx";

interface OrderFiltersProps {
  readonly kind: ListKind;
  readonly query: Readonly<Record<string, string>>;
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

type Options = readonly (readonly [value: string, label: string])[];

const RISKS: Options = [
  ["", "Any risk"],
  ["high,critical", "High or critical"],
  ...Object.entries(LEVEL_WORDS).toReversed(),
];

const QUEUE_STATES = [
  ["", "Any state"],
  ["review", STATE_WORDS.review],
  ["failed", STATE_WORDS.failed],
  ["waiting", STATE_WORDS.waiting],
] as const;

const STATES = [
  ["", "Any state"],
  ...(["received", "screening", "waiting", "review", "failed", "settled"] as const).map(
    (state) => [state, STATE_WORDS[state]] as const,
  ),
] as const;

const ACTIONS: Options = [["", "Any action"], ...Object.entries(ACTION_WORDS)];

const DUE = [
  ["", "Any deadline"],
  ["soon", "Due within 6 hours"],
  ["overdue", "Overdue"],
] as const;

const CHECKS = [
  ["", "Any check"],
  ["true", "Not checked"],
] as const;

const SORTS = [
  ["", "Nearest deadline"],
  ["amount", "Highest amount"],
  ["score", "Highest risk score"],
  ["age", "Oldest order"],
] as const;

/** Filters of a list of orders, as the address and the API name them. */
export const FILTERS = ["level", "since", "action", "state", "due", "degraded"] as const;

/** How the queue is sorted, for people: `nearest deadline first`. */
export function toSortWords(sort: string | undefined): string {
  const known = SORTS.find(([name]) => name === sort) ?? SORTS[0];
  return `${known[1].toLowerCase()} first`;
}

/** All filters are in the address, and the search unless it may name a person. */
export function OrderFilters({ kind, query, search, onSearch }: OrderFiltersProps) {
  const { since } = query;
  const toSelect = (name: string, label: string, options: Options) => (
    <Select
      key={name}
      label={label}
      hideLabel
      value={query[name] ?? ""}
      options={options}
      onChange={(value) => setQuery({ [name]: value })}
    />
  );
  return (
    <div class="filters row" role="search" aria-label="Filter orders">
      <SearchField search={search} onSearch={onSearch} />
      {toSelect("level", "Risk", RISKS)}
      {since !== undefined &&
        toSelect("since", "Received", [
          ["", "Any time"],
          [since, `Since ${formatTime(since)}`],
        ])}
      {kind === "orders" && toSelect("action", "Action", ACTIONS)}
      {toSelect("state", "State", kind === "queue" ? QUEUE_STATES : STATES)}
      {kind === "queue" && (
        <>
          {toSelect("due", "Deadline", DUE)}
          {toSelect("degraded", "Check", CHECKS)}
          {toSelect("sort", "Sort by", SORTS)}
        </>
      )}
      <Saved kind={kind} query={query} />
    </div>
  );
}

const WORDS: Readonly<Record<string, Options>> = {
  level: RISKS,
  action: ACTIONS,
  state: STATES,
  due: DUE,
  degraded: CHECKS,
  sort: SORTS,
};

function nameFilters(filters: Filters): string {
  const words = Object.entries(filters).map(
    ([name, value]) => WORDS[name]?.find(([one]) => one === value)?.[1] ?? value,
  );
  return words.join(", ");
}

function Saved({ kind, query }: Pick<OrderFiltersProps, "kind" | "query">) {
  const [, redraw] = useState({});
  const saved = savedFilters(kind);
  const all = saved.list();
  const current = Object.fromEntries(Object.entries(query).filter(([name]) => Object.hasOwn(WORDS, name)));
  const isAny = Object.keys(current).length > 0;
  const isSaved = saved.has(current);
  return (
    <>
      {all.length > 0 && (
        <Select
          label="Saved filters"
          hideLabel
          value={isSaved ? toStableText(current) : ""}
          options={[
            ["", "Saved filters"],
            ...all.map((one) => [toStableText(one), nameFilters(one)] as const),
          ]}
          onChange={(text) => {
            const chosen = all.find((one) => toStableText(one) === text) ?? {};
            navigate({ ...getRoute(), query: { q: query["q"] ?? "", ...chosen } });
          }}
        />
      )}
      {isAny && (
        <Button
          label={isSaved ? "Forget filters" : "Save filters"}
          look="quiet"
          onClick={() => {
            saved.toggle(current);
            redraw({});
          }}
        />
      )}
    </>
  );
}

export const SEARCH_ID = "order-search";

/** Typing a whole order number should not send a request for each digit. */
const TYPED_MS = 350;

type SearchFieldProps = Pick<OrderFiltersProps, "search" | "onSearch">;

function SearchField({ search, onSearch }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    const field = input.current;
    if (field !== null && document.activeElement !== field) field.value = search;
  }, [search]);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  const submit = () => {
    clearTimeout(timer.current ?? undefined);
    onSearch(input.current?.value.trim() ?? "");
  };
  return (
    <div class="search">
      <Icon name="search" />
      <label class="unseen" for={SEARCH_ID}>
        Search by order number, buyer's name, or exact email address
      </label>
      <input
        ref={input}
        id={SEARCH_ID}
        type="search"
        placeholder="Order, name, or email"
        autocomplete="off"
        spellcheck={false}
        maxLength={320}
        aria-keyshortcuts="/"
        defaultValue={search}
        onInput={() => {
          clearTimeout(timer.current ?? undefined);
          timer.current = setTimeout(submit, TYPED_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") submit();
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </div>
  );
}

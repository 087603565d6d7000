import { useEffect, useRef } from "preact/hooks";
import { Select } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { setQuery } from "../../data/route.ts";
import { ACTION_WORDS, LEVEL_WORDS, STATE_WORDS } from "../../data/words.ts";
import type { ListKind } from "./order-row.tsx";

/** Properties of {@link OrderFilters}. */
export interface OrderFiltersProps {
  readonly kind: ListKind;
  readonly query: Readonly<Record<string, string>>;
  /** What is searched for. */
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

const LEVELS = [
  ["", "Any risk"],
  ["critical", LEVEL_WORDS.critical],
  ["high", LEVEL_WORDS.high],
  ["medium", LEVEL_WORDS.medium],
  ["low", LEVEL_WORDS.low],
] as const;

const QUEUE_STATES = [
  ["", "Any state"],
  ["review", STATE_WORDS.review],
  ["failed", STATE_WORDS.failed],
] as const;

const STATES = [
  ["", "Any state"],
  ...(["received", "screening", "waiting", "review", "failed", "settled"] as const).map(
    (state) => [state, STATE_WORDS[state]] as const,
  ),
] as const;

const ACTIONS = [
  ["", "Any action"],
  ...(["allow", "tag", "hold", "cancel"] as const).map((action) => [action, ACTION_WORDS[action]] as const),
] as const;

/** Filters of a list of orders, as the address and the API name them. */
export const FILTERS = ["level", "action", "state"] as const;

/** Search and filters of a list of orders; all but the search live in the address. */
export function OrderFilters({ kind, query, search, onSearch }: OrderFiltersProps) {
  return (
    <div class="filters" role="search" aria-label="Filter orders">
      <SearchField search={search} onSearch={onSearch} />
      <Select
        label="Risk"
        hideLabel
        value={query["level"] ?? ""}
        options={LEVELS}
        onChange={(level) => setQuery({ level })}
      />
      {kind === "orders" && (
        <Select
          label="Action"
          hideLabel
          value={query["action"] ?? ""}
          options={ACTIONS}
          onChange={(action) => setQuery({ action })}
        />
      )}
      <Select
        label="State"
        hideLabel
        value={query["state"] ?? ""}
        options={kind === "queue" ? QUEUE_STATES : STATES}
        onChange={(state) => setQuery({ state })}
      />
    </div>
  );
}

/** The ID of the search field, to set the focus. */
export const SEARCH_ID = "order-search";

/** Whoever types a whole order number should not ask for each digit. */
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
        Search by order number or exact email address
      </label>
      <input
        ref={input}
        id={SEARCH_ID}
        type="search"
        placeholder="Order number or email"
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

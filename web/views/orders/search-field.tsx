import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../components/button.tsx";
import { t } from "../../data/base/texts.ts";

export const SEARCH_ID = "order-search";

/** Typing a whole order number should not send a request for each digit. */
const TYPED_MS = 350;

interface SearchFieldProps {
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

export function SearchField({ search, onSearch }: SearchFieldProps) {
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
        {t("orders.search-by-order-number-buyers-name")}
      </label>
      <input
        ref={input}
        id={SEARCH_ID}
        type="search"
        placeholder={t("orders.order-name-or-email")}
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

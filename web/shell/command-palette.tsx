import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Dialog } from "../components/dialog.tsx";
import type { OrderRow } from "../data/api/api-types.ts";
import { useLoad } from "../data/api/use-load.ts";
import { formatMoney } from "../data/base/format.ts";
import { t } from "../data/base/texts.ts";
import { createValue, useValue } from "../data/base/value.ts";
import { wantOrderFocus } from "../data/orders/focus.ts";
import { layers, listShortcuts, PALETTE_KEY, type Shortcut, useShortcuts } from "../data/shell/keyboard.ts";
import { rank } from "../data/shell/rank.ts";
import { navigate } from "../data/shell/route.ts";
import { nameKey } from "./shortcut-help.tsx";

const isShown = createValue(false);

/** Opens with Ctrl+K or ⌘K: everything that can be done now, and orders. Drawn once on the page. */
export function CommandPalette() {
  const chosen = useRef<(() => void) | null>(null);
  const isOpen = useValue(isShown);
  useShortcuts(
    [{ keys: [PALETTE_KEY], label: t("shell.command-or-order"), run: () => isShown.set(true) }],
    0,
  );
  useEffect(() => {
    // Only once it's closed: by then the focus is back where the command expects it.
    if (!isOpen) chosen.current?.();
    chosen.current = null;
  }, [isOpen]);
  if (!isOpen) return null;
  const close = () => isShown.set(false);
  return (
    <Palette
      onClose={close}
      onChoose={(run) => {
        chosen.current = run;
        close();
      }}
    />
  );
}

interface Option {
  readonly label: string;
  readonly keys: readonly string[];
  readonly run: () => void;
}

interface PaletteProps {
  readonly onClose: () => void;
  readonly onChoose: (run: () => void) => void;
}

function Palette({ onClose, onChoose }: PaletteProps) {
  const [typed, setTyped] = useState("");
  // Nothing is done by Enter alone.
  const [at, setAt] = useState(-1);
  const commands = listShortcuts(useValue(layers)).filter(({ keys }) => !keys.includes(PALETTE_KEY));
  const orders = useFoundOrders(typed.trim());
  const options = [
    ...rank(typed, commands, ({ label }) => label).map(toCommandOption),
    ...orders.map(toOrderOption),
  ];
  const active = Math.min(at, options.length - 1);
  const choose = (option: Option | undefined) => option && onChoose(option.run);
  return (
    <Dialog title={t("shell.commands")} keepsInput onClose={onClose} onSubmit={() => choose(options[active])}>
      <Combobox
        {...{ options, active, typed }}
        onType={(text) => {
          setTyped(text);
          setAt(text.trim() === "" ? -1 : 0);
        }}
        onMove={setAt}
        onChoose={choose}
      />
    </Dialog>
  );
}

interface ComboboxProps {
  readonly options: readonly Option[];
  readonly active: number;
  readonly typed: string;
  readonly onType: (text: string) => void;
  readonly onMove: (to: number) => void;
  readonly onChoose: (option: Option) => void;
}

function Combobox({ options, active, typed, onType, onMove, onChoose }: ComboboxProps) {
  const id = useId();
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" }), [active]);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const to = toPlace(event.key, active, options.length);
    if (to === undefined || event.isComposing) return;
    event.preventDefault();
    onMove(to);
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label={t("shell.command-or-order")}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        placeholder={t("shell.command-or-order")}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul id={id} role="listbox" class="palette" aria-label={t("shell.commands")}>
        {options.map((option, index) => (
          <li
            key={`${option.label} ${index}`}
            id={`${id}-${index}`}
            role="option"
            class="line between"
            aria-selected={index === active}
            onClick={() => onChoose(option)}
          >
            <span class="anywhere" dir="auto">
              {option.label}
            </span>
            <span class="line gap-1" aria-hidden="true">
              {option.keys.slice(0, 1).map((key) => (
                <kbd key={key}>{nameKey(key)}</kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {t("shell.results", { count: options.length })}
      </p>
    </>
  );
}

function toPlace(key: string, active: number, count: number): number | undefined {
  if (key === "ArrowDown") return (active + 1) % Math.max(count, 1);
  if (key === "ArrowUp") return (Math.max(active, 0) - 1 + count) % Math.max(count, 1);
  return undefined;
}

function toCommandOption(command: Shortcut): Option {
  const { label, keys } = command;
  return { label, keys, run: () => void command.run({ key: keys[0] ?? "" }) };
}

function toOrderOption({ orderId, name, buyer, amount, currency }: OrderRow): Option {
  const about = [buyer, formatMoney(amount, currency)].filter((part) => part !== null);
  return {
    label: [name, ...about].join(" · "),
    keys: [],
    run: () => {
      wantOrderFocus();
      navigate({ view: "orders", id: orderId });
    },
  };
}

/** A search decrypts thousands of orders, so it waits until nothing more is typed for this long. */
const SETTLED_MS = 250;
const SHORTEST_SEARCH = 2;
const MOST_FOUND = 6;
const NONE: readonly OrderRow[] = [];

/** Orders that a search finds. What is typed stays out of the page's address. */
function useFoundOrders(typed: string): readonly OrderRow[] {
  const [q, setQ] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isSearch = q.length >= SHORTEST_SEARCH && q === typed;
  const { data } = useLoad(isSearch ? "GET /orders" : null, { query: { q, limit: MOST_FOUND } });
  return data?.orders ?? NONE;
}

import { Dialog } from "../components/dialog.tsx";
import { Check } from "../components/form.tsx";
import { layers, listShortcuts, areShortcutsOn } from "../data/shell/keyboard.ts";
import { createValue, useValue } from "../data/base/value.ts";
import { t } from "../data/base/texts.ts";

const isShown = createValue(false);

export function showShortcutHelp(): void {
  isShown.set(true);
}

/** Drawn once on the page. */
export function ShortcutHelp() {
  const all = useValue(layers);
  if (!useValue(isShown)) return null;
  return (
    <Dialog title={t("shell.keyboard-shortcuts")} keepsInput onClose={() => isShown.set(false)}>
      <dl class="keys stack gap-2">
        {listShortcuts(all)
          .filter(({ keys }) => keys.length > 0)
          .map(({ keys, label }) => (
            <div key={label} class="stack gap-0">
              <dt class="row gap-1">
                {keys.map((key) => (
                  <kbd key={key}>{nameKey(key)}</kbd>
                ))}
              </dt>
              <dd>{label}</dd>
            </div>
          ))}
      </dl>
      <ShortcutsCheck />
      <p class="hint">{t("shell.shortcuts-are-off-while-you-type")}</p>
    </Dialog>
  );
}

export function ShortcutsCheck() {
  return (
    <Check
      label={t("shell.single-key-shortcuts")}
      value={useValue(areShortcutsOn)}
      onChange={areShortcutsOn.set}
    />
  );
}

/** A key as it's written on the keyboard: `Shift+j`, `Esc`. */
export function nameKey(key: string): string {
  const names = key.length === 1 ? [key] : key.split("+");
  return names.map((one) => KEY_WORDS[one] ?? one).join("+");
}

const isMac = /Mac|iP(?:hone|ad)/.test(globalThis.navigator?.userAgent ?? "");

const KEY_WORDS: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  Ctrl: isMac ? "⌘" : t("shell.ctrl"),
  Escape: t("shell.escape"),
  Shift: t("shell.shift"),
  " ": t("shell.space"),
};

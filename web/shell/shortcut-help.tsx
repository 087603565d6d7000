import { Dialog } from "../components/dialog.tsx";
import { Check } from "../components/form.tsx";
import { layers, listShortcuts, areShortcutsOn } from "../data/shell/keyboard.ts";
import { createValue, useValue } from "../data/base/value.ts";

const isShown = createValue(false);

export function showShortcutHelp(): void {
  isShown.set(true);
}

/** Drawn once on the page. */
export function ShortcutHelp() {
  const all = useValue(layers);
  if (!useValue(isShown)) return null;
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => isShown.set(false)}>
      <dl class="keys stack gap-2">
        {listShortcuts(all).map(({ keys, label }) => (
          <div key={label} class="stack gap-0">
            <dt class="row gap-1">
              {keys.map((key) => (
                <kbd key={key}>{KEY_WORDS[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <ShortcutsCheck />
      <p class="hint">Shortcuts are off while you type in a field. Tab, Enter, and Escape always work.</p>
    </Dialog>
  );
}

export function ShortcutsCheck() {
  return (
    <Check label="Single-key shortcuts" value={useValue(areShortcutsOn)} onChange={areShortcutsOn.set} />
  );
}

const KEY_WORDS: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  Escape: "Esc",
  " ": "Space",
};

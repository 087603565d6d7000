import { Dialog } from "../components/dialog.tsx";
import { layers, listShortcuts, shortcutsPreference } from "../data/keyboard.ts";
import { createValue, useValue } from "../data/value.ts";

const isShown = createValue(false);

/** Show which keys do what in the view that is open. */
export function showShortcutHelp(): void {
  isShown.set(true);
}

/** The overlay of {@link showShortcutHelp}; once on the page. */
export function ShortcutHelp() {
  const all = useValue(layers);
  const preference = useValue(shortcutsPreference);
  if (!useValue(isShown)) return null;
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => isShown.set(false)}>
      <dl class="keys">
        {listShortcuts(all).map(({ keys, label }) => (
          <div key={label}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{KEY_WORDS[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={preference === "on"}
          onChange={(event) => shortcutsPreference.set(event.currentTarget.checked ? "on" : "off")}
        />
        Single-key shortcuts
      </label>
      <p class="hint">Shortcuts are off while you type in a field. Tab, Enter, and Escape always work.</p>
    </Dialog>
  );
}

const KEY_WORDS: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  Escape: "Esc",
  " ": "Space",
};

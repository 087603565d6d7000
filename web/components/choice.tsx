import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface ChoiceProps<T extends string> {
  readonly legend: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, label: string, hint?: string])[];
  readonly onChange: (value: T) => void;
  readonly error?: string | undefined;
  /** In one line, for short labels without hints. */
  readonly inline?: boolean | undefined;
  readonly hideLegend?: boolean | undefined;
  readonly children?: ComponentChildren;
}

/** One of a few, all of them in sight with what each means. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { legend, value, options, onChange, error, inline, hideLegend, children } = props;
  const id = useId();
  return (
    <fieldset
      class={inline === true ? "choice inline" : "choice"}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend class={hideLegend === true ? "unseen" : undefined}>{legend}</legend>
      <div class="choice-options stack gap-2">
        {options.map(([one, label, hint]) => (
          <label key={one} class="choice-option">
            <input type="radio" name={id} checked={one === value} onChange={() => onChange(one)} />
            <span>
              {label}
              {hint !== undefined && <span class="hint">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {children}
      {error !== undefined && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Yes or no. */
export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

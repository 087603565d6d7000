import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** What a control needs to be described by its field. */
export interface FieldControl {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": "true" | undefined;
}

/** Properties of {@link Field}. */
export interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value; shown below the control and read out with it. */
  readonly error?: string | undefined;
  /** The label is read, not seen. */
  readonly hideLabel?: boolean | undefined;
  /** Draws the control with the given properties. */
  readonly children: (control: FieldControl) => ComponentChildren;
}

/** A label, a control, a hint and what is wrong. */
export function Field({ label, hint, error, hideLabel, children }: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const described = [hintId, errorId].filter((one) => one !== undefined).join(" ");
  return (
    <div class="field">
      <label for={id} class={hideLabel === true ? "unseen" : undefined}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": error === undefined ? undefined : "true",
      })}
      {hint !== undefined && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={errorId} class="error">
          {error}
        </p>
      )}
    </div>
  );
}

interface SelectProps<T extends string> extends Pick<FieldProps, "label" | "hideLabel"> {
  readonly value: T;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly onChange: (value: T) => void;
}

/** A choice of one from a short list. */
export function Select<T extends string>({ value, options, onChange, ...field }: SelectProps<T>) {
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "./button.tsx";
import { announce } from "./toasts.tsx";

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
      <FieldError id={errorId} error={error} />
    </div>
  );
}

interface FieldErrorProps {
  readonly id?: string | undefined;
  readonly error: string | undefined;
}

/** What is wrong with a field; nothing while it is right. */
export function FieldError({ id, error }: FieldErrorProps) {
  if (error === undefined) return null;
  return (
    <p id={id} class="error">
      {error}
    </p>
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

/** The entries of a text with commas or line breaks between them, without blanks around and without empty ones. */
export function toEntries(text: string): readonly string[] {
  const entries = text.split(/[,\n]/).map((entry) => entry.trim());
  return [...new Set(entries.filter((entry) => entry !== ""))];
}

interface EntryProps<T> extends Omit<FieldProps, "children"> {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly placeholder?: string | undefined;
}

interface TextFieldProps extends EntryProps<string> {
  /** Secrets are not shown while they are typed. */
  readonly isSecret?: boolean | undefined;
  readonly autocomplete?: "off" | "new-password" | "url" | undefined;
}

/** A line of text. */
export function TextField(props: TextFieldProps) {
  const { value, onChange, isSecret, placeholder, autocomplete = "off", ...field } = props;
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type={isSecret === true ? "password" : "text"}
          value={value}
          placeholder={placeholder}
          autocomplete={autocomplete}
          spellcheck={false}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A number; the field may be empty. What is no number is given on as NaN, which the server refuses. */
export function NumberField({ value, onChange, placeholder, ...field }: EntryProps<number | null>) {
  const [text, setText] = useState(() => toNumberText(value));
  useEffect(() => {
    if (!Object.is(toNumber(text), value)) setText(toNumberText(value));
  }, [value]);
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          class="number-input"
          type="text"
          inputMode="decimal"
          autocomplete="off"
          value={text}
          placeholder={placeholder}
          onInput={(event) => {
            setText(event.currentTarget.value);
            onChange(toNumber(event.currentTarget.value));
          }}
        />
      )}
    </Field>
  );
}

function toNumberText(value: number | null): string {
  return value === null || Number.isNaN(value) ? "" : String(value);
}

function toNumber(text: string): number | null {
  const trimmed = text.trim();
  return trimmed === "" ? null : Number(trimmed);
}

/** A list of short texts. Enter or a comma adds one; pasting several lines adds several. */
export function ListField({ value, onChange, placeholder, ...field }: EntryProps<readonly string[]>) {
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);

  function add(entries: readonly string[]): void {
    const added = entries.filter((entry) => !value.includes(entry));
    setText("");
    if (added.length > 0) onChange([...value, ...new Set(added)]);
  }

  function remove(entry: string): void {
    onChange(value.filter((one) => one !== entry));
    announce(`${entry} removed`);
    input.current?.focus();
  }

  return (
    <Field {...field}>
      {(control) => (
        <div class="entries">
          {value.map((entry) => (
            <button key={entry} type="button" class="entry" onClick={() => remove(entry)}>
              <span class="unseen">Remove </span>
              <span class="clip">{entry}</span>
              <Icon name="cross" />
            </button>
          ))}
          <input
            {...control}
            ref={input}
            type="text"
            value={text}
            placeholder={value.length === 0 ? placeholder : undefined}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => {
              const { value: typed } = event.currentTarget;
              if (/[,\n]/.test(typed)) add(toEntries(typed));
              else setText(typed);
            }}
            onPaste={(event) => {
              const pasted = event.clipboardData?.getData("text") ?? "";
              if (!/[,\n]/.test(pasted)) return;
              event.preventDefault();
              add(toEntries(text + pasted));
            }}
            onBlur={() => add(toEntries(text))}
            onKeyDown={(event) => {
              if (event.key === "Enter") {
                event.preventDefault();
                add(toEntries(text));
              }
              const last = value.at(-1);
              if (event.key === "Backspace" && text === "" && last !== undefined) remove(last);
            }}
          />
        </div>
      )}
    </Field>
  );
}

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
    <fieldset class="choice" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend class={hideLegend === true ? "unseen" : undefined}>{legend}</legend>
      <div class={inline === true ? "row" : "stack gap-2"}>
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
      <FieldError id={`${id}-error`} error={error} />
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
    <label class="check line">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

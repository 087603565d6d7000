import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "./button.tsx";
import { announce } from "../data/api/messages.ts";
import { rich, t } from "../data/base/texts.ts";

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The error, shown below the control and read out with it. */
  readonly error?: string | undefined;
  /** Whether only screen readers get the label. */
  readonly hideLabel?: boolean | undefined;
  /** Draws the control with the given properties. */
  readonly children: (control: object) => ComponentChildren;
}

export function Field({ label, hint, error, hideLabel, children }: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const described = [hintId, errorId].filter((one) => one !== undefined).join(" ");
  return (
    <div class="field stack gap-1">
      <label for={id} class={hideLabel ? "unseen" : undefined}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error !== undefined || undefined,
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

type FieldErrorProps = Pick<FieldProps, "error"> & { readonly id?: string | undefined };

export function FieldError({ error, ...p }: FieldErrorProps) {
  return error === undefined ? null : <p class="error" {...p} children={error} />;
}

interface SelectProps<T extends string> extends EntryProps<T> {
  readonly options: readonly (readonly [value: T, label: string])[];
}

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

export function toEntries(text: string): readonly string[] {
  const entries = text.split(/[,\n]/).map((entry) => entry.trim());
  return [...new Set(entries.filter((entry) => entry !== ""))];
}

interface EntryProps<T, Next = T> extends Omit<FieldProps, "children"> {
  readonly value: T;
  readonly onChange: (value: Next) => void;
  readonly placeholder?: string | undefined;
}

interface TextFieldProps extends EntryProps<string> {
  /** `password`: a new secret, which isn't shown while it is typed. Default: text. */
  readonly type?: "text" | "password" | "date" | "number";
}

export function TextField({ value, onChange, type = "text", placeholder, ...field }: TextFieldProps) {
  const isNumber = type === "number";
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          // The browser's number field drops input that isn't a number.
          type={isNumber ? "text" : type}
          class={isNumber ? "number-input" : undefined}
          inputMode={isNumber ? "decimal" : undefined}
          value={value}
          placeholder={placeholder}
          autocomplete={type === "password" ? "new-password" : "off"}
          spellcheck={false}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A number; the field may be empty. Other input becomes NaN, which the server refuses. */
export function NumberField(props: EntryProps<number | null | undefined, number | null>) {
  const { value = null, onChange, ...field } = props;
  const [text, setText] = useState(() => toNumberText(value));
  useEffect(() => {
    if (!Object.is(toNumber(text), value)) setText(toNumberText(value));
  }, [value]);
  const set = (next: string) => {
    setText(next);
    onChange(toNumber(next));
  };
  return <TextField {...field} type="number" value={text} onChange={set} />;
}

function toNumberText(value: number | null): string {
  return value === null || Number.isNaN(value) ? "" : String(value);
}

function toNumber(text: string): number | null {
  const trimmed = text.trim();
  return trimmed === "" ? null : Number(trimmed);
}

interface ListFieldProps extends EntryProps<readonly string[] | undefined, string[]> {
  /** How an entry is shown. Default: as it is. */
  readonly toWord?: (entry: string) => string;
  /** The entry that a typed text stands for. Default: the text. */
  readonly toEntry?: (text: string) => string;
  /** Texts to choose from while something is typed. Default: none. */
  readonly suggest?: (text: string) => readonly string[];
}

/** A list of short texts. Enter or a comma adds one; pasting several lines adds several. */
export function ListField(props: ListFieldProps) {
  const { value = [], onChange, placeholder, toWord = String, toEntry = String, suggest, ...field } = props;
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();

  function add(entries: readonly string[]): void {
    const added = entries.map((entry) => toEntry(entry)).filter((entry) => !value.includes(entry));
    setText("");
    if (added.length > 0) onChange([...value, ...new Set(added)]);
  }

  function remove(entry: string): void {
    onChange(value.filter((one) => one !== entry));
    announce(t("components.removed", { entry: toWord(entry) }));
    input.current?.focus();
  }

  return (
    <Field {...field}>
      {(control) => (
        <div class="entries row gap-1">
          {value.map((entry) => (
            <Entry key={entry} entry={toWord(entry)} onRemove={() => remove(entry)} />
          ))}
          <input
            {...control}
            ref={input}
            type="text"
            list={suggest && listId}
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
          {suggest && <Suggestions id={listId} texts={suggest(text)} />}
        </div>
      )}
    </Field>
  );
}

function Suggestions({ id, texts }: { readonly id: string; readonly texts: readonly string[] }) {
  return (
    <datalist id={id}>
      {texts.map((one) => (
        <option key={one} value={one} />
      ))}
    </datalist>
  );
}

interface EntryButtonProps {
  readonly entry: string;
  readonly onRemove: () => void;
}

function Entry({ entry, onRemove }: EntryButtonProps) {
  return (
    <button type="button" class="entry" onClick={onRemove}>
      {rich("components.remove-entry", {
        unseen: (text) => <span class="unseen">{text}</span>,
        entry: <span class="clip">{entry}</span>,
      })}
      <Icon name="cross" />
    </button>
  );
}

interface ChoiceProps<T extends string> extends Omit<SelectProps<T>, "options"> {
  readonly options: readonly (readonly [
    value: T,
    label: string,
    hint?: string | undefined,
    isOff?: boolean,
  ])[];
  /** In one line, for short labels without hints. */
  readonly inline?: boolean;
}

/** A choice of a few options, all visible with descriptions. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label: legend, value, options, onChange, error, inline, hideLabel } = props;
  const id = useId();
  return (
    <fieldset class="choice" aria-describedby={error && `${id}-error`}>
      <legend class={hideLabel ? "unseen" : undefined}>{legend}</legend>
      <div class={inline ? "row" : "stack gap-2"}>
        {options.map(([one, label, hint, isOff]) => (
          <label key={one} class="choice-option">
            <input
              type="radio"
              name={id}
              checked={one === value}
              disabled={isOff}
              onChange={() => onChange(one)}
            />
            <span>
              {label}
              {hint !== undefined && <span class="hint">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

export function Check({ label, value = false, onChange }: EntryProps<boolean | undefined, boolean>) {
  return (
    <label class="check line">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

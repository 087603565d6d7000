import { useEffect, useRef, useState } from "preact/hooks";
import { Field, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { announce } from "./toasts.tsx";

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
              <span class="entry-text">{entry}</span>
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

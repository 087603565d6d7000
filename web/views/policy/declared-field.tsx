import { Check, Choice, FieldError, ListField, NumberField, TextField } from "../../components/form.tsx";
import { suggestCountries, toCountryEntry } from "../../data/base/country-names.ts";
import { nameCountry } from "../../data/base/format.ts";
import { t } from "../../data/base/texts.ts";
import type { Field } from "../../data/policy/policy-fields.ts";
import type { Range } from "../../data/policy/rule-words.ts";

interface DeclaredFieldProps {
  readonly field: Field;
  readonly hideLabel?: boolean;
  readonly value: unknown;
  readonly error: string | undefined;
  /** What is wrong with a part of the value. */
  readonly findError?: ((part: string) => string | undefined) | undefined;
  readonly onChange: (value: unknown) => void;
}

export function DeclaredField({ field, value, findError, ...more }: DeclaredFieldProps) {
  const { kind, options = [], ...words } = field;
  const control = { ...words, ...more };
  switch (kind) {
    case "number":
      return <NumberField {...control} value={value as number | null} />;
    case "text":
      return (
        <TextField
          {...control}
          value={(value as string | undefined) ?? ""}
          onChange={(text) => more.onChange(text === "" ? undefined : text)}
        />
      );
    case "list":
      return (
        <ListField
          placeholder={t("policy.type-a-value-and-press-enter")}
          {...control}
          value={value as string[]}
        />
      );
    case "countries":
      return <CountryField {...control} value={value as string[]} />;
    case "range":
      return <RangeField {...control} findError={findError} value={value as Range} />;
    case "check":
      return <Check {...control} value={value === true} />;
    case "choice":
      return <Choice {...control} value={value as string} options={options} />;
    case "answer": {
      const onChange = (next: string) => more.onChange(next === "true");
      return <Choice {...control} inline value={String(value)} options={options} onChange={onChange} />;
    }
    default:
      return <Choices {...control} value={value as string[]} options={options} />;
  }
}

interface ChoicesProps extends Omit<DeclaredFieldProps, "field"> {
  readonly label: string;
  readonly options: NonNullable<Field["options"]>;
  readonly value: readonly string[];
}

function Choices({ label, value, options, error, onChange }: ChoicesProps) {
  const set = (key: string, checked: boolean) =>
    onChange(options.map(([one]) => one).filter((one) => (one === key ? checked : value.includes(one))));
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="row">
        {options.map(([key, text]) => (
          <Check
            key={key}
            label={text}
            value={value.includes(key)}
            onChange={(checked) => set(key, checked)}
          />
        ))}
      </div>
      <FieldError error={error} />
    </fieldset>
  );
}

function CountryField(props: Omit<Parameters<typeof ListField>[0], "toWord" | "toEntry" | "suggest">) {
  return (
    <ListField
      placeholder={t("policy.type-a-country")}
      {...props}
      toWord={nameCountry}
      toEntry={toCountryEntry}
      suggest={suggestCountries}
    />
  );
}

interface RangeFieldProps extends Omit<DeclaredFieldProps, "field"> {
  readonly label: string;
  readonly hint?: string;
  readonly value: Range;
}

/** Two numbers of which one may be left empty. */
function RangeField({ label, hint, value, error, findError, onChange }: RangeFieldProps) {
  const set = (part: "min" | "max", given: number | null) => {
    const { [part]: _, ...other } = value;
    onChange(given === null ? other : { ...other, [part]: given });
  };
  return (
    <fieldset class="choice stack gap-2">
      <legend>{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <div class="row">
        {RANGE_PARTS.map(([part, text]) => (
          <NumberField
            key={part}
            label={text}
            value={value[part] ?? null}
            error={findError?.(part)}
            onChange={(given) => set(part, given)}
          />
        ))}
      </div>
      <FieldError error={error} />
    </fieldset>
  );
}

const RANGE_PARTS = [
  ["min", t("policy.at-least")],
  ["max", t("policy.at-most")],
] as const;

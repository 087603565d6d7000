import { Check, Choice, FieldError, ListField, NumberField } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import type { PolicyPartProps } from "../../data/policy/policy-draft.ts";
import { findProblem } from "../../data/api/field-problems.ts";
import {
  changeSetting,
  type Field,
  FIELD_GROUPS,
  type FieldGroup,
  readSetting,
} from "../../data/policy/policy-fields.ts";

export function PolicyHandling(props: PolicyPartProps) {
  return (
    <>
      {FIELD_GROUPS.map((group) => (
        <GroupPanel key={group.title} group={group} {...props} />
      ))}
    </>
  );
}

function GroupPanel({ group, ...props }: PolicyPartProps & { readonly group: FieldGroup }) {
  const { title, fields, foot } = group;
  const all = Object.entries(fields).map(([path, field]) => {
    return [field.kind, <Setting key={path} path={path} field={field} {...props} />] as const;
  });
  const checks = all.filter(([kind]) => kind === "check");
  const others = all.filter(([kind]) => kind !== "check");
  return (
    <Panel title={title}>
      <div class={others.every(([kind]) => kind === "number") ? "form-grid three stack" : "form-grid stack"}>
        {others.map(([, drawn]) => drawn)}
      </div>
      {checks.length > 0 && <div class="checks row">{checks.map(([, drawn]) => drawn)}</div>}
      {foot !== undefined && <p class="hint lead">{foot}</p>}
    </Panel>
  );
}

interface SettingProps extends PolicyPartProps {
  /** Its path in the document. */
  readonly path: string;
  readonly field: Field;
  readonly hideLabel?: boolean;
}

/** The server refuses an empty number, unless the setting is optional. */
export function Setting({ path, draft, policy, ...field }: SettingProps) {
  return (
    <DeclaredField
      {...field}
      value={readSetting(policy, path)}
      error={findProblem(draft.problems, path)}
      onChange={(value) => draft.update(changeSetting(policy, path, value))}
    />
  );
}

interface DeclaredFieldProps extends Pick<SettingProps, "field" | "hideLabel"> {
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

export function DeclaredField({ field, value, ...more }: DeclaredFieldProps) {
  const { kind, options = [], ...words } = field;
  const control = { ...words, ...more };
  switch (kind) {
    case "number":
      return <NumberField {...control} value={value as number | null} />;
    case "list":
      return <ListField placeholder="Type a value and press Enter" {...control} value={value as string[]} />;
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

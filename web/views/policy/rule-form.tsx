import type { PolicyRule, RuleConditions } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import {
  FieldError,
  Check,
  Choice,
  ListField,
  NumberField,
  Select,
  TextField,
} from "../../components/form.tsx";
import type { FieldProblem } from "../../data/api.ts";
import {
  CONDITION_NAMES,
  type ConditionName,
  CONDITIONS,
  toCompanions,
  toFirstValue,
} from "../../data/policy-conditions.ts";
import { ACTION_OPTIONS, findProblem } from "../../data/policy-draft.ts";

interface RuleFormProps {
  readonly rule: PolicyRule;
  /** Where the rule is in the document. */
  readonly path: string;
  readonly problems: readonly FieldProblem[];
  readonly onChange: (rule: PolicyRule) => void;
}

/** One rule: its name, its conditions, and what happens. */
export function RuleForm({ rule, path, problems, onChange }: RuleFormProps) {
  const { when } = rule;
  const present = CONDITION_NAMES.filter((name) => when[name] !== undefined);
  const setWhen = (name: ConditionName, value: unknown) =>
    onChange({ ...rule, when: withCondition(when, name, value) });
  return (
    <div class="rule-form stack">
      <TextField
        label="Name"
        value={rule.name}
        hint="Shown with the decision. Don't include customer names."
        error={findProblem(problems, `${path}.name`)}
        onChange={(name) => onChange({ ...rule, name })}
      />
      <div class="stack gap-3" role="group" aria-label="Conditions">
        <h3>When all of these match</h3>
        {present.map((name) => (
          <div key={name} class="condition tile">
            <ConditionField
              name={name}
              value={when[name]}
              error={findProblem(problems, `${path}.when.${name}`)}
              onChange={(value) => setWhen(name, value)}
            />
            <Button
              label={`Remove the condition: ${CONDITIONS[name].label}`}
              small
              icon="cross"
              iconOnly
              onClick={() => setWhen(name, undefined)}
            />
          </div>
        ))}
        <Select
          label="Add condition"
          value=""
          options={[
            ["", present.length === 0 ? "Choose a condition (at least one)" : "Choose a condition"],
            ...CONDITION_NAMES.filter((name) => when[name] === undefined).map(
              (name) => [name, CONDITIONS[name].label] as const,
            ),
          ]}
          onChange={(name) => {
            if (name === "") return;
            const added = withCondition(when, name, toFirstValue(name));
            onChange({ ...rule, when: { ...added, ...toCompanions(name, when) } });
          }}
        />
        <FieldError error={findProblem(problems, `${path}.when`)} />
      </div>
      <ThenForm rule={rule} path={path} problems={problems} onChange={onChange} />
    </div>
  );
}

/** Conditions with one set, or without it. */
function withCondition(when: RuleConditions, name: ConditionName, value: unknown): RuleConditions {
  const { [name]: _, ...others } = when;
  return value === undefined ? others : { ...others, [name]: value };
}

interface ConditionFieldProps {
  readonly name: ConditionName;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

function ConditionField({ name, value, error, onChange }: ConditionFieldProps) {
  const { kind, label, hint, answers } = CONDITIONS[name];
  const field = { label, hint, error, onChange };
  switch (kind) {
    case "choices":
      return (
        <ChoiceChecks name={name} value={value as readonly string[]} error={error} onChange={onChange} />
      );
    case "flag":
      return (
        <Choice
          label={label}
          inline
          error={error}
          value={value === true ? "true" : "false"}
          options={[
            ["true", answers?.[0] ?? "Yes"],
            ["false", answers?.[1] ?? "No"],
          ]}
          onChange={(next) => onChange(next === "true")}
        />
      );
    case "amount":
      return <NumberField {...field} value={value as number} />;
    default:
      return (
        <ListField {...field} value={value as readonly string[]} placeholder="Type a value and press Enter" />
      );
  }
}

type ChoiceChecksProps = ConditionFieldProps & { readonly value: readonly string[] };

function ChoiceChecks({ name, value, error, onChange }: ChoiceChecksProps) {
  const { label, choices = {} } = CONDITIONS[name];
  const keys = Object.keys(choices);
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="row">
        {keys.map((key) => (
          <Check
            key={key}
            label={choices[key] ?? key}
            value={value.includes(key)}
            onChange={(checked) =>
              onChange(keys.filter((one) => (one === key ? checked : value.includes(one))))
            }
          />
        ))}
      </div>
      <FieldError error={error} />
    </fieldset>
  );
}

function ThenForm({ rule, path, problems, onChange }: RuleFormProps) {
  const { then } = rule;
  return (
    <div class="then" role="group" aria-label="Action">
      <Select
        label="Then"
        value={then.skip === true ? "skip" : then.action}
        options={[...ACTION_OPTIONS, ["skip", "Don't check: allow without using a credit"]]}
        onChange={(next) => {
          const tags = then.skip === true ? [] : (then.tags ?? []);
          onChange({ ...rule, then: next === "skip" ? { skip: true } : { action: next, tags } });
        }}
      />
      {then.skip !== true && (
        <ListField
          label="Tags"
          value={then.tags ?? []}
          placeholder="No tags"
          error={findProblem(problems, `${path}.then.tags`)}
          onChange={(tags) => onChange({ ...rule, then: { action: then.action, tags } })}
        />
      )}
    </div>
  );
}

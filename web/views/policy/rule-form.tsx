import type { PolicyRule, RuleConditions } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { FieldError, ListField, Select, TextField } from "../../components/form.tsx";
import type { FieldProblem } from "../../data/api/api.ts";
import {
  CONDITION_NAMES,
  type ConditionName,
  CONDITIONS,
  toCompanions,
} from "../../data/policy/policy-conditions.ts";
import { ACTION_OPTIONS } from "../../data/policy/policy-draft.ts";
import { findProblem } from "../../data/api/field-problems.ts";
import { DeclaredField } from "./policy-handling.tsx";

interface RuleFormProps {
  readonly rule: PolicyRule;
  /** Where the rule is in the document. */
  readonly path: string;
  readonly problems: readonly FieldProblem[];
  readonly onChange: (rule: PolicyRule) => void;
}

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
          <div key={name} class="condition tile stack gap-2">
            <DeclaredField
              field={CONDITIONS[name]}
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
            const added = withCondition(when, name, CONDITIONS[name].first);
            onChange({ ...rule, when: { ...added, ...toCompanions(name, when) } });
          }}
        />
        <FieldError error={findProblem(problems, `${path}.when`)} />
      </div>
      <ThenForm rule={rule} path={path} problems={problems} onChange={onChange} />
    </div>
  );
}

/** Undefined removes the condition. */
function withCondition(when: RuleConditions, name: ConditionName, value: unknown): RuleConditions {
  const { [name]: _, ...others } = when;
  return value === undefined ? others : { ...others, [name]: value };
}

function ThenForm({ rule, path, problems, onChange }: RuleFormProps) {
  const { then } = rule;
  return (
    <div class="then stack gap-3" role="group" aria-label="Action">
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

import type { RuleConditions } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { Field, FieldError } from "../../components/form.tsx";
import type { FieldProblem } from "../../data/api/api.ts";
import { findProblem } from "../../data/api/field-problems.ts";
import { t } from "../../data/base/texts.ts";
import {
  CONDITION_GROUPS,
  GROUP_WORDS,
  MOST_LEVELS,
  type GroupName,
} from "../../data/policy/condition-groups.ts";
import {
  CONDITION_NAMES,
  CONDITIONS,
  toCompanions,
  type ConditionName,
} from "../../data/policy/policy-conditions.ts";
import { DeclaredField } from "./declared-field.tsx";

interface ConditionSetProps {
  readonly when: RuleConditions;
  /** Where the conditions are in the document. */
  readonly path: string;
  readonly problems: readonly FieldProblem[];
  /** How many groups are around them. */
  readonly level: number;
  readonly onChange: (when: RuleConditions) => void;
}

/** Conditions that must all match, and what can be added to them. */
export function ConditionSet({ when, path, problems, level, onChange }: ConditionSetProps) {
  const present = CONDITION_NAMES.filter((name) => when[name] !== undefined);
  const set = (name: ConditionName | GroupName, value: unknown) => onChange(withEntry(when, name, value));
  return (
    <>
      {present.map((name) => (
        <div key={name} class="condition tile stack gap-2">
          <DeclaredField
            field={CONDITIONS[name]}
            value={when[name]}
            error={findProblem(problems, `${path}.${name}`)}
            findError={(part) => findProblem(problems, `${path}.${name}.${part}`)}
            onChange={(value) => set(name, value)}
          />
          <Button
            label={t("policy.remove-condition", { condition: CONDITIONS[name].label })}
            small
            icon="cross"
            iconOnly
            onClick={() => set(name, undefined)}
          />
        </div>
      ))}
      {GROUP_NAMES.map((name) => {
        const sets = when[name];
        return sets === undefined ? null : (
          <ConditionGroup
            key={name}
            {...{ name, sets, problems, level }}
            path={`${path}.${name}`}
            onChange={(next) => set(name, next.length === 0 ? undefined : next)}
          />
        );
      })}
      <ConditionSelect
        isEmpty={Object.keys(when).length === 0}
        isFree={(name) => when[name] === undefined && (level < MOST_LEVELS || !isGroup(name))}
        onAdd={(name) => {
          if (isGroup(name)) set(name, [{}]);
          else onChange({ ...withEntry(when, name, CONDITIONS[name].first), ...toCompanions(name, when) });
        }}
      />
      <FieldError error={problems.find((problem) => problem.path === path) && findProblem(problems, path)} />
    </>
  );
}

const GROUP_NAMES = Object.keys(GROUP_WORDS) as readonly GroupName[];

function isGroup(name: ConditionName | GroupName): name is GroupName {
  return name in GROUP_WORDS;
}

/** Undefined removes the entry. */
function withEntry(when: RuleConditions, name: ConditionName | GroupName, value: unknown): RuleConditions {
  const { [name]: _, ...others } = when;
  return value === undefined ? others : { ...others, [name]: value };
}

interface ConditionGroupProps extends Omit<ConditionSetProps, "when" | "onChange"> {
  readonly name: GroupName;
  readonly sets: readonly RuleConditions[];
  readonly onChange: (sets: readonly RuleConditions[]) => void;
}

/** Sets of conditions of which one is enough, to match or not to match. */
function ConditionGroup({ name, sets, path, problems, level, onChange }: ConditionGroupProps) {
  const { title, hint } = GROUP_WORDS[name];
  return (
    <fieldset class="condition-group stack gap-3">
      <legend>{title}</legend>
      <p class="hint">{hint}</p>
      {sets.map((set, index) => (
        <div
          key={index}
          class="condition-entry stack gap-3"
          role="group"
          aria-label={t("policy.set-number", { number: index + 1, group: title })}
        >
          {index > 0 && <p class="strong">{t("policy.or")}</p>}
          <ConditionSet
            when={set}
            path={`${path}[${index}]`}
            problems={problems}
            level={level + 1}
            onChange={(next) => onChange(sets.with(index, next))}
          />
          <Button
            label={t("policy.remove-set")}
            about={t("policy.set-number", { number: index + 1, group: title })}
            small
            onClick={() => onChange(sets.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button
        label={t("policy.add-set")}
        about={title}
        small
        icon="plus"
        onClick={() => onChange([...sets, {}])}
      />
      <FieldError error={problems.find((problem) => problem.path === path) && findProblem(problems, path)} />
    </fieldset>
  );
}

interface ConditionSelectProps {
  readonly isEmpty: boolean;
  readonly isFree: (name: ConditionName | GroupName) => boolean;
  readonly onAdd: (name: ConditionName | GroupName) => void;
}

function ConditionSelect({ isEmpty, isFree, onAdd }: ConditionSelectProps) {
  return (
    <Field label={t("policy.add-condition")}>
      {(control) => (
        <select
          {...control}
          value=""
          onChange={({ currentTarget }) => {
            const name = currentTarget.value as ConditionName | GroupName | "";
            currentTarget.value = "";
            if (name !== "") onAdd(name);
          }}
        >
          <option value="">
            {isEmpty ? t("policy.choose-a-condition-at-least-one") : t("policy.choose-a-condition")}
          </option>
          {CONDITION_GROUPS.map(([title, names]) => (
            <optgroup key={title} label={title}>
              {names.filter(isFree).map((name) => (
                <option key={name} value={name}>
                  {CONDITIONS[name].label}
                </option>
              ))}
            </optgroup>
          ))}
          {GROUP_NAMES.some(isFree) && (
            <optgroup label={t("conditions.groups")}>
              {GROUP_NAMES.filter(isFree).map((name) => (
                <option key={name} value={name}>
                  {GROUP_WORDS[name].title}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      )}
    </Field>
  );
}

import type { Action } from "../../data/api/api-types.ts";
import type { DecidingThen, PolicyRule } from "../../../src/policy/policy.ts";
import { Check, ListField, Select, TextField } from "../../components/form.tsx";
import type { FieldProblem } from "../../data/api/api.ts";
import { ACTION_OPTIONS } from "../../data/policy/policy-draft.ts";
import { findProblem } from "../../data/api/field-problems.ts";
import { ConditionSet } from "./condition-set.tsx";
import { ASKING_OPTIONS, fromChoice, toChoice, type AskingChoice } from "../../data/policy/asking.ts";
import { t } from "../../data/base/texts.ts";

interface RuleFormProps {
  readonly rule: PolicyRule;
  /** Where the rule is in the document. */
  readonly path: string;
  readonly problems: readonly FieldProblem[];
  readonly onChange: (rule: PolicyRule) => void;
}

export function RuleForm({ rule, path, problems, onChange }: RuleFormProps) {
  return (
    <div class="rule-form stack">
      <TextField
        label={t("policy.name")}
        value={rule.name}
        hint={t("policy.shown-with-the-decision-dont-include")}
        error={findProblem(problems, `${path}.name`)}
        onChange={(name) => onChange({ ...rule, name })}
      />
      <div class="stack gap-3" role="group" aria-label={t("policy.conditions")}>
        <h3>{t("policy.when-all-of-these-match")}</h3>
        <ConditionSet
          when={rule.when}
          path={`${path}.when`}
          problems={problems}
          level={0}
          onChange={(when) => onChange({ ...rule, when })}
        />
      </div>
      <ThenForm rule={rule} path={path} problems={problems} onChange={onChange} />
    </div>
  );
}

/** What happens, as the form asks for it. */
interface Outcome {
  readonly action: Action;
  /** Unless the risk level does more. */
  readonly isLeast: boolean;
  readonly tags: readonly string[];
  readonly asking: AskingChoice;
}

function toOutcome({ action, atLeast, tags = [], verify }: DecidingThen): Outcome {
  const asking = toChoice(verify);
  return action === undefined
    ? { action: atLeast, isLeast: true, tags, asking }
    : { action, isLeast: false, tags, asking };
}

/** Every level does at least "allow". */
function toThen({ action, isLeast, tags, asking }: Outcome): DecidingThen {
  const asked = fromChoice(asking, action);
  return isLeast && action !== "allow" ? { atLeast: action, tags, ...asked } : { action, tags, ...asked };
}

function ThenForm({ rule, path, problems, onChange }: RuleFormProps) {
  const { then } = rule;
  const outcome: Outcome =
    then.skip === true ? { action: "allow", isLeast: true, tags: [], asking: "none" } : toOutcome(then);
  const set = (change: Partial<Outcome>) => onChange({ ...rule, then: toThen({ ...outcome, ...change }) });
  return (
    <div class="then stack gap-3" role="group" aria-label={t("policy.action")}>
      <Select
        label={t("policy.then")}
        value={then.skip === true ? "skip" : outcome.action}
        options={[...ACTION_OPTIONS, ["skip", t("policy.dont-check-allow-without-using-a")]]}
        onChange={(next) =>
          next === "skip" ? onChange({ ...rule, then: { skip: true } }) : set({ action: next })
        }
      />
      {then.skip !== true && outcome.action !== "allow" && (
        <div>
          <Check
            label={t("policy.at-least-only")}
            value={outcome.isLeast}
            onChange={(isLeast) => set({ isLeast })}
          />
          <p class="hint">{t("policy.at-least-hint")}</p>
        </div>
      )}
      {then.skip !== true && outcome.action === "hold" && (
        <Select
          label={t("asking.title")}
          value={outcome.asking}
          options={ASKING_OPTIONS}
          error={findProblem(problems, `${path}.then.verify`)}
          onChange={(asking) => set({ asking })}
        />
      )}
      {then.skip !== true && (
        <ListField
          label={t("policy.tags")}
          value={outcome.tags}
          placeholder={t("policy.no-tags")}
          error={findProblem(problems, `${path}.then.tags`)}
          onChange={(tags) => set({ tags })}
        />
      )}
    </div>
  );
}

import type { Policy } from "../../../src/policy/policy.ts";
import { LevelBadge } from "../../components/badge.tsx";
import { Choice } from "../../components/choice.tsx";
import { ListField } from "../../components/entry.tsx";
import { Select } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import type { RiskLevel } from "../../data/api-types.ts";
import { bindSetting, findProblem, ACTION_OPTIONS, type PolicyPartProps } from "../../data/policy-draft.ts";
import { LEVELS, LEVEL_WORDS } from "../../data/words.ts";
import { ListPanel } from "./list-panel.tsx";
import { PolicyHandling } from "./policy-handling.tsx";
import { RuleList } from "./rule-list.tsx";
import { WeightPanel } from "./weight-panel.tsx";

/** Everything a policy says, as a form. */
export function PolicyForm(props: PolicyPartProps) {
  return (
    <>
      <Panel title="Mode">
        <Choice
          legend="Mode"
          hideLegend
          {...bindSetting(props, "mode")}
          options={[
            ["active", "Active", "Holdfast tags, holds, and cancels orders."],
            [
              "shadow",
              "Watch only",
              "Holdfast records decisions without changing orders. The report shows what would have happened.",
            ],
          ]}
        />
      </Panel>
      <Levels {...props} />
      <RuleList {...props} />
      <ListPanel {...props} />
      <PolicyHandling {...props} />
      <WeightPanel {...props} />
    </>
  );
}

function Levels({ draft, policy }: PolicyPartProps) {
  return (
    <Panel title="Risk levels">
      <p class="hint lead">
        What happens at each risk level if no rule matches. Only orders checked by the service can be
        canceled.
      </p>
      <ul class="levels stack gap-3">
        {LEVELS.map((level) => (
          <LevelRow key={level} level={level} draft={draft} policy={policy} />
        ))}
      </ul>
      <ListField
        label="Tags for orders not checked by the service"
        hint="Added to the risk level's tags, except on test orders. Removed when the service checks the order or a person approves it."
        value={policy.unchecked?.tags ?? []}
        placeholder="Type a tag and press Enter"
        error={findProblem(draft.problems, "unchecked.tags")}
        onChange={(tags) => draft.update({ unchecked: { tags: [...tags] } })}
      />
    </Panel>
  );
}

function LevelRow({ level, draft, policy }: PolicyPartProps & { readonly level: RiskLevel }) {
  const { action, tags } = policy.levels[level];
  const set = (change: Partial<Policy["levels"]["low"]>) =>
    draft.update({ levels: { ...policy.levels, [level]: { ...policy.levels[level], ...change } } });
  const name = LEVEL_WORDS[level];
  return (
    <li>
      <LevelBadge level={level} />
      <Select
        label={`${name} risk: action`}
        hideLabel
        value={action}
        options={ACTION_OPTIONS}
        onChange={(next) => set({ action: next })}
      />
      <ListField
        label={`${name} risk: tags`}
        hideLabel
        value={tags ?? []}
        placeholder="Type a tag and press Enter"
        error={findProblem(draft.problems, `levels.${level}.tags`)}
        onChange={(next) => set({ tags: [...next] })}
      />
    </li>
  );
}

import type { Policy } from "../../../src/policy/policy.ts";
import { LevelBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ListField, Select, TextField } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import type { RiskLevel } from "../../data/api/api-types.ts";
import { ACTION_OPTIONS, type PolicyPartProps } from "../../data/policy/policy-draft.ts";
import { findProblem } from "../../data/api/field-problems.ts";
import { MODE } from "../../data/policy/policy-fields.ts";
import { LEVEL_WORDS, LEVELS, LINK_WORDS, LIST_WORDS, nameActor } from "../../data/api/words.ts";
import { PolicyHandling, Setting } from "./policy-handling.tsx";
import { RuleList } from "./rule-list.tsx";
import { WeightPanel } from "./weight-panel.tsx";

export function PolicyForm(props: PolicyPartProps) {
  return (
    <>
      <Panel title="Mode">
        <Setting path="mode" field={MODE} hideLabel {...props} />
      </Panel>
      <Levels {...props} />
      <RuleList {...props} />
      <ListPanel {...props} />
      <PolicyHandling {...props} />
      <WeightPanel {...props} />
    </>
  );
}

function Levels(props: PolicyPartProps) {
  const { draft, policy } = props;
  return (
    <Panel
      title="Risk levels"
      lead="What happens at each risk level if no rule matches. Only orders checked by the service can be canceled."
    >
      <ul class="levels stack gap-3">
        {LEVELS.map((level) => (
          <LevelRow key={level} level={level} {...props} />
        ))}
      </ul>
      <ListField
        label="Tags for orders not checked by the service"
        hint="Added to the risk level's tags, except on test orders. Removed when the service checks the order or a person approves it."
        value={policy.unchecked?.tags}
        placeholder="Type a tag and press Enter"
        error={findProblem(draft.problems, "unchecked.tags")}
        onChange={(tags) => draft.update({ unchecked: { tags } })}
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
    <li class="stack gap-3">
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
        value={tags}
        placeholder="Type a tag and press Enter"
        error={findProblem(draft.problems, `levels.${level}.tags`)}
        onChange={(next) => set({ tags: next })}
      />
    </li>
  );
}

/** Who is trusted or blocked: entries are added from an order, and changed or removed here. */
function ListPanel({ draft, policy }: PolicyPartProps) {
  const { lists } = policy;
  return (
    <Panel
      title="Trusted and blocked buyers, and snoozed rules"
      lead="Blocked: new orders are held or canceled, never allowed. Trusted: one step milder, except for critical orders. To add a buyer, open an order and go to “Linked orders”. Snoozed: a rule isn't applied to a customer. To snooze a rule, open an order and go to “Decision”."
    >
      <ul class="stack">
        {lists.map((entry, index) => {
          const what = `${LINK_WORDS[entry.kind]} ${entry.label}`;
          const name = entry.rule === undefined ? what : `${what}, rule “${entry.rule}”`;
          const setUntil = (until: string) =>
            draft.update({ lists: lists.with(index, { ...entry, until: until || null }) });
          return (
            <li key={`${entry.kind} ${entry.digest} ${entry.rule ?? ""}`} class="row gap-3 between">
              <div>
                <b>{name}</b> {LIST_WORDS[entry.list]} by {nameActor(entry.owner)}
                <p class="soft">{entry.reason}</p>
              </div>
              <div class="row">
                <TextField
                  label={`Last day of ${name}`}
                  hideLabel
                  type="date"
                  value={entry.until ?? ""}
                  onChange={setUntil}
                />
                <Button
                  label="Remove"
                  about={name}
                  small
                  onClick={() => draft.update({ lists: lists.toSpliced(index, 1) })}
                />
              </div>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

import type { Policy } from "../../../src/policy/policy.ts";
import { LevelBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ListField, Select, TextField } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import type { RiskLevel } from "../../data/api/api-types.ts";
import { ACTION_OPTIONS, type PolicyPartProps } from "../../data/policy/policy-draft.ts";
import { findProblem } from "../../data/api/field-problems.ts";
import { MODE } from "../../data/policy/policy-fields.ts";
import { ASKING_OPTIONS, fromChoice, toChoice } from "../../data/policy/asking.ts";
import { LEVELS, LEVEL_WORDS, LINK_WORDS, LIST_WORDS, nameActor } from "../../data/api/words.ts";
import { PolicyHandling, Setting } from "./policy-handling.tsx";
import { RuleList } from "./rule-list.tsx";
import { ModelPanel } from "./model-panel.tsx";
import { rich, t } from "../../data/base/texts.ts";

export function PolicyForm(props: PolicyPartProps) {
  return (
    <>
      <Panel title={t("policy.mode")}>
        <Setting path="mode" field={MODE} hideLabel {...props} />
      </Panel>
      <Levels {...props} />
      <RuleList {...props} />
      <ListPanel {...props} />
      <PolicyHandling {...props} />
      <ModelPanel {...props} />
    </>
  );
}

function Levels(props: PolicyPartProps) {
  const { draft, policy } = props;
  return (
    <Panel title={t("policy.risk-levels")} lead={t("policy.what-happens-at-each-risk-level")}>
      <ul class="levels stack gap-3">
        {LEVELS.map((level) => (
          <LevelRow key={level} level={level} {...props} />
        ))}
      </ul>
      <ListField
        label={t("policy.tags-for-orders-not-checked-by")}
        hint={t("policy.added-to-the-risk-levels-tags")}
        value={policy.unchecked?.tags}
        placeholder={t("policy.type-a-tag-and-press-enter")}
        error={findProblem(draft.problems, "unchecked.tags")}
        onChange={(tags) => draft.update({ unchecked: { tags } })}
      />
    </Panel>
  );
}

function LevelRow({ level, draft, policy }: PolicyPartProps & { readonly level: RiskLevel }) {
  const { action, tags, verify } = policy.levels[level];
  const set = (change: Partial<Policy["levels"]["low"]>) => {
    const next = { action, tags, ...change };
    const asked = fromChoice(toChoice("verify" in change ? change.verify : verify), next.action);
    draft.update({
      levels: { ...policy.levels, [level]: { action: next.action, tags: next.tags, ...asked } },
    });
  };

  return (
    <li class="stack gap-3">
      <LevelBadge level={level} />
      <Select
        label={t("policy.level-action", { level })}
        hideLabel
        value={action}
        options={ACTION_OPTIONS}
        onChange={(next) => set({ action: next })}
      />
      {action === "hold" && (
        <Select
          label={t("asking.level", { level: LEVEL_WORDS[level] })}
          hideLabel
          value={toChoice(verify)}
          options={ASKING_OPTIONS}
          error={findProblem(draft.problems, `levels.${level}.verify`)}
          onChange={(next) => set({ verify: next === "none" ? undefined : next })}
        />
      )}
      <ListField
        label={t("policy.level-tags", { level })}
        hideLabel
        value={tags}
        placeholder={t("policy.type-a-tag-and-press-enter")}
        error={findProblem(draft.problems, `levels.${level}.tags`)}
        onChange={(next) => set({ tags: next })}
      />
    </li>
  );
}

/** Whether a checkout that treats blocked buyers differently can't recognize one by this entry. */
function isLeftOut({ blockedAtCheckout }: Policy, { list, checkout }: Policy["lists"][number]): boolean {
  return blockedAtCheckout !== "nothing" && list === "block" && checkout === undefined;
}

/** Who is trusted or blocked: entries are added from an order, and changed or removed here. */
function ListPanel({ draft, policy }: PolicyPartProps) {
  const { lists } = policy;
  return (
    <Panel
      title={t("policy.trusted-and-blocked-buyers-and-snoozed")}
      lead={t("policy.blocked-new-orders-are-held-or")}
    >
      <ul class="stack">
        {lists.map((entry, index) => {
          const what = `${LINK_WORDS[entry.kind]} ${entry.label}`;
          const name = entry.rule === undefined ? what : t("policy.entry-rule", { what, rule: entry.rule });
          const setUntil = (until: string) =>
            draft.update({ lists: lists.with(index, { ...entry, until: until || null }) });
          return (
            <li
              key={`${entry.kind} ${entry.digest} ${entry.rule ?? ""} ${entry.order ?? ""}`}
              class="row gap-3 between"
            >
              <div>
                {rich("policy.entry", {
                  b: (text) => <b>{text}</b>,
                  name,
                  list: LIST_WORDS[entry.list],
                  owner: nameActor(entry.owner),
                })}
                <p class="soft">{entry.reason}</p>
                {isLeftOut(policy, entry) && <p class="soft">{t("policy.not-compared-at-the-checkout")}</p>}
              </div>
              <div class="row">
                <TextField
                  label={t("policy.last-day-of", { name })}
                  hideLabel
                  type="date"
                  value={entry.until ?? ""}
                  onChange={setUntil}
                />
                <Button
                  label={t("policy.remove")}
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

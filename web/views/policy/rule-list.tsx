import { useEffect, useRef, useState } from "preact/hooks";
import type { PolicyRule } from "../../../src/policy/policy.ts";
import { Button, Icon } from "../../components/button.tsx";
import { Empty, Panel } from "../../components/panel.tsx";
import { announce } from "../../data/api/messages.ts";
import { toCompanions } from "../../data/policy/policy-conditions.ts";
import { toRuleSentence } from "../../data/policy/rule-sentence.ts";
import { moveEntry, type PolicyPartProps, toNewName } from "../../data/policy/policy-draft.ts";
import { hasProblem } from "../../data/api/field-problems.ts";
import { setQuery, useRoute } from "../../data/shell/route.ts";
import { FraudFilterImport } from "./fraud-filter-import.tsx";
import { RuleForm } from "./rule-form.tsx";
import { t } from "../../data/base/texts.ts";

/** A rule to begin with, in the shop's currency. */
function toNewRule(name: string): PolicyRule {
  const when = { minAmount: 500, ...toCompanions("minAmount", {}) };
  return { name, when, then: { atLeast: "hold", tags: [] } };
}

const MOVES = [
  { by: -1, icon: "up", title: t("policy.up-alt"), shortcut: "Alt+ArrowUp" },
  { by: 1, icon: "down", title: t("policy.down-alt"), shortcut: "Alt+ArrowDown" },
] as const;

/** Moving, adding and removing rules, which rule is open, and where the focus goes. */
function useRules({ draft, policy: { rules } }: PolicyPartProps) {
  const list = useRef<HTMLOListElement>(null);
  const [open, setOpen] = useState<number | null>(null);
  const [focus, setFocus] = useState<string | null>(null);
  useEffect(() => {
    if (focus === null) return;
    list.current?.querySelector<HTMLElement>(focus)?.focus();
    setFocus(null);
  }, [focus]);
  useWantedRule((index) => {
    setOpen(index);
    setFocus(`[data-rule="${index}"] input`);
  });
  const setRules = (next: readonly PolicyRule[]) => draft.update({ rules: [...next] });

  function move(index: number, by: -1 | 1): void {
    const next = moveEntry(rules, index, by);
    if (next === rules) return;
    setRules(next);
    if (open === index) setOpen(index + by);
    else if (open === index + by) setOpen(index);
    const name = rules[index]?.name ?? t("policy.rule");
    announce(t("policy.rule-moved", { name, place: index + by + 1, count: rules.length }));
    setFocus(`[data-rule="${index + by}"] .rule-acts > :nth-child(${by === -1 ? 1 : 2})`);
  }

  function remove(index: number): void {
    announce(t("policy.rule-removed", { name: rules[index]?.name ?? t("policy.rule") }));
    setRules(rules.toSpliced(index, 1));
    setOpen(null);
    setFocus(`[data-rule="${Math.max(0, Math.min(index, rules.length - 2))}"] .rule-toggle`);
  }

  function add(): void {
    setRules([...rules, toNewRule(toNewName(rules))]);
    setOpen(rules.length);
    setFocus(`[data-rule="${rules.length}"] input`);
  }

  return { list, open, setOpen, setRules, move, remove, add };
}

/** `/policy?rule=3`: a link that opens the rule with this index. */
function useWantedRule(onOpen: (index: number) => void): void {
  const wanted = useRoute().query["rule"];
  useEffect(() => {
    if (wanted === undefined) return;
    onOpen(Number(wanted));
    setQuery({ rule: "" }, { replace: true });
  }, [wanted]);
}

export function RuleList({ draft, policy }: PolicyPartProps) {
  const { rules } = policy;
  const { list, open, setOpen, setRules, move, remove, add } = useRules({ draft, policy });
  return (
    <Panel
      title={t("policy.rules")}
      aside={
        <div class="row">
          <FraudFilterImport draft={draft} policy={policy} />
          <Button label={t("policy.add-rule")} small icon="plus" onClick={add} />
        </div>
      }
      lead={t("policy.rules-run-from-top-to-bottom")}
    >
      {rules.length === 0 && <Empty title={t("policy.no-rules-risk-levels-decide")} icon="policy" />}
      <ol class="stack gap-2" ref={list}>
        {rules.map((rule, index) => (
          <RuleRow
            key={index}
            rule={rule}
            index={index}
            count={rules.length}
            draft={draft}
            isOpen={open === index}
            onToggle={() => setOpen(open === index ? null : index)}
            onMove={(by) => move(index, by)}
            onRemove={() => remove(index)}
            onChange={(next) => setRules(rules.with(index, next))}
          />
        ))}
      </ol>
    </Panel>
  );
}

interface RuleRowProps extends Pick<PolicyPartProps, "draft"> {
  readonly rule: PolicyRule;
  readonly index: number;
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
  readonly onChange: (rule: PolicyRule) => void;
}

function RuleRow(props: RuleRowProps) {
  const { rule, index, count, draft, isOpen, onToggle, onMove, onRemove, onChange } = props;
  const isWrong = hasProblem(draft.problems, `rules[${index}].`);
  return (
    <li
      class="rule card"
      data-rule={index}
      data-wrong={isWrong ? "true" : undefined}
      onKeyDown={(event) => {
        // In a field these keys are the field's.
        if (!event.altKey || !(event.target instanceof HTMLButtonElement)) return;
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        onMove(event.key === "ArrowUp" ? -1 : 1);
      }}
    >
      <div class="rule-head line">
        <span class="rule-place digits hint">{index + 1}</span>
        <button
          type="button"
          class="bare rule-toggle stack gap-0 grow"
          aria-expanded={isOpen}
          onClick={onToggle}
        >
          <span class="rule-name strong">{rule.name}</span>
          <span class="soft anywhere">{toRuleSentence(rule)}</span>
          {isWrong && !isOpen && (
            <span class="error">
              <Icon name="warning" /> {t("policy.fix")}
            </span>
          )}
        </button>
        <div class="rule-acts line gap-0 push">
          {MOVES.map(({ by, icon, title, shortcut }) => (
            <Button
              key={by}
              label={t("policy.move-rule", { name: rule.name, direction: icon })}
              small
              iconOnly
              paused={index + by < 0 || index + by === count}
              onClick={() => onMove(by)}
              {...{ icon, title, shortcut }}
            />
          ))}
          <Button
            label={t("policy.remove-rule", { name: rule.name })}
            small
            icon="trash"
            iconOnly
            onClick={onRemove}
          />
        </div>
      </div>
      {isOpen && (
        <RuleForm rule={rule} path={`rules[${index}]`} problems={draft.problems} onChange={onChange} />
      )}
    </li>
  );
}

import { useEffect, useRef, useState } from "preact/hooks";
import type { PolicyRule } from "../../../src/policy/policy.ts";
import { Button, Icon } from "../../components/button.tsx";
import { Empty, Panel } from "../../components/panel.tsx";
import { announce } from "../../data/api/messages.ts";
import { toCompanions, toRuleSentence } from "../../data/policy/policy-conditions.ts";
import { moveEntry, type PolicyPartProps, toNewName } from "../../data/policy/policy-draft.ts";
import { hasProblem } from "../../data/api/field-problems.ts";
import { RuleForm } from "./rule-form.tsx";

/** A rule to begin with, in the shop's currency. */
function toNewRule(name: string): PolicyRule {
  const when = { minAmount: 500, ...toCompanions("minAmount", {}) };
  return { name, when, then: { action: "hold", tags: [] } };
}

const MOVES = [
  { by: -1, icon: "up", title: "Up (Alt+↑)", shortcut: "Alt+ArrowUp" },
  { by: 1, icon: "down", title: "Down (Alt+↓)", shortcut: "Alt+ArrowDown" },
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
  const setRules = (next: readonly PolicyRule[]) => draft.update({ rules: [...next] });

  function move(index: number, by: -1 | 1): void {
    const next = moveEntry(rules, index, by);
    if (next === rules) return;
    setRules(next);
    if (open === index) setOpen(index + by);
    else if (open === index + by) setOpen(index);
    announce(`${rules[index]?.name ?? "Rule"} is now ${index + by + 1} of ${rules.length}`);
    setFocus(`[data-rule="${index + by}"] .rule-acts > :nth-child(${by === -1 ? 1 : 2})`);
  }

  function remove(index: number): void {
    announce(`${rules[index]?.name ?? "Rule"} removed`);
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

export function RuleList({ draft, policy }: PolicyPartProps) {
  const { rules } = policy;
  const { list, open, setOpen, setRules, move, remove, add } = useRules({ draft, policy });
  return (
    <Panel
      title="Rules"
      aside={<Button label="Add rule" small icon="plus" onClick={add} />}
      lead="Rules run from top to bottom. The first match decides and overrides the risk levels."
    >
      {rules.length === 0 && <Empty title="No rules: risk levels decide" icon="policy" />}
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
              <Icon name="warning" /> Fix the highlighted fields.
            </span>
          )}
        </button>
        <div class="rule-acts line gap-0 push">
          {MOVES.map(({ by, icon, title, shortcut }) => (
            <Button
              key={by}
              label={`Move ${rule.name} ${icon}`}
              small
              iconOnly
              paused={index + by < 0 || index + by === count}
              onClick={() => onMove(by)}
              {...{ icon, title, shortcut }}
            />
          ))}
          <Button label={`Remove ${rule.name}`} small icon="trash" iconOnly onClick={onRemove} />
        </div>
      </div>
      {isOpen && (
        <RuleForm rule={rule} path={`rules[${index}]`} problems={draft.problems} onChange={onChange} />
      )}
    </li>
  );
}

import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import type { PolicyPartProps } from "../../data/policy-draft.ts";
import { LINK_WORDS, LIST_WORDS, nameActor } from "../../data/words.ts";

/** Who is trusted or blocked: entries are added from an order, and changed or removed here. */
export function ListPanel({ draft, policy }: PolicyPartProps) {
  // A document of an older release may have none.
  const lists = policy.lists ?? [];
  return (
    <Panel title="Trusted and blocked buyers, and snoozed rules">
      <p class="hint lead">
        Blocked: orders are held at least. Trusted: one step milder, except critical orders. Add entries from
        an order, under “Linked orders”. Snoozed: the rule isn't applied to the customer. Snooze a rule from
        an order, under “Decision”.
      </p>
      <ul class="stack">
        {lists.map((entry, index) => {
          const what = `${LINK_WORDS[entry.kind]} ${entry.label}`;
          const name = entry.rule === undefined ? what : `${what}, rule “${entry.rule}”`;
          return (
            <li key={`${entry.kind} ${entry.digest} ${entry.rule ?? ""}`} class="row spread">
              <div>
                <b>{name}</b> {LIST_WORDS[entry.list]} by {nameActor(entry.owner)}
                <p class="soft">{entry.reason}</p>
              </div>
              <div class="row">
                <Field label={`Last day of ${name}`} hideLabel>
                  {(control) => (
                    <input
                      {...control}
                      type="date"
                      value={entry.until ?? ""}
                      onChange={({ currentTarget: { value } }) =>
                        draft.update({
                          lists: lists.with(index, { ...entry, until: value === "" ? null : value }),
                        })
                      }
                    />
                  )}
                </Field>
                <Button small onClick={() => draft.update({ lists: lists.toSpliced(index, 1) })}>
                  Remove<span class="unseen"> {name}</span>
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

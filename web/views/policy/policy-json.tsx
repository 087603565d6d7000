import { useEffect, useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Field } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { toText } from "../../data/policy-diff.ts";
import type { PolicyDraft } from "../../data/policy-draft.ts";

/** The policy document itself, for those who know it. */
export function PolicyJson({ draft }: { readonly draft: PolicyDraft }) {
  const { policy, problems } = draft;
  const [text, setText] = useState(() => toJson(policy));
  const [error, setError] = useState<string>();
  useEffect(() => {
    const typed = parse(text);
    if (typed === undefined || toText(typed) !== toText(policy)) setText(toJson(policy));
    setError(undefined);
  }, [policy]);

  function onInput(next: string): void {
    setText(next);
    const typed = parse(next);
    setError(typed === undefined ? "Invalid JSON. Fix it to check the policy." : undefined);
    if (typed !== undefined) draft.update(typed);
  }

  return (
    <Panel title="Policy as JSON">
      <Field
        label="Document"
        error={error}
        hint="The same policy as in the form, checked as you type. Unknown keys aren't allowed."
      >
        {(control) => (
          <textarea
            {...control}
            class="mono json"
            spellcheck={false}
            value={text}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )}
      </Field>
      {problems.length > 0 && (
        <ul class="problems bad stack gap-1">
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path === "" ? "document" : path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function toJson(policy: unknown): string {
  return JSON.stringify(policy, null, 2);
}

function parse(text: string): Policy | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === "object" && document !== null && !Array.isArray(document)
      ? (document as Policy)
      : undefined;
  } catch {
    return undefined;
  }
}

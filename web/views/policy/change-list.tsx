import type { PolicyChange } from "../../data/policy/policy-diff.ts";

export function ChangeList({ changes }: { readonly changes: readonly PolicyChange[] }) {
  if (changes.length === 0) return <p class="soft">No differences.</p>;
  return (
    <ul class="changes stack gap-2">
      {changes.map(({ path, label, before, after }) => (
        <li key={`${path} ${label}`} class="tile stack">
          <span class="strong">
            {label} <code>{path}</code>
          </span>
          <span class="anywhere">
            {before !== null && (
              <del>
                <span class="unseen">before: </span>
                {before}
              </del>
            )}
            {before !== null && after !== null && <span aria-hidden="true"> → </span>}
            {after !== null && (
              <ins>
                <span class="unseen">after: </span>
                {after}
              </ins>
            )}
            {before === null && after === null && "–"}
          </span>
        </li>
      ))}
    </ul>
  );
}

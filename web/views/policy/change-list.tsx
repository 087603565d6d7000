import type { PolicyChange } from "../../data/policy/policy-diff.ts";
import { t } from "../../data/base/texts.ts";

export function ChangeList({ changes }: { readonly changes: readonly PolicyChange[] }) {
  if (changes.length === 0) return <p class="soft">{t("policy.no-differences")}</p>;
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
                <span class="unseen">{t("policy.before")} </span>
                {before}
              </del>
            )}
            {before !== null && after !== null && <span aria-hidden="true"> → </span>}
            {after !== null && (
              <ins>
                <span class="unseen">{t("policy.after")} </span>
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

import type { DataOf } from "../api/api-types.ts";
import { quote } from "../api/words.ts";
import { formatList, toMiddle } from "../base/format.ts";
import { t } from "../base/texts.ts";
import { FIELD_GROUPS, MODE } from "./policy-fields.ts";

type Change = DataOf<"GET /policy/versions">["versions"][number]["changes"][number];

const NAMED_AT_MOST = 3;

/** What a version of the policy changed, in one line; empty if nothing is known. */
export function toVersionSummary(changes: readonly Change[]): string {
  const named = changes.slice(0, NAMED_AT_MOST).map((change) => nameChange(change));
  const more = changes.length - named.length;
  return formatList(more > 0 ? [...named, t("policy.changed-more", { count: more })] : named);
}

function nameChange(change: Change): string {
  switch (change.kind) {
    case "rules-moved":
      return t("policy.changed-rule-order");
    case "level":
      return t("policy.changed-level", { level: change.level });
    case "setting":
      return t("policy.changed-setting", { setting: nameSetting(change.path) });
    default:
      return t("policy.changed-rule", { kind: change.kind.replace("rule-", ""), rule: quote(change.rule) });
  }
}

/** Settings that aren't fields of the form, by their path. */
const OTHERS: Readonly<Record<string, string>> = {
  mode: MODE.label,
  lists: t("policy.trusted-and-blocked-buyers-and-snoozed"),
  localModel: t("policy.the-local-engines-own-model"),
  "unchecked.tags": t("policy.tags-for-orders-not-checked-by"),
};

function nameSetting(path: string): string {
  const group = FIELD_GROUPS.find(({ fields }) => path in fields);
  const field = group?.fields[path];
  if (group === undefined || field === undefined) return OTHERS[path] ?? path;
  return t("policy.setting-of", { group: group.title, setting: toMiddle(field.label) });
}

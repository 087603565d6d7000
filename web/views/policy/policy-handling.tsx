import { Panel } from "../../components/panel.tsx";
import type { PolicyPartProps } from "../../data/policy/policy-draft.ts";
import { findProblem } from "../../data/api/field-problems.ts";
import {
  changeSetting,
  type Field,
  FIELD_GROUPS,
  type FieldGroup,
  readSetting,
} from "../../data/policy/policy-fields.ts";
import { DeclaredField } from "./declared-field.tsx";

export function PolicyHandling(props: PolicyPartProps) {
  return (
    <>
      {FIELD_GROUPS.map((group) => (
        <GroupPanel key={group.title} group={group} {...props} />
      ))}
    </>
  );
}

function GroupPanel({ group, ...props }: PolicyPartProps & { readonly group: FieldGroup }) {
  const { title, fields, foot } = group;
  const all = Object.entries(fields).map(([path, field]) => {
    return [field.kind, <Setting key={path} path={path} field={field} {...props} />] as const;
  });
  const checks = all.filter(([kind]) => kind === "check");
  const others = all.filter(([kind]) => kind !== "check");
  return (
    <Panel title={title}>
      <div class={others.every(([kind]) => kind === "number") ? "form-grid three stack" : "form-grid stack"}>
        {others.map(([, drawn]) => drawn)}
      </div>
      {checks.length > 0 && <div class="checks row">{checks.map(([, drawn]) => drawn)}</div>}
      {foot !== undefined && <p class="hint lead">{foot}</p>}
    </Panel>
  );
}

interface SettingProps extends PolicyPartProps {
  /** Its path in the document. */
  readonly path: string;
  readonly field: Field;
  readonly hideLabel?: boolean;
}

/** The server refuses an empty number, unless the setting is optional. */
export function Setting({ path, draft, policy, ...field }: SettingProps) {
  return (
    <DeclaredField
      {...field}
      value={readSetting(policy, path)}
      error={findProblem(draft.problems, path)}
      onChange={(value) => draft.update(changeSetting(policy, path, value))}
    />
  );
}

import { SubNav } from "../components/sub-nav.tsx";
import { Notice } from "../components/panel.tsx";
import { useRoute } from "../data/route.ts";
import { toRoleReason } from "../data/session.ts";
import { PolicyEditor } from "./policy/policy-editor.tsx";
import { PolicyVersions } from "./policy/policy-versions.tsx";

const PARTS = [
  [null, "Form"],
  ["json", "JSON"],
  ["versions", "Versions"],
] as const;

/** How Holdfast decides: the form, the document itself, and what it was before. */
export function PolicyView() {
  const { id } = useRoute();
  const reason = toRoleReason("owner");
  return (
    <div class="page">
      <div class="page-head">
        <h1>Policy</h1>
        <SubNav label="Policy sections" view="policy" open={id} parts={PARTS} />
      </div>
      {reason !== undefined && <Notice>You can view the policy but not change it. {reason}</Notice>}
      {id === "versions" ? <PolicyVersions /> : <PolicyEditor isJson={id === "json"} />}
    </div>
  );
}

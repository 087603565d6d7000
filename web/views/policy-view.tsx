import { SubNav } from "../components/sub-nav.tsx";
import { Notice, Page } from "../components/panel.tsx";
import { useRoute } from "../data/shell/route.ts";
import { toRoleReason } from "../data/api/session.ts";
import { PolicyEditor } from "./policy/policy-editor.tsx";
import { PhantomPolicy } from "./policy/phantom-policy.tsx";
import { PolicyVersions } from "./policy/policy-versions.tsx";

const PARTS = [
  [null, "Form"],
  ["versions", "Versions"],
  ["phantom", "Phantom"],
] as const;

export function PolicyView() {
  const { id } = useRoute();
  const reason = toRoleReason("owner");
  return (
    <Page title="Policy" aside={<SubNav label="Policy sections" view="policy" open={id} parts={PARTS} />}>
      {reason !== undefined && <Notice>You can view the policy but not change it. {reason}</Notice>}
      {id === "versions" && <PolicyVersions />}
      {id === "phantom" && <PhantomPolicy />}
      {id !== "versions" && id !== "phantom" && <PolicyEditor />}
    </Page>
  );
}

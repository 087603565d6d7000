import { SubNav } from "../components/sub-nav.tsx";
import { Notice, Page } from "../components/panel.tsx";
import { useRoute } from "../data/shell/route.ts";
import { toRoleReason } from "../data/api/session.ts";
import { PolicyEditor } from "./policy/policy-editor.tsx";
import { PhantomPolicy } from "./policy/phantom-policy.tsx";
import { PolicyVersions } from "./policy/policy-versions.tsx";
import { t } from "../data/base/texts.ts";

const PARTS = [
  [null, t("policy.form")],
  ["versions", t("policy.versions")],
  ["phantom", t("policy.phantom")],
] as const;

export function PolicyView() {
  const { id } = useRoute();
  const reason = toRoleReason("owner");
  return (
    <Page
      title={t("policy.policy")}
      aside={<SubNav label={t("policy.policy-sections")} view="policy" open={id} parts={PARTS} />}
    >
      {reason !== undefined && <Notice>{t("policy.view-only", { why: reason })}</Notice>}
      {id === "versions" && <PolicyVersions />}
      {id === "phantom" && <PhantomPolicy />}
      {id !== "versions" && id !== "phantom" && <PolicyEditor />}
    </Page>
  );
}

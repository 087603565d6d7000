import { useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Empty, Loading, Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import type { DataOf } from "../../data/api/api-types.ts";
import { diffPolicies } from "../../data/policy/policy-diff.ts";
import { toVersionSummary } from "../../data/policy/version-summary.ts";
import { startDraft, usePolicyDraft } from "../../data/policy/policy-draft.ts";
import { navigate, setQuery, useRoute } from "../../data/shell/route.ts";
import { toRoleReason } from "../../data/api/session.ts";
import { useLoad, usePages } from "../../data/api/use-load.ts";
import { nameActor } from "../../data/api/words.ts";
import { ChangeList } from "./change-list.tsx";
import { t } from "../../data/base/texts.ts";

type Version = DataOf<"GET /policy/versions">["versions"][number];

const LIMIT = 50;

export function PolicyVersions() {
  const { query } = useRoute();
  const { first, pages, hasMore, showMore } = usePages("GET /policy/versions", { limit: LIMIT });
  if (first.data === null) return <Loading load={first} lines={8} />;
  const versions = pages.flatMap((page) => page.versions);
  const open = versions.find(({ version }) => String(version) === query["version"]);
  return (
    <div class="columns versions stack">
      <Panel title={t("policy.versions")}>
        {versions.length === 0 && <Empty title={t("policy.no-saved-versions-the-default-policy")} />}
        <ul class="version-list stack gap-1">
          {versions.map((one) => (
            <VersionRow key={one.version} version={one} isOpen={one === open} />
          ))}
        </ul>
        {hasMore && <Button label={t("policy.show-more")} onClick={() => void showMore()} />}
      </Panel>
      {open === undefined ? (
        <Panel title={t("policy.compare")}>
          <p class="soft">{t("policy.choose-a-version-to-compare-with")}</p>
        </Panel>
      ) : (
        <Comparison key={open.version} version={open} />
      )}
    </div>
  );
}

function VersionRow({ version, isOpen }: { readonly version: Version; readonly isOpen: boolean }) {
  return (
    <li>
      <button
        type="button"
        class="bare stack"
        aria-pressed={isOpen}
        onClick={() => setQuery({ version: isOpen ? "" : String(version.version) }, { replace: true })}
      >
        <span>
          <strong>
            {version.version === 0
              ? t("policy.default")
              : t("policy.version", { version: String(version.version) })}
          </strong>
          {version.current && <span class="chip good">{t("policy.current")}</span>}
        </span>
        <span class="hint">
          {version.savedAt === null ? t("policy.built-in") : <Time at={version.savedAt} />}
          {version.actor !== null && ` · ${nameActor(version.actor)}`}
        </span>
        {version.changes.length > 0 && <span class="anywhere">{toVersionSummary(version.changes)}</span>}
      </button>
    </li>
  );
}

function Comparison({ version }: { readonly version: Version }) {
  const params = { version: String(version.version) };
  const load = useLoad("GET /policy/versions/:version", { params });
  const { data } = load;
  const draft = usePolicyDraft();
  const [isAsking, setAsking] = useState(false);
  const current = draft.load.data;
  const isLoading = data === null || current === null;

  function rollBack(): void {
    if (data === null) return;
    startDraft(data.document, draft.load.etag);
    navigate({ view: "policy" });
  }

  const reason =
    toRoleReason("owner") ?? (version.current ? t("policy.this-is-the-current-policy") : undefined);
  const onRollBack = () => (draft.isChanged ? setAsking(true) : rollBack());
  return (
    <Panel
      title={
        version.version === 0
          ? t("policy.the-default-policy")
          : t("policy.version", { version: String(version.version) })
      }
      aside={
        <Button
          label={t("policy.roll-back")}
          small
          icon="back"
          busy={isLoading}
          disabledReason={reason}
          onClick={onRollBack}
        />
      }
    >
      {isLoading ? (
        <Loading load={load} lines={6} />
      ) : (
        <Difference version={version} current={current} document={data.document} />
      )}
      {isAsking && (
        <ConfirmDialog
          title={t("policy.discard-your-draft")}
          confirm={t("policy.use-this-version")}
          danger
          onConfirm={rollBack}
          onClose={() => setAsking(false)}
        >
          {t("policy.you-have-unsaved-changes-rolling-back")}
        </ConfirmDialog>
      )}
    </Panel>
  );
}

type DifferenceProps = { readonly version: Version; readonly current: Policy; readonly document: Policy };

function Difference({ version, current, document }: DifferenceProps) {
  return (
    <div class="stack">
      <p class="hint lead">
        {version.current
          ? t("policy.this-is-the-current-policy")
          : t("policy.changes-compared-with-the-current-policy")}
      </p>
      <ChangeList changes={diffPolicies(current, document)} />
      <details class="as-table">
        <summary>{t("policy.view-json")}</summary>
        <pre class="mono json tile" tabIndex={0} role="region" aria-label={t("policy.version-as-json")}>
          {JSON.stringify(document, null, 2)}
        </pre>
      </details>
    </div>
  );
}

import { useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Empty, Loading, Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import type { DataOf } from "../../data/api/api-types.ts";
import { diffPolicies } from "../../data/policy/policy-diff.ts";
import { startDraft, usePolicyDraft } from "../../data/policy/policy-draft.ts";
import { navigate, setQuery, useRoute } from "../../data/shell/route.ts";
import { toRoleReason } from "../../data/api/session.ts";
import { useLoad, usePages } from "../../data/api/use-load.ts";
import { nameActor } from "../../data/api/words.ts";
import { ChangeList } from "./change-list.tsx";

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
      <Panel title="Versions">
        {versions.length === 0 && <Empty title="No saved versions: the default policy is in use" />}
        <ul class="version-list stack gap-1">
          {versions.map((one) => (
            <VersionRow key={one.version} version={one} isOpen={one === open} />
          ))}
        </ul>
        {hasMore && <Button label="Show more" onClick={() => void showMore()} />}
      </Panel>
      {open === undefined ? (
        <Panel title="Compare">
          <p class="soft">Choose a version to compare with the current policy.</p>
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
          <strong>{version.version === 0 ? "Default" : `Version ${version.version}`}</strong>
          {version.current && <span class="chip good">Current</span>}
        </span>
        <span class="hint">
          {version.savedAt === null ? "Built in" : <Time at={version.savedAt} />}
          {version.actor !== null && ` · ${nameActor(version.actor)}`}
        </span>
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

  const reason = toRoleReason("owner") ?? (version.current ? "This is the current policy." : undefined);
  const onRollBack = () => (draft.isChanged ? setAsking(true) : rollBack());
  return (
    <Panel
      title={version.version === 0 ? "The default policy" : `Version ${version.version}`}
      aside={
        <Button
          label="Roll back"
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
          title="Discard your draft?"
          confirm="Use this version"
          danger
          onConfirm={rollBack}
          onClose={() => setAsking(false)}
        >
          You have unsaved changes. Rolling back replaces them with this version.
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
          ? "This is the current policy."
          : "Changes compared with the current policy. Rolling back opens this version in the form and replays it before you save."}
      </p>
      <ChangeList changes={diffPolicies(current, document)} />
      <details class="as-table">
        <summary>View JSON</summary>
        <pre class="mono json tile" tabIndex={0} role="region" aria-label="Version as JSON">
          {JSON.stringify(document, null, 2)}
        </pre>
      </details>
    </div>
  );
}

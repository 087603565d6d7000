import { useEffect, useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Loading, Notice } from "../../components/panel.tsx";
import { PlatformSaveBar } from "../../components/platform-save-bar.tsx";
import { formatPlural } from "../../data/format.ts";
import { diffPolicies, type PolicyChange } from "../../data/policy-diff.ts";
import { isPolicyShape, type PolicyDraft, usePolicyDraft } from "../../data/policy-draft.ts";
import { toReplaySentence } from "../../data/replay.ts";
import { setQuery, useRoute } from "../../data/route.ts";
import { isAllowed, isEmbedded, toRoleReason } from "../../data/session.ts";
import { type ReplayState, useReplay } from "../../data/use-replay.ts";
import { PolicyForm } from "./policy-form.tsx";
import { PolicyJson } from "./policy-json.tsx";
import { ReplayPanel } from "./replay-panel.tsx";
import { SaveDialog } from "./save-dialog.tsx";

const REPLAY_DAYS = 90;

/** The policy as a form or as JSON, what a change would have done, and saving it. */
export function PolicyEditor({ isJson }: { readonly isJson: boolean }) {
  const draft = usePolicyDraft();
  const { load, policy, isChanged } = draft;
  const days = Number(useRoute().query["replay"] ?? REPLAY_DAYS);
  const tried = isAllowed("reviewer") ? policy : null;
  const replay = useReplay(tried, days, isChanged, draft.setProblems);
  const [isSaving, setSaving] = useState(false);
  useWantedMode(draft);
  if (policy === null) return <Loading load={load} lines={16} />;
  const isForm = isPolicyShape(policy);
  const changes = isForm ? toChanges(load.data, policy) : [];
  return (
    <>
      {!isForm && <Notice tone="bad">The saved policy is no longer valid. Fix it here and save it.</Notice>}
      {draft.isBehind && <Behind draft={draft} />}
      <div class="columns policy">
        <fieldset class="stack" disabled={!isAllowed("owner")}>
          <legend class="unseen">The policy</legend>
          {isJson || !isForm ? <PolicyJson draft={draft} /> : <PolicyForm draft={draft} policy={policy} />}
        </fieldset>
        <ReplayPanel
          {...{ replay, isChanged, days }}
          onDays={(next) => setQuery({ replay: next === String(REPLAY_DAYS) ? "" : next }, { replace: true })}
        />
      </div>
      <SaveBar draft={draft} changes={changes} replay={replay} onSave={() => setSaving(true)} />
      {isSaving && (
        <SaveDialog {...{ draft, changes, replay, days, policy }} onClose={() => setSaving(false)} />
      )}
    </>
  );
}

function toChanges(before: Policy | null, policy: Policy): readonly PolicyChange[] {
  return before !== null && isPolicyShape(before) ? diffPolicies(before, policy) : [];
}

/** `/policy?mode=active`: a link to switch the mode. It changes the draft, which a person then reviews and saves. */
function useWantedMode({ policy, update }: PolicyDraft): void {
  const wanted = useRoute().query["mode"];
  useEffect(() => {
    if (policy === null || wanted === undefined) return;
    setQuery({ mode: "" }, { replace: true });
    if (wanted !== policy.mode && wanted === "active" && isAllowed("owner")) update({ mode: wanted });
  }, [wanted, policy === null]);
}

function Behind({ draft }: { readonly draft: PolicyDraft }) {
  return (
    <Notice tone="warn">
      <p>
        <strong>Someone else changed the policy.</strong> Your draft is still here. The change list compares
        it with the current policy.
      </p>
      <div class="row below">
        <Button label="Keep my draft" small onClick={draft.catchUp} />
        <Button label="Use their version" small onClick={draft.discard} />
      </div>
    </Notice>
  );
}

interface SaveBarProps {
  readonly draft: PolicyDraft;
  readonly changes: readonly PolicyChange[];
  readonly replay: ReplayState;
  readonly onSave: () => void;
}

function toBrief({ data, loading, isStale, error }: ReplayState): string {
  if (loading) return "Replaying…";
  return error !== null || data === null || isStale ? "" : toReplaySentence(data);
}

/** Always there, so that nothing moves when something is changed. Discarding asks first: a draft may be an hour's work. */
function SaveBar({ draft, changes, replay, onSave }: SaveBarProps) {
  const { isChanged, isBehind, problems } = draft;
  const [isAsking, setAsking] = useState(false);
  const invalid = problems.length > 0 ? `${formatPlural(problems.length, "field")} to fix first.` : undefined;
  const idle = isChanged ? undefined : "No changes to save.";
  const behind = isBehind ? "Choose whether to keep your draft first." : undefined;
  const disabledReason = toRoleReason("owner") ?? idle ?? behind ?? invalid;
  const saveLabel = "Review and save";
  const onDiscard = () => setAsking(true);
  return (
    <div class="save-bar row between">
      <p role="status">
        {isChanged ? <Changes {...{ changes, invalid, replay }} /> : <span>No changes</span>}
      </p>
      <PlatformSaveBar id="policy-bar" {...{ isChanged, saveLabel, disabledReason, onSave, onDiscard }} />
      {!isEmbedded && (
        <div class="row">
          <Button label="Discard" onClick={onDiscard} disabledReason={toRoleReason("owner") ?? idle} />
          <Button label={saveLabel} look="primary" onClick={onSave} disabledReason={disabledReason} />
        </div>
      )}
      {isAsking && <DiscardDialog onConfirm={draft.discard} onClose={() => setAsking(false)} />}
    </div>
  );
}

interface ChangesProps extends Pick<SaveBarProps, "changes" | "replay"> {
  readonly invalid: string | undefined;
}

function Changes({ changes, invalid, replay }: ChangesProps) {
  return (
    <>
      <strong class={invalid && "bad"}>{invalid ?? formatPlural(changes.length, "change")}</strong>
      <span class="soft replay-brief">{toBrief(replay)}</span>
    </>
  );
}

function DiscardDialog({
  onConfirm,
  onClose,
}: {
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title="Discard your draft?"
      confirm="Discard"
      danger
      onConfirm={() => (onConfirm(), onClose())}
      onClose={onClose}
    >
      <p>The saved policy stays as it is. You can't get the draft back.</p>
    </ConfirmDialog>
  );
}

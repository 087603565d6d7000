import { useEffect, useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { Loading, Notice, Problem, Skeleton } from "../../components/panel.tsx";
import { PlatformSaveBar } from "../../components/platform-save-bar.tsx";
import { asApiError } from "../../data/api/api.ts";
import { formatPlural, formatWorth } from "../../data/base/format.ts";
import { diffPolicies, type PolicyChange, findSofter } from "../../data/policy/policy-diff.ts";
import { type PolicyDraft, usePolicyDraft } from "../../data/policy/policy-draft.ts";
import { toReplaySentence, toLostCancels, toNewCancels } from "../../data/policy/replay.ts";
import { setQuery, useRoute } from "../../data/shell/route.ts";
import { isAllowed, isEmbedded, toRoleReason } from "../../data/api/session.ts";
import { useAction } from "../../data/api/use-action.ts";
import { type ReplayState, useReplay } from "../../data/policy/use-replay.ts";
import { PolicyForm } from "./policy-form.tsx";
import { ReplayPanel, ReviewsADay } from "./replay-panel.tsx";
import { showToast } from "../../data/api/messages.ts";
import { ChangeList } from "./change-list.tsx";

const REPLAY_DAYS = 90;

interface Edit {
  readonly draft: PolicyDraft;
  readonly policy: Policy;
  readonly changes: readonly PolicyChange[];
  readonly replay: ReplayState;
  readonly days: number;
}

export function PolicyEditor() {
  const draft = usePolicyDraft();
  const { load, policy, isChanged } = draft;
  const days = Number(useRoute().query["replay"] ?? REPLAY_DAYS);
  const tried = isAllowed("reviewer") ? policy : null;
  const replay = useReplay(tried, days, isChanged, draft.setProblems);
  const [isSaving, setSaving] = useState(false);
  useWantedMode(draft);
  if (policy === null) return <Loading load={load} lines={16} />;
  const edit: Edit = {
    draft,
    policy,
    changes: load.data === null ? [] : diffPolicies(load.data, policy),
    replay,
    days,
  };
  return (
    <>
      {draft.isBehind && <Behind draft={draft} />}
      <div class="columns policy stack">
        <fieldset class="stack" disabled={!isAllowed("owner")}>
          <legend class="unseen">The policy</legend>
          <PolicyForm draft={draft} policy={policy} />
        </fieldset>
        <ReplayPanel
          {...{ replay, isChanged, days }}
          onDays={(next) => setQuery({ replay: next === String(REPLAY_DAYS) ? "" : next }, { replace: true })}
        />
      </div>
      <SaveBar {...edit} onSave={() => setSaving(true)} />
      {isSaving && <SaveDialog {...edit} onClose={() => setSaving(false)} />}
    </>
  );
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

function toBrief({ data, loading, isStale, error }: ReplayState): string {
  if (loading) return "Replaying…";
  return error !== null || data === null || isStale ? "" : toReplaySentence(data);
}

/** Always there, so that nothing moves when something is changed. Discarding asks first: a draft may be an hour's work. */
function SaveBar({ draft, changes, replay, onSave }: Edit & { readonly onSave: () => void }) {
  const { isChanged, isBehind, problems } = draft;
  const [isAsking, setAsking] = useState(false);
  const invalid = problems.length > 0 ? `${formatPlural(problems.length, "field")} to fix first.` : undefined;
  const idle = toRoleReason("owner") ?? (isChanged ? undefined : "No changes to save.");
  const behind = isBehind ? "Choose whether to keep your draft first." : undefined;
  const disabledReason = idle ?? behind ?? invalid;
  const saveLabel = "Review and save";
  const onDiscard = () => setAsking(true);
  return (
    <div class="save-bar row between">
      <p role="status">
        {isChanged ? (
          <>
            <strong class={invalid && "bad"}>{invalid ?? formatPlural(changes.length, "change")}</strong>
            <span class="soft replay-brief">{toBrief(replay)}</span>
          </>
        ) : (
          <span>No changes</span>
        )}
      </p>
      <PlatformSaveBar id="policy-bar" {...{ isChanged, saveLabel, disabledReason, onSave, onDiscard }} />
      {!isEmbedded && (
        <div class="line">
          <Button label="Discard" onClick={onDiscard} disabledReason={idle} />
          <Button label={saveLabel} look="primary" onClick={onSave} disabledReason={disabledReason} />
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Discard your draft?"
          confirm="Discard"
          danger
          onConfirm={() => (draft.discard(), setAsking(false))}
          onClose={() => setAsking(false)}
        >
          <p>The saved policy stays as it is. You can't get the draft back.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Shows the changes and their effect once more before the policy is saved. */
function SaveDialog({ onClose, ...edit }: Edit & { readonly onClose: () => void }) {
  const { changes, replay, policy, draft } = edit;
  const { busy, problem, run } = useAction((error) => {
    const { status, errors } = asApiError(error);
    draft.setProblems(errors);
    if (status !== 412) return;
    draft.load.reload();
    showToast("Someone else changed the policy. Your draft is still here.", "bad");
    onClose();
    scrollTo(0, 0);
  });
  const current = replay.isStale ? null : replay.data;
  const cancels = current === null ? 0 : toNewCancels(current).orders;
  const isWaiting = current === null && replay.error === null;

  async function save(): Promise<void> {
    await draft.save();
    showToast("Policy saved.");
    onClose();
  }

  const isDangerous = cancels > 0 && policy.mode === "active";
  return (
    <Dialog
      title="Save this policy?"
      onClose={onClose}
      foot={
        <>
          <Button label="Keep editing" onClick={onClose} />
          <Button
            label={isDangerous ? "Save and allow cancellations" : "Save"}
            look={isDangerous ? "danger" : "primary"}
            busy={busy}
            disabledReason={isWaiting ? "Wait for the replay to finish." : undefined}
            onClick={() => run(save)}
          />
        </>
      }
    >
      <Problem error={problem} />
      <ModeNotice {...edit} />
      <SofterNotice {...edit} />
      <section class="stack gap-2">
        <h3>{formatPlural(changes.length, "change")}</h3>
        <ChangeList changes={changes} />
      </section>
      <section class="stack gap-2">
        <h3>Over the last {edit.days} days</h3>
        <ReplayWords replay={replay} />
      </section>
    </Dialog>
  );
}

function ModeNotice({ policy, draft }: Edit) {
  const before = draft.load.data;
  if (before === null || before.mode === policy.mode) return null;
  return policy.mode === "active" ? (
    <Notice tone="warn">
      <strong>Holdfast starts changing orders.</strong> New orders are tagged, held, and canceled on the
      platform.
    </Notice>
  ) : (
    <Notice tone="warn">
      <strong>Holdfast stops changing orders.</strong> Decisions on new orders are only recorded.
    </Notice>
  );
}

/** A removed cancel is easily overlooked: those orders ship unless a person stops them. */
function SofterNotice({ policy, draft, replay }: Edit) {
  const before = draft.load.data;
  const softer = before === null ? [] : findSofter(before, policy);
  const lost = replay.data === null || replay.isStale ? null : toLostCancels(replay.data);
  if (softer.length === 0 && (lost?.orders ?? 0) === 0) return null;
  return (
    <Notice tone="warn">
      <strong>This policy cancels less.</strong>{" "}
      {softer.length > 0 && `No longer canceled: ${softer.join(", ")}. `}
      {lost !== null && lost.orders > 0 && `${formatWorth(lost)} that were canceled wouldn't be.`}
    </Notice>
  );
}

function ReplayWords({ replay }: Pick<Edit, "replay">) {
  const { data, error, isStale } = replay;
  if (error !== null) {
    return <Notice tone="warn">{error.message} You can still save this policy without a replay.</Notice>;
  }
  if (data === null || isStale) return <Skeleton lines={2} label="Replaying" />;
  const cancels = toNewCancels(data);
  return (
    <>
      <p>{toReplaySentence(data)}</p>
      <ReviewsADay replay={data} />
      {cancels.orders > 0 && (
        <Notice tone="bad">
          <strong>{formatWorth(cancels)}</strong> that weren't canceled would be canceled under this policy.
          You can't undo a cancellation on the platform.
        </Notice>
      )}
      {data.unknown > 0 && <p class="hint">{formatPlural(data.unknown, "order")} couldn't be replayed.</p>}
    </>
  );
}

import { useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Notice, Skeleton } from "../../components/panel.tsx";
import { showToast } from "../../components/toasts.tsx";
import { formatPlural } from "../../data/format.ts";
import { findSofter, type PolicyChange } from "../../data/policy-diff.ts";
import { isPolicyShape, type PolicyDraft } from "../../data/policy-draft.ts";
import { formatWorth, toLostCancels, toNewCancels, toReplaySentence } from "../../data/replay.ts";
import type { ReplayState } from "../../data/use-replay.ts";
import { ChangeList } from "./change-list.tsx";
import { ReviewsADay } from "./replay-panel.tsx";

interface SaveDialogProps {
  readonly changes: readonly PolicyChange[];
  readonly replay: ReplayState;
  readonly days: number;
  readonly policy: Policy;
  readonly draft: PolicyDraft;
  readonly onClose: () => void;
}

/** Shows the changes and their effect once more before the policy is saved. */
export function SaveDialog(props: SaveDialogProps) {
  const { changes, replay, policy, draft, onClose } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const before = draft.load.data;
  const current = replay.isStale ? null : replay.data;
  const cancels = current === null ? 0 : toNewCancels(current).orders;
  const isWaiting = current === null && replay.error === null;

  async function save(): Promise<void> {
    const failed = await draft.save();
    if (failed?.status === 412) {
      showToast("Someone else changed the policy. Your draft is still here.", "bad");
      onClose();
      return scrollTo(0, 0);
    }
    setProblem(failed?.message ?? null);
    if (failed !== null) return;
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
            busy={draft.saving}
            disabledReason={isWaiting ? "Wait for the replay to finish." : undefined}
            onClick={() => void save()}
          />
        </>
      }
    >
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <ModeNotice policy={policy} before={before} />
      <SofterNotice policy={policy} before={before} replay={replay} />
      <section class="stack gap-2">
        <h3>{formatPlural(changes.length, "change")}</h3>
        <ChangeList changes={changes} />
      </section>
      <section class="stack gap-2">
        <h3>Over the last {props.days} days</h3>
        <ReplayWords replay={replay} />
      </section>
    </Dialog>
  );
}

type ModeNoticeProps = Pick<SaveDialogProps, "policy"> & { readonly before: Policy | null };

function ModeNotice({ policy, before }: ModeNoticeProps) {
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
function SofterNotice({ policy, before, replay }: ModeNoticeProps & Pick<SaveDialogProps, "replay">) {
  const softer = before === null || !isPolicyShape(before) ? [] : findSofter(before, policy);
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

function ReplayWords({ replay }: Pick<SaveDialogProps, "replay">) {
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

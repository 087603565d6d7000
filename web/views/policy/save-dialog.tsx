import { useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Notice, Skeleton } from "../../components/panel.tsx";
import { showToast } from "../../components/toasts.tsx";
import type { ApiError } from "../../data/api.ts";
import { formatPlural } from "../../data/format.ts";
import { findSofter, type PolicyChange } from "../../data/policy-diff.ts";
import { isPolicyShape } from "../../data/policy-draft.ts";
import { formatWorth, toLostCancels, toNewCancels, toReplaySentence } from "../../data/replay.ts";
import type { ReplayState } from "../../data/use-replay.ts";
import { ChangeList } from "./change-list.tsx";
import { ReviewsADay } from "./replay-panel.tsx";

interface SaveDialogProps {
  readonly changes: readonly PolicyChange[];
  readonly replay: ReplayState;
  readonly days: number;
  readonly policy: Policy;
  readonly before: Policy | null;
  readonly saving: boolean;
  /** Null when saved, else why not. */
  readonly onSave: () => Promise<ApiError | null>;
  readonly onClose: () => void;
}

/** Says again what changes and what it would have done, before the policy is put in force. */
export function SaveDialog(props: SaveDialogProps) {
  const { changes, replay, policy, saving, onSave, onClose } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const current = replay.isStale ? null : replay.data;
  const cancels = current === null ? 0 : toNewCancels(current).orders;
  const isWaiting = current === null && replay.error === null;

  async function save(): Promise<void> {
    const failed = await onSave();
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
          <Button onClick={onClose}>Keep editing</Button>
          <Button
            look={isDangerous ? "danger" : "primary"}
            busy={saving}
            disabledReason={isWaiting ? "Wait for the replay to finish." : undefined}
            onClick={() => void save()}
          >
            {isDangerous ? "Save and allow cancellations" : "Save"}
          </Button>
        </>
      }
    >
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <ModeNotice {...props} />
      <SofterNotice {...props} />
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

function ModeNotice({ policy, before }: Pick<SaveDialogProps, "policy" | "before">) {
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

/** A cancel that is taken out is easily overlooked: those orders ship unless a person stops them. */
function SofterNotice({ policy, before, replay }: Pick<SaveDialogProps, "policy" | "before" | "replay">) {
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

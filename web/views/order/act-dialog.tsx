import { useState } from "preact/hooks";
import type { Ref, TargetedKeyboardEvent } from "preact";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Problem } from "../../components/panel.tsx";
import type { Act, DeclineReason, OrderDetail } from "../../data/api/api-types.ts";
import { isOutdated } from "../../data/api/api.ts";
import { ACT_WORDS, reviewOne, DECLINE_OPTIONS, NOTE_MAX_LENGTH } from "../../data/orders/review.ts";
import { UNDO_SECONDS } from "../../data/orders/undo.ts";
import { useAction } from "../../data/api/use-action.ts";
import { Field, Select } from "../../components/form.tsx";
import type { OrderCommands } from "./order-commands.ts";

interface ActDialogProps {
  readonly order: OrderDetail;
  readonly act: Act;
  readonly commands: OrderCommands;
}

/** Asks before one order is declined or checked again. */
export function ActDialog({ order, act, commands }: ActDialogProps) {
  const { note, setNote, finish, cancel, reload } = commands;
  const { busy, problem, run } = useAction((failure) => {
    if (isOutdated(failure)) reload();
  });
  const [reason, setReason] = useState<DeclineReason>("suspected-fraud");
  const { verb } = ACT_WORDS[act];
  // The order may change while a person reads. The dialog keeps the consequence that they read.
  const [{ possible, consequence }] = useState(order.actions[act]);
  const isRefused = isOutdated(problem);

  function decide(): void {
    if (possible) run(async () => finish(await reviewOne(order, act, note, reason)));
  }

  return (
    <ConfirmDialog
      title={isRefused ? `${order.name} has changed` : `${verb} ${order.name}?`}
      confirm={isRefused ? null : verb}
      danger={act === "decline"}
      busy={busy || !possible}
      keep={act === "decline" ? "Keep the order" : undefined}
      onConfirm={decide}
      onClose={cancel}
      fields={
        <>
          <DecisionFields
            {...{ act, note, reason }}
            onNote={setNote}
            onReason={setReason}
            hint="Saved with the order. The customer doesn't see it."
          />
          <Problem error={problem} />
        </>
      }
    >
      {!isRefused && <p>{consequence}</p>}
      {!isRefused && act !== "recheck" && (
        <p class="soft">You can undo this for {UNDO_SECONDS} seconds. Nothing changes until then.</p>
      )}
    </ConfirmDialog>
  );
}

interface NoteFieldProps {
  readonly label: string;
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly noteRef?: Ref<HTMLTextAreaElement>;
  /** What happens to the note. */
  readonly hint: string;
  readonly shortcut?: string;
  readonly onKeyDown?: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => void;
}

export function NoteField(props: NoteFieldProps) {
  const { label, note, onNote, noteRef = null, hint, shortcut, onKeyDown } = props;
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <textarea
          {...control}
          ref={noteRef}
          rows={2}
          maxLength={NOTE_MAX_LENGTH}
          value={note}
          aria-keyshortcuts={shortcut}
          onInput={(event) => onNote(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      )}
    </Field>
  );
}

export interface DecisionFieldsProps extends Omit<NoteFieldProps, "label"> {
  readonly act: Act;
  /** Asked for with a decline only. */
  readonly reason: DeclineReason;
  readonly onReason: (reason: DeclineReason) => void;
}

export function DecisionFields({ act, reason, onReason, ...note }: DecisionFieldsProps) {
  return (
    <>
      {act === "decline" && (
        <Select label="Reason" value={reason} options={DECLINE_OPTIONS} onChange={onReason} />
      )}
      <NoteField label="Note (optional)" {...note} />
    </>
  );
}

import type { Ref, TargetedKeyboardEvent } from "preact";
import { Field, Select } from "../../components/form.tsx";
import type { Act, DeclineReason } from "../../data/api-types.ts";
import { DECLINE_OPTIONS, NOTE_MAX_LENGTH } from "../../data/decide.ts";

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

/** A person's note on an order. */
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

/** Properties of {@link DecisionFields}. */
export interface DecisionFieldsProps extends Omit<NoteFieldProps, "label"> {
  readonly act: Act;
  /** Asked for with a decline only. */
  readonly reason: DeclineReason;
  readonly onReason: (reason: DeclineReason) => void;
}

/** What a dialog asks about a decision: why an order is declined, and a note. */
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

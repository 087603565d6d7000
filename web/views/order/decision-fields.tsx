import type { Ref } from "preact";
import { Field, Select } from "../../components/field.tsx";
import { DECLINE_OPTIONS, NOTE_MAX_LENGTH } from "../../data/decide.ts";
import type { Act, DeclineReason } from "../../data/api-types.ts";

/** Properties of {@link DecisionFields}. */
export interface DecisionFieldsProps {
  readonly act: Act;
  /** Asked for with a decline only. */
  readonly reason: DeclineReason;
  readonly onReason: (reason: DeclineReason) => void;
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly noteRef?: Ref<HTMLTextAreaElement>;
  /** What becomes of the note. */
  readonly hint: string;
}

/** What a dialog asks about a decision: why an order is declined, and a note. */
export function DecisionFields({
  act,
  reason,
  onReason,
  note,
  onNote,
  noteRef = null,
  hint,
}: DecisionFieldsProps) {
  return (
    <>
      {act === "decline" && (
        <Select
          label="Reason"
          value={reason}
          options={DECLINE_OPTIONS}
          onChange={(next) => next !== "" && onReason(next)}
        />
      )}
      <Field label="Note (optional)" hint={hint}>
        {(control) => (
          <textarea
            {...control}
            ref={noteRef}
            rows={2}
            maxLength={NOTE_MAX_LENGTH}
            value={note}
            onInput={(event) => onNote(event.currentTarget.value)}
          />
        )}
      </Field>
    </>
  );
}

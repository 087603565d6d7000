import { DECLINE_WORDS, type DeclineReason } from "./review-order.ts";

/** Properties of {@link DeclineReasonField}. */
export interface DeclineReasonFieldProps {
  readonly reason: DeclineReason;
  readonly onReason: (reason: DeclineReason) => void;
}

const REASONS = Object.entries(DECLINE_WORDS) as readonly (readonly [DeclineReason, string])[];

/** Asks why an order is declined: the report counts it. */
export function DeclineReasonField({ reason, onReason }: DeclineReasonFieldProps) {
  return (
    <s-select
      label="Reason"
      name="reason"
      details="Counted in Holdfast's report. The customer doesn't see it."
      value={reason}
      onChange={(event) => {
        const chosen = REASONS.find(([name]) => name === event.currentTarget.value);
        if (chosen !== undefined) onReason(chosen[0]);
      }}
    >
      {REASONS.map(([name, words]) => (
        <s-option key={name} value={name}>
          {words}
        </s-option>
      ))}
    </s-select>
  );
}

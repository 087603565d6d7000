import { useState } from "preact/hooks";
import type { Ref, TargetedKeyboardEvent } from "preact";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Problem } from "../../components/panel.tsx";
import type { Act, DeclineReason, OrderDetail } from "../../data/api/api-types.ts";
import { isOutdated } from "../../data/api/api.ts";
import { splitProblems } from "../../data/api/field-problems.ts";
import { isAllowed } from "../../data/api/session.ts";
import { type Block, type LinkKind, toLastDay } from "../../data/orders/blocking.ts";
import { BlockFields } from "./block-fields.tsx";
import {
  ACT_WORDS,
  reviewOne,
  DECLINE_OPTIONS,
  DECLINE_WORDS,
  NOTE_MAX_LENGTH,
} from "../../data/orders/review.ts";
import { UNDO_SECONDS } from "../../data/orders/undo.ts";
import { useAction } from "../../data/api/use-action.ts";
import { Field, Select } from "../../components/form.tsx";
import type { OrderCommands } from "./order-commands.ts";
import { t } from "../../data/base/texts.ts";
import { sayEffect } from "../../data/orders/effect-words.ts";

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
  const [{ possible, consequence, version }] = useState({
    possible: order.actions[act].possible,
    consequence: sayEffect(order, act),
    version: order.version,
  });
  const isRefused = isOutdated(problem);
  const [kinds, setKinds] = useState<readonly LinkKind[]>([]);
  const [days, setDays] = useState("90");
  const { find, rest } = splitProblems(problem, ["note", "reason", "block.kinds"]);

  function decide(): void {
    const block = toBlock(order, reason, kinds, toLastDay(days));
    // The details to block are the ones that the dialog shows.
    const shown = block === undefined ? order : { ...order, version };
    if (possible) run(async () => finish(await reviewOne(shown, act, note, { reason, block })));
  }

  return (
    <ConfirmDialog
      title={
        isRefused ? t("order.has-changed", { name: order.name }) : t("order.ask", { act, name: order.name })
      }
      confirm={isRefused ? null : verb}
      danger={act === "decline"}
      busy={busy || !possible}
      keepsInput
      keep={act === "decline" ? t("order.keep-the-order") : undefined}
      onConfirm={decide}
      onClose={cancel}
      fields={
        <>
          <DecisionFields
            {...{ act, note, reason }}
            onNote={setNote}
            onReason={setReason}
            hint={t("order.saved-with-the-order-the-customer")}
            findError={find}
          />
          {act === "decline" && !isRefused && isAllowed("reviewer") && (
            <BlockFields
              {...{ orderId: order.orderId, kinds, days }}
              legend={t("order.also-block")}
              error={find("block.kinds")}
              onKinds={setKinds}
              onDays={setDays}
            />
          )}
          <Problem error={rest} />
        </>
      }
    >
      {!isRefused && <p>{consequence}</p>}
      {!isRefused && act !== "recheck" && <p class="soft">{t("order.undo-note", { count: UNDO_SECONDS })}</p>}
    </ConfirmDialog>
  );
}

function toBlock(
  { name }: OrderDetail,
  reason: DeclineReason,
  kinds: readonly LinkKind[],
  until: string | null,
): Block | undefined {
  if (kinds.length === 0) return undefined;
  return { kinds, until, reason: t("order.block-reason", { name, reason: DECLINE_WORDS[reason] }) };
}

interface NoteFieldProps {
  readonly label: string;
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly noteRef?: Ref<HTMLTextAreaElement>;
  /** What happens to the note. */
  readonly hint: string;
  readonly error?: string | undefined;
  readonly shortcut?: string;
  readonly onKeyDown?: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => void;
}

export function NoteField(props: NoteFieldProps) {
  const { label, note, onNote, noteRef = null, hint, error, shortcut, onKeyDown } = props;
  return (
    <Field label={label} hint={hint} error={error}>
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

export interface DecisionFieldsProps extends Omit<NoteFieldProps, "label" | "error"> {
  readonly act: Act;
  /** Asked for with a decline only. */
  readonly reason: DeclineReason;
  readonly onReason: (reason: DeclineReason) => void;
  /** What the server says about a field. Default: nothing. */
  readonly findError?: (path: string) => string | undefined;
}

export function DecisionFields({ act, reason, onReason, findError, ...note }: DecisionFieldsProps) {
  return (
    <>
      {act === "decline" && (
        <Select
          label={t("order.reason")}
          value={reason}
          options={DECLINE_OPTIONS}
          error={findError?.("reason")}
          onChange={onReason}
        />
      )}
      <NoteField label={t("order.note-optional")} error={findError?.("note")} {...note} />
    </>
  );
}

import { useRef, useState } from "preact/hooks";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Failure, Notice, Skeleton } from "../../components/panel.tsx";
import { explain } from "../../data/api.ts";
import { ACT_WORDS, decide, NOTE_MAX_LENGTH } from "../../data/decide.ts";
import type { Act, OrderDetail } from "../../data/order.ts";
import { useLoad } from "../../data/use-load.ts";

/** Properties of {@link ActDialog}. */
export interface ActDialogProps {
  readonly orderId: string;
  readonly name: string;
  readonly act: Act;
  /** What was written already. */
  readonly note?: string | undefined;
  readonly onDone: (order: OrderDetail) => void;
  readonly onClose: () => void;
}

/** Asks before one order is declined or checked again: says what will happen, and takes a note. */
export function ActDialog({ orderId, name, act, note = "", onDone, onClose }: ActDialogProps) {
  const { data, error, reload } = useLoad<OrderDetail>(`/orders/${encodeURIComponent(orderId)}`);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const text = useRef<HTMLTextAreaElement>(null);
  const { verb } = ACT_WORDS[act];
  const action = data?.actions[act];

  async function run(): Promise<void> {
    if (busy || action?.possible !== true) return;
    setBusy(true);
    setProblem(undefined);
    try {
      onDone(await decide(orderId, act, text.current?.value ?? ""));
    } catch (failure) {
      setBusy(false);
      setProblem(explain(failure));
    }
  }

  return (
    <ConfirmDialog
      title={`${verb} ${name}?`}
      confirm={verb}
      danger={act === "decline"}
      busy={busy || action?.possible !== true}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      {action === undefined && error !== null && <Failure error={error} onRetry={reload} />}
      {action === undefined && error === null && <Skeleton lines={1} />}
      {action !== undefined && <p>{action.consequence}</p>}
      <Field label="Note (optional)" hint="Kept with the order. The customer does not see it.">
        {(control) => (
          <textarea {...control} ref={text} rows={2} maxLength={NOTE_MAX_LENGTH} defaultValue={note} />
        )}
      </Field>
      {problem !== undefined && (
        <div role="alert">
          <Notice tone="bad">{problem}</Notice>
        </div>
      )}
    </ConfirmDialog>
  );
}

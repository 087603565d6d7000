import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/entry.tsx";
import { Select } from "../../components/field.tsx";
import { Notice } from "../../components/panel.tsx";
import { showToast } from "../../components/toasts.tsx";
import { call, explain } from "../../data/api.ts";
import type { BodyFor } from "../../data/api-types.ts";

type Entry = BodyFor<"POST /policy/lists">;

/** Properties of {@link ListDialog}. */
export interface ListDialogProps extends Pick<Entry, "orderId" | "list" | "kind"> {
  /** Masked. */
  readonly label: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const CONSEQUENCES = {
  block:
    "New orders with it are held for review, also where a rule would allow or skip them. They aren't canceled.",
  trust:
    "What a low, medium, or high risk does to new orders with it becomes one step milder: canceled becomes held, held becomes tagged. Critical orders, rules, and blocks stay as they are.",
} as const;

const DAYS = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "1 year"],
  ["", "No end"],
] as const;
const DAY_MS = 86_400_000;

/** Puts what an order's buyer is recognized by on a list: why, and until when. */
export function ListDialog({ orderId, list, kind, label, onDone, onClose }: ListDialogProps) {
  const [reason, setReason] = useState("");
  const [days, setDays] = useState<string>("90");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();

  async function save(): Promise<void> {
    if (busy) return;
    setBusy(true);
    const end = new Date(Date.now() + Number(days) * DAY_MS).toISOString().slice(0, 10);
    const until = days === "" ? null : end;
    try {
      await call("POST /policy/lists", { body: { orderId, list, kind, reason, until } });
      showToast(list === "block" ? "Blocked." : "Trusted.");
      onDone();
    } catch (failure) {
      setBusy(false);
      setProblem(failure);
    }
  }

  return (
    <ConfirmDialog
      title={`${list === "block" ? "Block" : "Trust"} ${label}?`}
      confirm={list === "block" ? "Block" : "Trust"}
      busy={busy}
      onConfirm={() => void save()}
      onClose={onClose}
      fields={
        <>
          <TextField label="Reason" value={reason} onChange={setReason} hint="Saved in the policy." />
          <Select label="For how long" value={days} options={DAYS} onChange={setDays} />
          {problem !== undefined && (
            <div role="alert">
              <Notice tone="bad">{explain(problem)}</Notice>
            </div>
          )}
        </>
      }
    >
      <p>{CONSEQUENCES[list]}</p>
    </ConfirmDialog>
  );
}

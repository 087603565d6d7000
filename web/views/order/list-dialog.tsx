import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Select, TextField } from "../../components/form.tsx";
import { Problem } from "../../components/panel.tsx";
import { showToast } from "../../components/toasts.tsx";
import type { BodyFor } from "../../data/api-types.ts";
import { call } from "../../data/api.ts";
import { DAY_MS, formatDate } from "../../data/format.ts";
import { useAction } from "../../data/use-action.ts";

type Entry = BodyFor<"POST /policy/lists">;

/** Properties of {@link ListDialog}. */
export interface ListDialogProps extends Pick<Entry, "orderId" | "list" | "kind" | "rule"> {
  /** What is put on the list, masked; of a snooze, the customer. */
  readonly label: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const CONSEQUENCES = {
  block:
    "New orders with it are held for review, even if a rule would allow or skip them. The block itself never cancels an order.",
  trust:
    "At low, medium, and high risk, new orders with it are held instead of canceled, and tagged instead of held. Critical orders, rules, and blocks aren't affected.",
  snooze:
    "Until the last day, this rule isn't applied to new orders with this email address. Other rules and the risk level still apply. This order doesn't change.",
} as const;

const TITLES = {
  block: { verb: "Block", done: "Blocked." },
  trust: { verb: "Trust", done: "Trusted." },
  snooze: { verb: "Don't apply", done: "Snoozed." },
} as const;

const DAYS = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "1 year"],
  ["", "No end"],
] as const;

/** Puts what an order's buyer is recognized by on a list: why, and until when. */
export function ListDialog({ orderId, list, rule, kind, label, onDone, onClose }: ListDialogProps) {
  const [reason, setReason] = useState("");
  const [days, setDays] = useState<string>(list === "snooze" ? "30" : "90");
  const { busy, problem, run } = useAction();

  const { verb, done } = TITLES[list];
  const end = new Date(Date.now() + Number(days) * DAY_MS).toISOString().slice(0, 10);
  const until = days === "" ? null : end;

  async function save(): Promise<void> {
    await call("POST /policy/lists", { body: { orderId, list, rule, kind, reason, until } });
    showToast(done);
    onDone();
  }

  return (
    <ConfirmDialog
      title={rule === undefined ? `${verb} ${label}?` : `Don't apply “${rule}” to ${label}?`}
      confirm={verb}
      busy={busy}
      onConfirm={() => run(save)}
      onClose={onClose}
      fields={
        <>
          <TextField label="Reason" value={reason} onChange={setReason} hint="Saved in the policy." />
          <Select
            label="For how long"
            value={days}
            // A snooze has an end.
            options={list === "snooze" ? DAYS.slice(0, -1) : DAYS}
            onChange={setDays}
          />
          {until !== null && <p class="hint">Last day: {formatDate(until)}</p>}
          <Problem error={problem} />
        </>
      }
    >
      <p>{CONSEQUENCES[list]}</p>
    </ConfirmDialog>
  );
}

import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/form.tsx";
import { Problem } from "../../components/panel.tsx";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { call } from "../../data/api/api.ts";
import { splitProblems } from "../../data/api/field-problems.ts";
import { showToast } from "../../data/api/messages.ts";
import { useAction } from "../../data/api/use-action.ts";
import { t } from "../../data/base/texts.ts";
import { type LinkKind, toLastDay } from "../../data/orders/blocking.ts";
import { BlockFields } from "./block-fields.tsx";

interface BlockDialogProps {
  readonly order: OrderDetail;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Blocks what an order's buyer is recognized by, without a decision on the order. */
export function BlockDialog({ order: { orderId, name }, onDone, onClose }: BlockDialogProps) {
  const [kinds, setKinds] = useState<readonly LinkKind[]>([]);
  const [days, setDays] = useState("90");
  const [reason, setReason] = useState("");
  const { busy, problem, run } = useAction();
  const { find, rest } = splitProblems(problem, ["kinds", "reason"]);

  async function save(): Promise<void> {
    const body = { orderId, list: "block", kinds, reason, until: toLastDay(days) } as const;
    await call("POST /policy/lists", { body });
    showToast(t("review.blocked", { count: kinds.length }));
    onClose();
    onDone();
  }

  return (
    <ConfirmDialog
      title={t("order.block-buyer", { name })}
      confirm={t("order.block")}
      busy={busy}
      onConfirm={() => run(save)}
      onClose={onClose}
      fields={
        <>
          <BlockFields
            {...{ orderId, kinds, days }}
            legend={t("order.block-legend")}
            error={find("kinds")}
            onKinds={setKinds}
            onDays={setDays}
          />
          <TextField
            label={t("order.reason")}
            value={reason}
            onChange={setReason}
            hint={t("order.saved-in-the-policy")}
            error={find("reason")}
          />
          <Problem error={rest} />
        </>
      }
    >
      <p>{t("order.new-orders-with-it-are-held")}</p>
    </ConfirmDialog>
  );
}

import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Deadline, Time } from "../../components/time.tsx";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { toRoleReason } from "../../data/api/session.ts";
import { DISPUTE_WORDS } from "../../data/api/words.ts";
import { findText, rich, t } from "../../data/base/texts.ts";
import { EvidenceDialog } from "./evidence-dialog.tsx";

/** What banks say about the payment, and until when they wait for an answer. */
export function DisputePanel({ order }: { readonly order: OrderDetail }) {
  const [openId, setOpenId] = useState<string | null>(null);
  if (order.disputes.length === 0) return null;
  return (
    <Panel title={t("order.disputes")}>
      <ul class="stack">
        {order.disputes.map((dispute) => (
          <li key={dispute.disputeId} class="row between">
            <span class="anywhere">
              {DISPUTE_WORDS[dispute.kind]}
              <span class="sub">
                {t("verdict.bank-reason", {
                  reason: findText("disputes", dispute.reason) ?? dispute.reason.replaceAll("_", " "),
                })}
              </span>
              <DueBy dispute={dispute} />
            </span>
            <Button
              label={t("evidence.open")}
              small
              disabledReason={toRoleReason("reviewer")}
              onClick={() => setOpenId(dispute.disputeId)}
            />
          </li>
        ))}
      </ul>
      {openId !== null && <EvidenceDialog order={order} disputeId={openId} onClose={() => setOpenId(null)} />}
    </Panel>
  );
}

function DueBy({ dispute }: { readonly dispute: OrderDetail["disputes"][number] }) {
  const { status, evidenceDueBy, evidenceSentOn } = dispute;
  if (evidenceSentOn !== null)
    return <span class="sub">{rich("order.evidence-sent", { time: <Time at={evidenceSentOn} /> })}</span>;
  if (status !== "open" || evidenceDueBy === null) return null;
  return (
    <span class="sub">
      {rich("order.bank-waits", {
        deadline: <Deadline at={evidenceDueBy} />,
        time: <Time at={evidenceDueBy} />,
      })}
    </span>
  );
}

import { useEffect, useRef } from "preact/hooks";
import { ActionButton } from "../../components/action-button.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/form.tsx";
import { Loading, Notice, Problem } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { useLoad } from "../../data/api/use-load.ts";
import { LANGUAGE } from "../../data/base/language.ts";
import { t } from "../../data/base/texts.ts";
import {
  type Draft,
  type Evidence,
  explainDraft,
  FIELD_WORDS,
  printEvidence,
  saveEvidence,
  SOURCE_WORDS,
} from "../../data/orders/evidence.ts";
import { useEvidenceDraft } from "../../data/orders/use-evidence-draft.ts";

interface EvidenceDialogProps {
  readonly order: OrderDetail;
  readonly disputeId: string;
  readonly onClose: () => void;
}

/** What a bank should know about a disputed order. Nothing is sent to the bank from here. */
export function EvidenceDialog({ order: { orderId, name }, disputeId, onClose }: EvidenceDialogProps) {
  const load = useLoad("GET /orders/:orderId/evidence", {
    params: { orderId },
    query: { dispute: disputeId },
  });
  const { communication, setCommunication, draft, hasChanged, busy, problem, preview, save } =
    useEvidenceDraft(orderId, disputeId, onClose);
  return (
    <Dialog
      title={t("evidence.title", { name })}
      onClose={onClose}
      foot={
        <>
          <Downloads {...{ orderId, disputeId, communication }} />
          {draft === null ? (
            <Button
              key="preview"
              label={t("evidence.preview")}
              look="primary"
              busy={busy}
              onClick={preview}
            />
          ) : (
            explainDraft(draft) === null && (
              <Button key="save" label={t("evidence.save")} look="primary" busy={busy} onClick={save} />
            )
          )}
        </>
      }
    >
      <p class="hint">{t("evidence.you-submit")}</p>
      <Field label={t("evidence.communication")} hint={t("evidence.communication-hint")}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={5_000}
            value={communication}
            onInput={(event) => setCommunication(event.currentTarget.value)}
          />
        )}
      </Field>
      {draft !== null ? (
        <DraftFields draft={draft} hasChanged={hasChanged} />
      ) : load.data === null ? (
        <Loading load={load} lines={8} />
      ) : (
        <Pack evidence={load.data} />
      )}
      <Problem error={problem} />
    </Dialog>
  );
}

interface DownloadsProps {
  readonly orderId: string;
  readonly disputeId: string;
  readonly communication: string;
}

function Downloads({ orderId, disputeId, communication }: DownloadsProps) {
  return (
    <>
      <ActionButton
        label={t("evidence.pdf")}
        icon="download"
        onAct={() => printEvidence(orderId, disputeId, communication)}
      />
      <ActionButton
        label={t("order.download-evidence")}
        icon="download"
        onAct={() => saveEvidence(orderId, disputeId)}
      />
    </>
  );
}

/** The texts are for the bank, in English. */
function Pack({ evidence: { statements, missing, earlier } }: { readonly evidence: Evidence }) {
  return (
    <>
      <h3>{t("evidence.known")}</h3>
      <ul class="stack gap-2" lang="en">
        {statements.map(({ text, source, at }) => (
          <li key={text} class="anywhere">
            {text}{" "}
            <span class="soft" lang={LANGUAGE}>
              {SOURCE_WORDS[source]}
              {at !== null && (
                <>
                  {" · "}
                  <Time at={at} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {earlier.applies !== "no" && earlier.orders.length === 0 && !earlier.keeping && (
        <Notice>{t("evidence.not-kept")}</Notice>
      )}
      <h3>{t("evidence.missing")}</h3>
      <ul class="stack gap-2" lang="en">
        {missing.map(({ what, where }) => (
          <li key={what} class="anywhere">
            {where}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Longer than a column has room for. */
const LONG = 40;

interface DraftFieldsProps {
  readonly draft: Draft;
  readonly hasChanged: boolean;
}

function DraftFields({ draft, hasChanged }: DraftFieldsProps) {
  const top = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone, and this is what to read next.
  useEffect(() => top.current?.focus(), [draft]);
  const obstacle = explainDraft(draft);
  return (
    <>
      <div ref={top} tabIndex={-1} class="stack gap-2">
        {hasChanged && <Notice tone="warn">{t("evidence.changed")}</Notice>}
        {obstacle === null ? <p>{t("evidence.exactly-this")}</p> : <Notice tone="warn">{obstacle}</Notice>}
      </div>
      <dl class="facts stack">
        {draft.fields.map(({ field, text, kept }) => (
          <div key={field} class={text.length > LONG ? "wide" : undefined}>
            <dt class="fine">{FIELD_WORDS[field]}</dt>
            <dd class="anywhere pre">{kept ? <span class="soft">{t("evidence.stays")}</span> : text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

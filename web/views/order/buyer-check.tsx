import { ActionButton } from "../../components/action-button.tsx";
import { Facts, Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { call } from "../../data/api/api.ts";
import { showToast } from "../../data/api/messages.ts";
import { toSelector } from "../../data/api/words.ts";
import { BuyerFiles } from "./buyer-files.tsx";
import { t } from "../../data/base/texts.ts";

type Check = NonNullable<OrderDetail["buyerCheck"]>;

/** What the order's buyer was asked, and what they answered. */
export function BuyerCheckPanel({ order }: { readonly order: OrderDetail }) {
  const { buyerCheck: check, orderId } = order;
  if (check === null) return null;
  const { state, answer, method, sentAt, retryAt, expiresAt, methods } = check;
  const unoffered = methods.flatMap(({ method: name, reason }) =>
    reason === null ? [] : [t("asking.why-not", { method: toSelector(name), reason: toSelector(reason) })],
  );
  return (
    <Panel title={t("asking.title")}>
      <div class="stack gap-3">
        <Facts
          facts={[
            [t("asking.status"), t("asking.state", { state })],
            [
              t("asking.answer"),
              answer !== null && method !== null
                ? t("asking.answered", { answer, method: toSelector(method) })
                : null,
            ],
            [t("asking.sent-to"), toRecipient(check)],
            [t("asking.sent"), sentAt === null ? toProblem(check) : <Time at={sentAt} />],
            [t("asking.retry"), retryAt === null ? null : <Time at={retryAt} />],
            [t("asking.until"), state === "open" ? <Time at={expiresAt} /> : null],
          ]}
        />
        <BuyerFiles order={order} />
        {unoffered.length > 0 && (
          <div>
            <p class="fine">{t("asking.not-offered")}</p>
            <ul class="plain">
              {unoffered.map((line) => (
                <li key={line} class="hint">
                  {line}
                </li>
              ))}
            </ul>
          </div>
        )}
        {state === "open" && (
          <ActionButton label={t("asking.copy-link")} small onAct={() => copyLink(orderId)} />
        )}
      </div>
    </Panel>
  );
}

function toRecipient({ recipient }: Check): string | null {
  if (recipient === null) return null;
  const { address, ofOrder } = recipient;
  return ofOrder === undefined ? address : t("asking.of-order", { address, order: ofOrder });
}

function toProblem({ problem }: Check): string | null {
  return problem === null ? null : t("asking.not-sent", { problem });
}

async function copyLink(orderId: string): Promise<void> {
  const { data } = await call("POST /orders/:orderId/buyer-check/link", { params: { orderId } });
  await navigator.clipboard.writeText(data.url);
  showToast(t("asking.copied", { address: data.recipient?.address ?? t("asking.the-buyer") }));
}

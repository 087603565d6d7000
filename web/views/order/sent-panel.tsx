import { Disclosure } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";

import { formatValue, nameField, explainCode } from "../../data/api/words.ts";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { t } from "../../data/base/texts.ts";

const CALL_WORDS: Readonly<Record<string, string>> = {
  started: t("order.in-progress"),
  answered: t("order.result-received"),
  failed: t("order.failed"),
  unknown: t("order.no-response-may-have-been-billed"),
};

const METERED_WORDS = {
  yes: t("order.1-credit"),
  no: t("order.free"),
  unknown: t("order.uses-1-credit"),
} as const;

export function SentPanel({ order }: { readonly order: OrderDetail }) {
  const { sent, leftOut, calls, creditsSpent } = order;
  return (
    <>
      <Disclosure title={t("order.data-sent")} count={sent?.length}>
        {sent === null ? (
          <p class="soft">{t("order.no-data-was-sent-or-it")}</p>
        ) : (
          <Pairs pairs={sent.map(({ path, value }) => [path, formatValue(value)])} />
        )}
        {leftOut.length > 0 && (
          <>
            <h3>{t("order.left-out")}</h3>
            <Pairs pairs={leftOut.map(({ path, reason }) => [path, reason])} />
          </>
        )}
      </Disclosure>
      <Disclosure title={t("order.calls-spent", { count: creditsSpent })} count={calls.length}>
        {calls.length === 0 ? (
          <p class="soft">{t("order.this-order-wasnt-sent-to-the")}</p>
        ) : (
          <ul class="stack gap-2">
            {calls.map((one) => (
              <li key={`${one.at}${one.state}`} class="wrap">
                <Time at={one.at} />
                <span>
                  {CALL_WORDS[one.state] ?? one.state}
                  {one.error !== null && `: ${explainCode(one.error)}`}
                </span>
                <span class="soft">{METERED_WORDS[one.metered ?? "unknown"]}</span>
              </li>
            ))}
          </ul>
        )}
      </Disclosure>
    </>
  );
}

function Pairs({ pairs }: { readonly pairs: readonly (readonly [path: string, text: string])[] }) {
  return (
    <dl class="pairs">
      {pairs.map(([path, text]) => (
        <div key={path} class="stack gap-3">
          <dt class="soft">{nameField(path)}</dt>
          <dd class="anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

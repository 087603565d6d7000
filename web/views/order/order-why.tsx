import { LevelBadge } from "../../components/badge.tsx";
import { Facts, Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import type { OrderDetail, RiskLevel } from "../../data/api/api-types.ts";
import { explainReason } from "../../data/orders/event-words.ts";
import { type FactorGroup, groupFactors } from "../../data/orders/factors.ts";
import {
  formatValue,
  LEVEL_WORDS,
  nameFactor,
  nameField,
  SOURCE_WORDS,
  splitCode,
} from "../../data/api/words.ts";
import { ListButton } from "./linked-panel.tsx";
import { RuleLink } from "./rule-link.tsx";
import { LANGUAGE } from "../../data/base/language.ts";
import { t } from "../../data/base/texts.ts";

/** The start of a reason that names a rule. */
const RULE = "rule:";

export function OrderWhy({ order }: { readonly order: OrderDetail }) {
  const { reasoning, factors, recommendations, changes } = order;
  const hasResult = reasoning !== null || factors.length > 0;
  return (
    <>
      {changes.length > 0 && <Changes changes={changes} />}
      <Panel title={t("order.why")}>
        {hasResult && LANGUAGE !== "en" && <p class="hint lead">{t("order.as-written")}</p>}
        {reasoning !== null && (
          <p class="reasoning" lang="en">
            {reasoning}
          </p>
        )}
        {!hasResult && <p class="soft">{t("order.no-verification-result-saved-for-this")}</p>}
        {groupFactors(factors).map((group) => (
          <Factors key={group.category} group={group} />
        ))}
        {recommendations.length > 0 && (
          <div class="factors">
            <h3>{t("order.recommendations")}</h3>
            <ul class="bullets stack gap-1">
              {recommendations.map((one) => (
                <li key={one} lang="en">
                  {one}
                </li>
              ))}
            </ul>
          </div>
        )}
        <Decision order={order} />
        <div class="row below">
          <RuleLink orderId={order.orderId} />
        </div>
      </Panel>
    </>
  );
}

function Factors({ group }: { readonly group: FactorGroup }) {
  return (
    <div class="factors">
      <h3>{group.category}</h3>
      <ul>
        {group.factors.map(({ factor, description, severity }) => {
          const { text, code } = splitCode(description);
          return (
            <li key={`${factor} ${description}`} class="stack gap-3">
              {isLevel(severity) ? <LevelBadge level={severity} /> : <span class="badge">{severity}</span>}
              <div>
                <b>{nameFactor({ factor, description })}</b>
                <p class="soft" lang="en">
                  {text} {code !== null && <span class="mono fine">{code}</span>}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function isLevel(severity: string): severity is RiskLevel {
  return Object.hasOwn(LEVEL_WORDS, severity);
}

function Decision({ order }: { readonly order: OrderDetail }) {
  return (
    <div class="factors">
      <h3>{t("order.decision")}</h3>
      {order.reasons.length > 0 && (
        <ul class="bullets stack gap-1">
          {order.reasons.map((reason) => (
            <li key={reason}>
              {explainReason(reason)}{" "}
              {reason.startsWith(RULE) && (
                <ListButton
                  orderId={order.orderId}
                  list="snooze"
                  kind="mailbox"
                  rule={reason.slice(RULE.length)}
                  label={t("order.this-customer")}
                  about={`(${reason.slice(RULE.length)})`}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <Facts
        facts={[
          [t("order.checked-by"), order.source === null ? "–" : SOURCE_WORDS[order.source]],
          [t("order.decided"), order.decidedAt === null ? "–" : <Time at={order.decidedAt} />],
          [t("order.policy-version"), order.policyVersion === null ? "–" : String(order.policyVersion)],
          [t("order.tags"), order.tags.length === 0 ? "–" : order.tags.join(", ")],
        ]}
      />
    </div>
  );
}

function Changes({ changes }: Pick<OrderDetail, "changes">) {
  return (
    <Panel title={t("order.changed-on-the-platform-since-the")}>
      {changes.map(({ at, material, fields }) => (
        <div key={at} class="change">
          <p class="soft">
            <Time at={at} />· {material ? t("order.affects-risk") : t("order.no-risk")}
          </p>
          <Table
            caption={t("order.changes-by-field")}
            region={t("order.changed-fields")}
            columns={[t("order.field"), t("order.before"), t("order.after")]}
            rows={fields.map(({ path, before, after }) => [
              path,
              nameField(path),
              <del>{formatValue(before)}</del>,
              <ins>{formatValue(after)}</ins>,
            ])}
          />
        </div>
      ))}
    </Panel>
  );
}

import { LevelBadge } from "../../components/badge.tsx";
import { Facts, Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import type { OrderDetail, RiskLevel } from "../../data/api/api-types.ts";
import { explainReason } from "../../data/orders/event-words.ts";
import { type FactorGroup, groupFactors } from "../../data/orders/factors.ts";
import { formatValue, LEVEL_WORDS, nameField, SOURCE_WORDS, splitCode } from "../../data/api/words.ts";
import { ListButton } from "./linked-panel.tsx";

/** The start of a reason that names a rule. */
const RULE = "rule:";

export function OrderWhy({ order }: { readonly order: OrderDetail }) {
  const { reasoning, factors, recommendations, changes } = order;
  const hasResult = reasoning !== null || factors.length > 0;
  return (
    <>
      {changes.length > 0 && <Changes changes={changes} />}
      <Panel title="Why">
        {reasoning !== null && <p class="reasoning">{reasoning}</p>}
        {!hasResult && <p class="soft">No verification result saved for this order.</p>}
        {groupFactors(factors).map((group) => (
          <Factors key={group.category} group={group} />
        ))}
        {recommendations.length > 0 && (
          <div class="factors">
            <h3>Recommendations</h3>
            <ul class="bullets stack gap-1">
              {recommendations.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          </div>
        )}
        <Decision order={order} />
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
                <b>{factor}</b>
                <p class="soft">
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
      <h3>Decision</h3>
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
                  label="this customer"
                  about={`(${reason.slice(RULE.length)})`}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <Facts
        facts={[
          ["Checked by", order.source === null ? "–" : SOURCE_WORDS[order.source]],
          ["Decided", order.decidedAt === null ? "–" : <Time at={order.decidedAt} />],
          ["Policy version", order.policyVersion === null ? "–" : String(order.policyVersion)],
          ["Tags", order.tags.length === 0 ? "–" : order.tags.join(", ")],
        ]}
      />
    </div>
  );
}

function Changes({ changes }: Pick<OrderDetail, "changes">) {
  return (
    <Panel title="Changed on the platform since the decision">
      {changes.map(({ at, material, fields }) => (
        <div key={at} class="change">
          <p class="soft">
            <Time at={at} />
            {material ? " · affects risk" : " · doesn't affect risk"}
          </p>
          <Table
            caption="Changes by field"
            region="Changed fields"
            columns={["Field", "Before", "After"]}
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

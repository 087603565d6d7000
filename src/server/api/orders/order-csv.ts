import type { CsvValue } from "../../../base/csv.ts";
import type { Converter } from "../../../mapping/exchange-rates.ts";
import type { Decision } from "../../../order/decision.ts";
import { findEvidenceDueMs } from "../../../pipeline/watch/evidence-due.ts";
import { toListedOutcome } from "../../../pipeline/report/outcome.ts";
import type { OrderTrace } from "../../../store/outcomes/outcomes.ts";
import type { Person } from "../../../store/people/person.ts";
import type { OrderRecord } from "../../../store/store.ts";
import { toZonedIso } from "../../parts/shop-locales.ts";
import { readOrderCountry } from "./order-json.ts";

export const ORDER_COLUMNS = [
  "order_id",
  "name",
  "received_at",
  "amount",
  "currency",
  "value",
  "value_currency",
  "country",
  "state",
  "outcome",
  "dispute",
  "evidence_due_by",
  "risk_level",
  "risk_score",
  "action",
  "reasons",
  "factors",
  "decided_by",
  "decided_at",
];

interface Shop {
  readonly timeZone: string | null;
  readonly converter: Converter;
  readonly people: readonly Person[];
  readonly nowMs: number;
}

/** Makes the rows of {@link ORDER_COLUMNS}. Nothing in them names the buyer. */
export function createOrderCells({ timeZone, converter, people, nowMs }: Shop) {
  const names = new Map(people.map(({ actor, name }) => [actor, name]));

  function toDisputed({ disputes }: Pick<OrderTrace, "disputes"> = { disputes: [] }): readonly CsvValue[] {
    const dueMs = findEvidenceDueMs(disputes, nowMs);
    return [disputes.at(-1)?.kind ?? null, dueMs === null ? null : toZonedIso(dueMs, timeZone)];
  }

  return (order: OrderRecord, trace: OrderTrace | undefined): readonly CsvValue[] => {
    const { amount, currency, receivedAtMs, decision, decidedAtMs } = order;
    const value = toValue(converter, order);
    return [
      { id: order.orderId },
      order.name,
      toZonedIso(receivedAtMs, timeZone),
      amount,
      currency,
      value,
      value === null ? null : converter.currency,
      readOrderCountry(order.mapped),
      order.state,
      toListedOutcome(order, trace),
      ...toDisputed(trace),
      ...(decision === null ? [null, null, null, null] : toDecided(decision)),
      order.result?.riskFactors.map(({ factor }) => factor).join("; ") ?? null,
      decision === null ? null : toDecider(decision, names),
      decidedAtMs === null ? null : toZonedIso(decidedAtMs, timeZone),
    ];
  };
}

function toValue(converter: Converter, { amount, currency, receivedAtMs }: OrderRecord): number | null {
  return amount === null || currency === null ? null : converter.toValue(amount, currency, receivedAtMs);
}

function toDecided({ riskLevel, riskScore, action, reasons }: Decision): readonly CsvValue[] {
  return [riskLevel, riskScore, action, reasons.join("; ")];
}

function toDecider({ actor, source }: Decision, names: ReadonlyMap<string, string | null>): string {
  return actor === undefined ? source : (names.get(actor) ?? actor);
}

import { sql } from "kysely";
import type { BuyerAnswer } from "../../order/buyer-check.ts";
import type { Decision } from "../../order/decision.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { TimeWindow } from "../slices.ts";

/** A question to a buyer, and what became of its order. */
export interface AskedQuestion {
  readonly orderId: string;
  readonly answer: BuyerAnswer | null;
  /** The order's decision now. */
  readonly decision: Decision | null;
  readonly isChargedBack: boolean;
}

/** Where a page of questions ended. */
export interface AskedPosition {
  readonly askedAtMs: number;
  readonly checkId: string;
}

export interface AskedPage {
  readonly questions: readonly AskedQuestion[];
  /** Null: there are no more. */
  readonly next: AskedPosition | null;
}

interface Row {
  readonly order_id: string;
  readonly check_id: string;
  readonly asked_at: number;
  readonly answer: BuyerAnswer | null;
  readonly decision: string | null;
  readonly charged_back: number;
}

const QUESTIONS_PER_PAGE = 200;

/** The questions asked in a window, without those that nobody could answer, oldest first, page by page. */
export async function listAsked(
  { engine }: Pick<StoreContext, "engine">,
  tenant: TenantId,
  { sinceMs, untilMs }: TimeWindow,
  after: AskedPosition | null,
): Promise<AskedPage> {
  const { askedAtMs, checkId } = after ?? { askedAtMs: sinceMs, checkId: "" };
  const query = sql<Row>`
    select checks.order_id, check_id, asked_at, answer, decision, case when exists (
      select 1 from disputes where disputes.tenant = checks.tenant and disputes.order_id = checks.order_id
        and kind = 'chargeback' and status <> 'prevented') then 1 else 0 end as charged_back
    from buyer_checks as checks
    join orders on orders.tenant = checks.tenant and orders.order_id = checks.order_id
    where checks.tenant = ${tenant} and asked_at >= ${sinceMs} and asked_at < ${untilMs} and route <> 'none'
      and (asked_at, check_id) > (${askedAtMs}, ${checkId})
    order by asked_at, check_id limit ${QUESTIONS_PER_PAGE}`;
  const { rows } = await engine.read((db) => query.execute(db));
  const last = rows.length < QUESTIONS_PER_PAGE ? undefined : rows.at(-1);
  return {
    questions: rows.map(({ order_id: orderId, answer, decision, charged_back: chargedBack }) => ({
      orderId,
      answer,
      decision: decision === null ? null : (JSON.parse(decision) as Decision),
      isChargedBack: chargedBack === 1,
    })),
    next: last === undefined ? null : { askedAtMs: last.asked_at, checkId: last.check_id },
  };
}

import type { TenantId } from "../../platform/platform.ts";
import type { AskedPage, AskedQuestion } from "../../store/buyer-checks/asked-orders.ts";
import type { TimeWindow } from "../../store/slices.ts";
import type { Store } from "../../store/store.ts";

/** Orders whose buyers were asked in a period, and what came of it. */
export interface BuyerFigures {
  readonly asked: number;
  readonly answered: number;
  readonly right: number;
  /** Of the right ones, those that it released. */
  readonly released: number;
  /** Of the released ones, those with a chargeback since. */
  readonly chargedBack: number;
}

/** Count a tenant's questions to buyers in a period. An order that was asked about more than once counts once. */
export async function countQuestions(
  { buyerChecks, nextTurn }: Pick<Store, "buyerChecks" | "nextTurn">,
  tenant: TenantId,
  window: TimeWindow,
  signal?: AbortSignal,
): Promise<BuyerFigures> {
  const orders = new Map<string, { answered: boolean; right: boolean; last: AskedQuestion }>();
  let after: AskedPage["next"] = null;
  do {
    await nextTurn(tenant, signal);
    const page: AskedPage = await buyerChecks.listAsked(tenant, window, after);
    for (const question of page.questions) {
      const before = orders.get(question.orderId);
      const answered = before?.answered === true || question.answer !== null;
      const right = before?.right === true || question.answer === "right";
      orders.set(question.orderId, { answered, right, last: question });
    }
    after = page.next;
  } while (after !== null);
  const all = [...orders.values()];
  const released = all.filter(({ right, last }) => right && last.decision?.confirmed?.effect === "release");
  return {
    asked: all.length,
    answered: all.filter(({ answered }) => answered).length,
    right: all.filter(({ right }) => right).length,
    released: released.length,
    chargedBack: released.filter(({ last }) => last.isChargedBack).length,
  };
}

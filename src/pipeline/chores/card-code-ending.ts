import { raiseAlert } from "../../base/alerts.ts";
import { isHoldfastError } from "../../base/errors.ts";
import type { PlatformCardCodes } from "../../platform/platform.ts";
import { isAboutNow, isAskable, isUnsettled } from "../../store/buyer-checks/buyer-check.ts";
import type { CardCode } from "../../store/buyer-checks/card-codes.ts";
import { createChore, visitTenants, VISIT_EVERY_MS, type TenantVisit, type VisitParts } from "./chore.ts";

const CODES_PER_LOOK = 100;
const LOOKS_PER_VISIT = 20;
/** After a failure: ten minutes, then twice as long each time, up to this. */
const LONGEST_PAUSE_MS = 6 * 3_600_000;
/** After about five hours of failures. */
const ALERT_AFTER_FAILURES = 6;

/**
 * Create the chore that gives back the small amounts that show codes on card statements, as soon as nobody can answer with the code
 * any more: after an answer, a change of the order, or the link's end. `run` is one round over every tenant.
 */
export function createCardCodeEnding(parts: VisitParts) {
  const { logger } = parts;
  const failed = "couldn't give back the amounts that show codes on card statements";
  const run = (signal: AbortSignal): Promise<void> =>
    visitTenants(parts, { lease: "card-codes", failed }, (visited) => visit(parts, visited, signal), signal);
  return { run, ...createChore({ everyMs: VISIT_EVERY_MS, round: run, failed, logger }) };
}

async function visit(
  parts: VisitParts,
  { tenant, platform, hold }: TenantVisit,
  signal: AbortSignal,
): Promise<void> {
  const { store, now } = parts;
  for (let look = 0; look < LOOKS_PER_VISIT; look += 1) {
    const due = await store.cardCodes.listDue(tenant, now(), CODES_PER_LOOK);
    for (const code of due) {
      signal.throwIfAborted();
      if (await isInUse(parts, code))
        await store.cardCodes.defer(code, { dueAtMs: now() + VISIT_EVERY_MS, failures: 0 });
      else await end(parts, platform.cardCodes, code, signal);
      await store.nextTurn(tenant);
    }
    if (due.length < CODES_PER_LOOK || !(await hold())) return;
  }
}

/** Whether a buyer can still answer with the code, or the code may still be added to the question. */
async function isInUse({ store, now }: VisitParts, code: CardCode): Promise<boolean> {
  const check = (await store.buyerChecks.list(code)).find(({ checkId }) => checkId === code.checkId);
  const order = await store.orders.get(code);
  if (check === undefined || order === null) return false;
  const isOpen = isUnsettled(check, now()) && isAboutNow(check, order) && isAskable(order);
  return isOpen && (check.methods["card-code"] === true || check.retryAtMs !== null);
}

async function end(
  { store, logger, now }: VisitParts,
  cardCodes: PlatformCardCodes | undefined,
  code: CardCode,
  signal: AbortSignal,
): Promise<void> {
  const { tenant, orderId, reference } = code;
  try {
    if (cardCodes === undefined) throw new TypeError("the platform no longer has card codes");
    await cardCodes.end(reference, { signal });
    await store.cardCodes.drop(code);
  } catch (error) {
    signal.throwIfAborted();
    if (isHoldfastError(error, "STORE_UNAVAILABLE")) throw error;
    const failures = code.failures + 1;
    const pauseMs = Math.min(VISIT_EVERY_MS * 2 ** code.failures, LONGEST_PAUSE_MS);
    await store.cardCodes.defer(code, { dueAtMs: now() + pauseMs, failures });
    // Without the error: a payment platform's own can quote the request.
    const facts = { tenant, orderId, reference, failures };
    const message = "an amount that shows a code on a card statement isn't given back yet";
    if (failures === ALERT_AFTER_FAILURES) raiseAlert(logger, "card_amount_not_released", facts, message);
    else logger.warn(facts, message);
  }
}

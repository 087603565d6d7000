import { raiseAlert } from "../../base/alerts.ts";
import { toLoggedReasons } from "../../base/log-redaction.ts";
import type { Situation } from "../order-life/situation.ts";
import type { Superseding } from "../order-life/supersede.ts";
import type { OrderTask } from "../tasks.ts";

/**
 * Log what somebody has to fix, save the decision and count it. If the order was changed on the platform since, nothing is
 * saved, and the order is worked on again with its new content.
 */
export async function keepDecision(
  { save, metrics, logger }: OrderTask,
  situation: Situation,
  { changes, entries, decision }: Superseding,
): Promise<Situation> {
  const { platform, tenant, orderId, revisedAtMs, revision } = situation.order;
  const { kept } = changes.revise ?? { kept: revision };
  const revise = { revisedAtMs, kept, isLatest: true } as const;
  if (changes.skipReason === "PERSONAL_DATA_NOT_GRANTED") {
    raiseAlert(
      logger,
      "personal_data_not_granted",
      { tenant, orderId },
      "the platform withholds personal data that the check needs: request access to it",
    );
  }
  const saved = await save(situation, { changes: { ...changes, revise }, entries });
  metrics.decided({ platform, ...decision });
  if (decision.degraded)
    logger.warn({ reasons: toLoggedReasons(decision.reasons) }, "an order was decided without the service");
  return saved;
}

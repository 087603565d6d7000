import { z } from "zod";
import { ACTIONS } from "../../order/decision.ts";
import { OUTCOMES, type ReplaySummary } from "../../policy/replay-tally.ts";
import type { ReceivedWindow } from "../../store/figures/replay-source.ts";
import { RISK_LEVELS } from "../../order/result.ts";
import { moneyJson, worthJson } from "./report-json.ts";

const action = z.enum(ACTIONS);
const tallyJson = z.object({ allow: worthJson, tag: worthJson, hold: worthJson, cancel: worthJson });

/** What a policy would have decided on past orders. */
export const replayJson = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  orders: z.int().describe("decided orders in the window"),
  replayed: z.int().describe("orders counted in `before` and `after`"),
  unknown: z.int(),
  unknownReason: z.string().nullable(),
  before: tallyJson.describe("what Holdfast decided at the time"),
  after: tallyJson,
  changes: z.array(z.object({ from: action, to: action, orders: z.int(), amount: moneyJson })).readonly(),
  examples: z
    .array(
      z.object({
        orderId: z.string(),
        name: z.string(),
        amount: z.number().nullable(),
        currency: z.string().nullable(),
        riskLevel: z.enum(RISK_LEVELS).nullable(),
        from: action,
        to: action,
        rule: z.string().nullable(),
        outcome: z.enum(OUTCOMES),
      }),
    )
    .readonly()
    .describe("at most 50, highest value first"),
  outcomes: z.partialRecord(z.enum(OUTCOMES), z.int()).describe("changed orders by outcome"),
  idleRules: z.array(z.string()).readonly().describe("rules that match none of the replayed orders"),
  credits: z.literal(0),
});

/** A replay as the API and the command line tell it. */
export function toReplayJson(
  { sinceMs, untilMs }: ReceivedWindow,
  summary: ReplaySummary,
): z.infer<typeof replayJson> {
  const [since, until] = [new Date(sinceMs).toISOString(), new Date(untilMs).toISOString()];
  return { since, until, ...summary, credits: 0 };
}

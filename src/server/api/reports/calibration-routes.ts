import { z } from "zod";
import { ALL_GROUPS } from "../../../engine/signals/all-signals.ts";
import {
  isEnough,
  OUTCOMES_NEEDED,
  proposeWeights,
  type KnownOutcomes,
} from "../../../engine/own-weights.ts";
import { countKnownOutcomes } from "../../../pipeline/report/calibration.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { handleRoutes, type RouteDefinitions } from "../../http/api-route.ts";
import { createWindowReports } from "./window-reports.ts";

type CalibrationParts = Pick<ServerParts, "store" | "now">;

/** The longest window of a report. */
const DAYS = 365;
/** How long a report is reused, instead of counting a year of orders again. Short, because failures are reused too. */
const SHARED_MS = 5_000;

const levelJson = z.object({
  fraud: z.int().describe("charged back as fraud, declined as fraud, or canceled as fraud on the platform"),
  caught: z.int().describe("fraud that Holdfast held or canceled, or would have in watch-only mode"),
  good: z.int().describe("approved by a person, or passed and undisputed for `undisputedDays`"),
  stopped: z.int().describe("good orders that Holdfast held or canceled, or would have"),
  refunded: z
    .int()
    .describe("refunded in full, and neither a bank nor a person said whether they were fraud"),
});

export const outcomesByLevelJson = z.object({
  low: levelJson,
  medium: levelJson,
  high: levelJson,
  critical: levelJson,
  none: levelJson,
});

const outcomesJson = z.object({ fraud: z.int(), good: z.int() });

const weightsJson = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  days: z.int(),
  known: outcomesJson.describe("orders that the local engine judged and whose outcome is known"),
  needed: outcomesJson.describe("known outcomes that are needed before weights are proposed"),
  enough: z.boolean(),
  signals: z
    .array(
      z.object({
        code: z.string(),
        title: z.string(),
        points: z.number().describe("the standard points, averaged over the orders with this signal"),
        fraud: z.int().describe("orders with this signal that were fraud"),
        good: z.int(),
        factor: z.number().describe("proposed for `localWeights` in the policy; 1 keeps the standard points"),
      }),
    )
    .describe("signals that were seen, largest change of points first"),
});

const CALIBRATION_ROUTES = {
  "GET /calibration/weights": {
    id: "proposeLocalWeights",
    summary: "Propose the shop's own weights for the local engine's signals. Nothing is changed.",
    role: "viewer",
    answers: { 200: weightsJson },
  },
} satisfies RouteDefinitions;

export function createCalibrationRoutes({ store, now }: CalibrationParts) {
  const report = createWindowReports({ now, forMs: SHARED_MS });
  const showWeights = report(async (tenant, window) =>
    toProposal(await countKnownOutcomes(store, tenant, window, window.untilMs)),
  );

  return handleRoutes(CALIBRATION_ROUTES, {
    "GET /calibration/weights": async ({ session: { tenant }, signal, answer }) =>
      answer(200, await showWeights(tenant, DAYS, signal)),
  });
}

const TITLES: ReadonlyMap<string, string> = new Map(
  ALL_GROUPS.flatMap(({ signals }) => signals.map(({ code, title }) => [code, title] as const)),
);

function toProposal(known: KnownOutcomes): Omit<z.infer<typeof weightsJson>, "since" | "until" | "days"> {
  const weights = proposeWeights(known);
  const signals = known.signals.map(({ code, points, fraud, good }) => ({
    code,
    // A signal of an earlier release may no longer exist.
    title: TITLES.get(code) ?? code,
    points: Math.round(points * 10) / 10,
    fraud,
    good,
    factor: weights[code] ?? 1,
  }));
  const toChange = ({ points, factor }: (typeof signals)[number]) => Math.abs(points * (factor - 1));
  return {
    known: { fraud: known.fraud, good: known.good },
    needed: OUTCOMES_NEEDED,
    enough: isEnough(known),
    signals: signals.toSorted((one, other) => toChange(other) - toChange(one)),
  };
}

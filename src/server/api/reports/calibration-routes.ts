import { z } from "zod";
import { nameFeature } from "../../../engine/model/features.ts";
import { OUTCOMES_NEEDED, type Trained } from "../../../engine/model/train.ts";
import { modelSchema } from "../../../policy/policy.ts";
import { trainModel } from "../../../pipeline/report/calibration.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { handleRoutes, type RouteDefinitions } from "../../http/api-route.ts";
import { createWindowReports } from "./window-reports.ts";

type CalibrationParts = Pick<ServerParts, "store" | "now">;

/** The longest window of a report. */
const DAYS = 365;
/** How long a model is reused, instead of reading a year of orders again. Short, because failures are reused too. */
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

const comparisonJson = z.object({
  fraud: z.int(),
  good: z.int(),
  base: z
    .number()
    .describe("the chance that the standard points rank a fraud above a good order, 0 to 1 (AUC)"),
  model: z.number().describe("the same with the model"),
  gain: z.number(),
  interval: z.tuple([z.number(), z.number()]).describe("where the gain lies in 95 of 100 samples"),
});

const calibrationJson = z.object({
  from: z.number().describe("the least chance of fraud that the model gave these orders, 0 to 1"),
  orders: z.int(),
  expected: z.number().describe("frauds that the model expected among them"),
  fraud: z.int().describe("frauds among them"),
});

const modelJson = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  days: z.int(),
  known: outcomesJson.describe("orders that the local engine judged alone and whose outcome is known"),
  needed: outcomesJson.describe("known outcomes that a model needs"),
  offered: z
    .boolean()
    .describe(
      "whether it ranks later orders better than the standard points, and the interval excludes zero",
    ),
  model: modelSchema.nullable().describe("for `localModel` in the policy; null while too little is known"),
  comparison: comparisonJson
    .nullable()
    .describe("on orders that came after those that each model learned from"),
  calibration: z.array(calibrationJson).describe("of the same orders, by the model's chance of fraud"),
  parts: z
    .array(z.object({ feature: z.string(), title: z.string(), points: z.number() }))
    .describe("what the model adds to the standard points, largest first"),
});

const CALIBRATION_ROUTES = {
  "GET /calibration/model": {
    id: "proposeLocalModel",
    summary: "Fit the shop's own model for the local engine, and compare it. Nothing is changed.",
    role: "viewer",
    answers: { 200: modelJson },
  },
} satisfies RouteDefinitions;

export function createCalibrationRoutes({ store, now }: CalibrationParts) {
  const report = createWindowReports({ now, forMs: SHARED_MS });
  const showModel = report(async (tenant, window) =>
    toProposal(await trainModel(store, tenant, window, window.untilMs)),
  );

  return handleRoutes(CALIBRATION_ROUTES, {
    "GET /calibration/model": async ({ session: { tenant }, signal, answer }) =>
      answer(200, await showModel(tenant, DAYS, signal)),
  });
}

function toProposal(trained: Trained): Omit<z.infer<typeof modelJson>, "since" | "until" | "days"> {
  const { known, model, comparison, calibration, isOffered } = trained;
  return {
    known,
    needed: OUTCOMES_NEEDED,
    offered: isOffered,
    model,
    comparison: comparison && { ...comparison, interval: [...comparison.interval] },
    calibration: [...calibration],
    parts: Object.entries(model?.points ?? {}).map(([feature, points]) => {
      return { feature, title: nameFeature(feature), points };
    }),
  };
}

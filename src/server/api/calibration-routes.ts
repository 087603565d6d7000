import { z } from "zod";
import { createSerialQueue } from "../../base/waiting.ts";
import { calibrate, type Calibration } from "../../pipeline/report/calibration.ts";
import { UNDISPUTED_AFTER_MS } from "../../pipeline/report/outcome.ts";
import type { TenantId } from "../../platform/platform.ts";
import { createSharedAnswers } from "../http/shared-answers.ts";
import { whileConnected } from "../http/responses.ts";
import type { ServerParts } from "../server-parts.ts";
import { handleRoutes, type ApiOperations, type RouteDefinitions } from "./api-route.ts";

type CalibrationParts = Pick<ServerParts, "store" | "now">;

const DAY_MS = 86_400_000;
/** No report goes back further. */
const DAYS = 365;
/** Opening the report again doesn't count a year again; a failure is kept as long, so it's short. */
const SHARED_MS = 5_000;

const levelJson = z.object({
  fraud: z.int().describe("charged back as fraud, declined as fraud, or canceled as fraud on the platform"),
  caught: z.int().describe("fraud that Holdfast held or canceled, or would have in watch-only mode"),
  good: z.int().describe("approved by a person, or passed and undisputed for `undisputedDays`"),
  stopped: z.int().describe("good orders that Holdfast held or canceled, or would have"),
});

const calibrationJson = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  days: z.int(),
  undisputedDays: z.int(),
  decided: z.int().describe("decided orders in the window, with and without a known outcome"),
  disputed: z.int().describe("of them, those with a payment dispute of any kind"),
  byLevel: z.object({
    low: levelJson,
    medium: levelJson,
    high: levelJson,
    critical: levelJson,
    none: levelJson,
  }),
});

/** What a shop's orders turned out to be. */
export const CALIBRATION_ROUTES = {
  "GET /calibration": {
    id: "showCalibration",
    summary: "Show how much fraud was caught and how many good orders were stopped at each risk level.",
    role: "viewer",
    answers: { 200: calibrationJson },
  },
} satisfies RouteDefinitions;

/** Answer {@link CALIBRATION_ROUTES}. Of a tenant one count is made at a time, shared by all who wait for it. */
export function createCalibrationRoutes({ store, now }: CalibrationParts): ApiOperations {
  const turns = createSerialQueue();
  const shared = createSharedAnswers<z.infer<typeof calibrationJson>>({ forMs: SHARED_MS, now });

  const count = (tenant: TenantId, signal: AbortSignal) =>
    turns(tenant, async () => {
      signal.throwIfAborted();
      const untilMs = now();
      const sinceMs = untilMs - DAYS * DAY_MS;
      return toJson(
        { sinceMs, untilMs },
        await calibrate(store, tenant, { sinceMs, untilMs, signal }, untilMs),
      );
    });

  return handleRoutes(CALIBRATION_ROUTES, {
    "GET /calibration": ({ session: { tenant }, res, answer }) =>
      whileConnected(res, async (caller) =>
        answer(200, await shared(tenant, (signal) => count(tenant, signal), caller)),
      ),
  });
}

function toJson(
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
  calibration: Calibration,
): z.infer<typeof calibrationJson> {
  return {
    since: new Date(sinceMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    days: DAYS,
    undisputedDays: UNDISPUTED_AFTER_MS / DAY_MS,
    ...calibration,
  };
}

import { z } from "zod";
import {
  COVERAGE_WINDOW_HOURS,
  toCoverageRatio,
  toCoverageWindow,
} from "../../pipeline/watch/coverage-watch.ts";
import type { ApiRoute } from "./api-route.ts";
import { sendJson, whileConnected } from "../http/responses.ts";
import type { ServerParts } from "../server-parts.ts";

/** `GET /api/coverage`: how many of the tenant's orders were decided in time. */
export function createCoverageRoutes({
  store,
  now,
}: Pick<ServerParts, "store" | "now">): readonly ApiRoute[] {
  return [
    {
      path: "/coverage",
      operations: {
        GET: {
          id: "showCoverage",
          summary: "Show how many of the last day's orders were decided on time.",
          role: "viewer",
          answers: { 200: coverageJson },
          handle: ({ session, res }) =>
            whileConnected(res, async (signal) => {
              const coverage = await store.coverage(session.tenant, toCoverageWindow(now()), signal);
              const { eligible, decidedInTime } = coverage;
              sendJson(res, 200, {
                windowHours: COVERAGE_WINDOW_HOURS,
                eligible,
                decidedInTime,
                ratio: toCoverageRatio(coverage),
              });
            }),
        },
      },
    },
  ];
}

const coverageJson = z.object({
  windowHours: z.number(),
  eligible: z.int(),
  decidedInTime: z.int(),
  ratio: z.number().nullable(),
});

import { z } from "zod";
import type { ApiRoute } from "./api-route.ts";
import type { CreditSummary } from "./credit-summary.ts";
import { sendJson } from "../http/responses.ts";
import type { ServerParts } from "../server-parts.ts";

/** `GET /api/credits`. */
export function createCreditRoutes(parts: Pick<ServerParts, "credits">): readonly ApiRoute[] {
  return [
    {
      path: "/credits",
      operations: {
        GET: {
          id: "showCredits",
          summary: "Show credits used and saved, the limits, and whether calls to the service are paused.",
          role: "viewer",
          answers: { 200: creditsJson },
          handle: async ({ session, res }) =>
            sendJson(res, 200, toCreditsJson(await parts.credits(session.tenant))),
        },
      },
    },
  ];
}

/** One tenant's spending as the API shows it. */
export const creditsJson = z.object({
  spentToday: z.int(),
  spentMonth: z.int(),
  savedMonth: z.int(),
  savedByReason: z.record(z.string(), z.int()),
  dailyCap: z.int().nullable(),
  monthlyCap: z.int().nullable(),
  circuit: z.enum(["closed", "open", "half-open", "local"]),
  runsOutOn: z.iso.date().nullable(),
});

/** Listed one by one, so that a new field of the summary is not exposed by accident. */
export function toCreditsJson(summary: CreditSummary): z.infer<typeof creditsJson> {
  const { spentToday, spentMonth, savedMonth, savedByReason } = summary;
  const { dailyCap, monthlyCap, circuit, runsOutOn } = summary;
  return { spentToday, spentMonth, savedMonth, savedByReason, dailyCap, monthlyCap, circuit, runsOutOn };
}

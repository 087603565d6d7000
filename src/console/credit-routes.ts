import type { ApiRoute } from "./api-route.ts";
import { sendJson } from "./json-response.ts";
import type { ServerParts } from "./server-parts.ts";

/** `GET /api/credits`. */
export function createCreditRoutes(parts: Pick<ServerParts, "credits">): readonly ApiRoute[] {
  return [
    {
      path: "/credits",
      handlers: {
        async GET({ session, res }) {
          const summary = await parts.credits(session.tenant);
          const { spentToday, spentMonth, savedMonth, savedByReason } = summary;
          const { dailyCap, monthlyCap, circuit, runsOutOn } = summary;
          // Named one by one: what the summary gains later is not told without being asked for.
          sendJson(res, 200, {
            spentToday,
            spentMonth,
            savedMonth,
            savedByReason,
            dailyCap,
            monthlyCap,
            circuit,
            runsOutOn,
          });
        },
      },
    },
  ];
}

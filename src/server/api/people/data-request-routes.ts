import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { noteAccess } from "../base/note-access.ts";
import { handleRoutes, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";

const DATA_REQUEST_ROUTES = {
  "GET /data-requests": {
    id: "listDataRequests",
    summary: "List customer data requests that are ready to send.",
    role: "owner",
    answers: {
      200: z.object({
        requests: z.array(z.object({ requestId: z.string(), preparedAt: z.iso.datetime() })),
      }),
    },
  },
  "GET /data-requests/:requestId": {
    id: "showDataRequest",
    summary: "Get everything stored about the customer who made the request.",
    role: "owner",
    answers: { 200: z.looseObject({}) },
  },
} satisfies RouteDefinitions;

export function createDataRequestRoutes(parts: Pick<ServerParts, "store" | "logger" | "now">) {
  const { store, logger } = parts;
  return handleRoutes(DATA_REQUEST_ROUTES, {
    async "GET /data-requests"({ session, answer }) {
      await noteAccess(parts, session, "data-requests", "");
      const reports = await store.reports.list(session.tenant);
      const requests = reports.map(({ requestId, savedAtMs }) => {
        return { requestId, preparedAt: new Date(savedAtMs).toISOString() };
      });
      answer(200, { requests });
    },
    async "GET /data-requests/:requestId"({ session, params: { requestId }, answer }) {
      const report = await store.reports.get(session.tenant, requestId);
      if (report === null) throw new ProblemError(refusalOf(404, "data-request-not-found"));
      await noteAccess(parts, session, "data-request", requestId);
      logger.info({ requestId, actor: session.actor }, "a customer's data was downloaded");
      return answer(200, JSON.parse(report) as Record<string, unknown>);
    },
  });
}

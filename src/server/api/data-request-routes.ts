import { z } from "zod";
import { noteAccess } from "./access.ts";
import type { ApiRoute } from "./api-route.ts";
import { sendJson, sendProblem } from "../http/responses.ts";
import type { ServerParts } from "../server-parts.ts";

/**
 * `GET /api/data-requests` and `GET /api/data-requests/:requestId`: what is kept of a customer who asked for it, for
 * the shop's owner to pass on.
 */
export function createDataRequestRoutes(
  parts: Pick<ServerParts, "store" | "logger" | "now">,
): readonly ApiRoute[] {
  const { store, logger } = parts;
  return [
    {
      path: "/data-requests",
      operations: {
        GET: {
          id: "listDataRequests",
          summary: "List customer data requests that are ready to send.",
          role: "owner",
          answers: {
            200: z.object({
              requests: z.array(z.object({ requestId: z.string(), preparedAt: z.iso.datetime() })),
            }),
          },
          async handle({ session, res }) {
            await noteAccess(parts, session, "data-requests", "");
            const reports = await store.listReports(session.tenant);
            const requests = reports.map(({ requestId, savedAtMs }) => {
              return { requestId, preparedAt: new Date(savedAtMs).toISOString() };
            });
            sendJson(res, 200, { requests });
          },
        },
      },
    },
    {
      path: "/data-requests/:requestId",
      operations: {
        GET: {
          id: "showDataRequest",
          summary: "Get everything stored about the customer who made the request.",
          role: "owner",
          answers: { 200: z.looseObject({}) },
          problems: [404],
          async handle({ session, req, res }) {
            const requestId = String(req.params["requestId"]);
            const report = await store.getReport(session.tenant, requestId);
            if (report === null) return sendProblem(res, { status: 404, detail: "Data request not found." });
            await noteAccess(parts, session, "data-request", requestId);
            logger.info({ requestId, actor: session.actor }, "a customer's data was downloaded");
            return sendJson(res, 200, JSON.parse(report) as object);
          },
        },
      },
    },
  ];
}

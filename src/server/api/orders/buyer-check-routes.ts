import type { ServerResponse } from "node:http";
import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { NO_ASKING } from "../../../buyer-check/buyer-asking.ts";
import { toLinkToken, toLinkUrl } from "../../../buyer-check/link.ts";
import type { BuyerFileType } from "../../../order/buyer-check.ts";
import { isLinkOpen } from "../../../store/buyer-checks/buyer-check.ts";
import type { BuyerFile } from "../../../store/buyer-checks/buyer-evidence.ts";
import { noteAct } from "../base/note-access.ts";
import { handleRoutes, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { recipientJson } from "./buyer-check-json.ts";
import { findOrder } from "./order-details.ts";

const BUYER_CHECK_ROUTES = {
  "POST /orders/:orderId/buyer-check/link": {
    id: "copyBuyerLink",
    summary: "Get the link that asks the order's buyer, to send it yourself. The access log records it.",
    role: "reviewer",
    answers: {
      200: z.object({
        url: z.string().describe("works once. Don't open it: it's the buyer's"),
        recipient: recipientJson
          .nullable()
          .describe("the only address to send it to; null if it proves nothing"),
      }),
    },
    problems: [409],
  },
  "GET /orders/:orderId/buyer-files/:fileId": {
    id: "downloadBuyerFile",
    summary: "Download a file that the order's buyer sent. The access log records it.",
    role: "reviewer",
    params: z.object({ orderId: z.string(), fileId: z.string().regex(/^[0-9a-f]{32}$/) }),
    answers: { 200: "application/octet-stream" },
  },
} satisfies RouteDefinitions;

/** Links to buyers, for shops that send them themselves. */
export function createBuyerCheckRoutes(parts: Pick<ServerParts, "store" | "now" | "buyers">) {
  return handleRoutes(BUYER_CHECK_ROUTES, {
    async "POST /orders/:orderId/buyer-check/link"(call) {
      const { store, now, buyers = NO_ASKING } = parts;
      const order = await findOrder(parts, call);
      const [check] = await store.buyerChecks.list(order);
      const { publicUrl } = buyers.sender;
      if (check === undefined || publicUrl === undefined || !isLinkOpen(check, order, now())) throw NO_LINK;
      await noteAct(parts, call.session, "buyer-link", order.orderId);
      call.answer(200, {
        url: toLinkUrl(publicUrl, toLinkToken(store.keyring, check)),
        recipient: check.recipient,
      });
    },
    async "GET /orders/:orderId/buyer-files/:fileId"(call) {
      const order = await findOrder(parts, call);
      const key = { tenant: order.tenant, orderId: order.orderId, checkId: call.params.fileId };
      const sent = await parts.store.buyerEvidence.list(order);
      if (!sent.some(({ checkId, file }) => checkId === key.checkId && file !== null)) throw NO_FILE;
      await noteAct(parts, call.session, "buyer-file", order.orderId);
      const file = await parts.store.buyerEvidence.readFile(key);
      if (file === null) throw NO_FILE;
      sendBuyerFile(call.res, file);
    },
  });
}

const NO_FILE = new ProblemError(refusalOf(404, "not-found"));

/**
 * Send a stranger's file so that no browser shows or runs it in our name: it's saved, under a name of ours. It's sent as bytes
 * and not as what it is, so that nothing opens by itself; the console knows its type.
 */
function sendBuyerFile(res: ServerResponse, { type, bytes }: BuyerFile): void {
  res.writeHead(200, {
    "Content-Type": "application/octet-stream",
    "Content-Length": bytes.length,
    "Content-Disposition": `attachment; filename="from-buyer.${EXTENSIONS[type]}"`,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
  });
  res.end(bytes);
}

const EXTENSIONS: Readonly<Record<BuyerFileType, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/heic": "heic",
  "application/pdf": "pdf",
};

const NO_LINK = new ProblemError(refusalOf(409, "buyer-question-closed"));

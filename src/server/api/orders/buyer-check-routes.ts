import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { NO_ASKING } from "../../../buyer-check/buyer-asking.ts";
import { toLinkToken, toLinkUrl } from "../../../buyer-check/link.ts";
import { isLinkOpen } from "../../../store/buyer-checks/buyer-check.ts";
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
  });
}

const NO_LINK = new ProblemError(refusalOf(409, "buyer-question-closed"));

import { randomUUID } from "node:crypto";
import { type CatalogCall, type CatalogHandlers } from "./catalog-call.ts";
import { Refusal } from "../http.ts";
import { toTime, type SandboxRecord } from "./records.ts";

/** Webhooks that an organization can have (the interface, Limits). */
const MOST_WEBHOOKS = 10;

function readWebhook({ records, body }: CatalogCall<{ readonly id: string }>): SandboxRecord {
  const webhook = records("webhook").get(body.id);
  if (webhook === undefined) throw new Refusal(404, "Webhook not found");
  return webhook;
}

export const WEBHOOK_HANDLERS: CatalogHandlers<"webhooks"> = {
  webhooks: {
    list: ({ records }) => ({ webhooks: records("webhook").list().toReversed() }),
    create: ({ records, body, nowMs }) => {
      const webhooks = records("webhook");
      if (webhooks.count() >= MOST_WEBHOOKS) {
        throw new Refusal(400, `Webhook limit reached: ${MOST_WEBHOOKS} webhooks are allowed`);
      }
      const createdAt = toTime(nowMs);
      const webhook = { method: "post", enabled: true, ...body, id: randomUUID(), createdAt };
      webhooks.put(webhook);
      return webhook;
    },
    update: (call) => {
      const webhook = { ...readWebhook(call), ...call.body };
      call.records("webhook").put(webhook);
      return webhook;
    },
    delete: (call) => {
      call.records("webhook").remove(readWebhook(call).id);
      return { deleted: true };
    },
  },
};

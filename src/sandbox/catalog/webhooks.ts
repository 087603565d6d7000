import { Refusal, toTime, type CatalogCall, type CatalogHandlers } from "./catalog-call.ts";
import { toWebhook, webhooksOf } from "./events.ts";
import type { SandboxRecord } from "./records.ts";

/** Webhooks that an organization can have (the interface, Limits). */
const MOST_WEBHOOKS = 10;

function readWebhook({ records, organization, body }: CatalogCall<{ readonly id: string }>): SandboxRecord {
  const webhook = records.get(webhooksOf(organization), body.id);
  if (webhook === undefined) throw new Refusal(404, "Webhook not found");
  return webhook;
}

export const WEBHOOK_HANDLERS: CatalogHandlers<"webhooks"> = {
  webhooks: {
    list: ({ records, organization }) => ({
      webhooks: records.list(webhooksOf(organization)).toReversed(),
    }),
    create: ({ records, organization, body, nowMs }) => {
      const place = webhooksOf(organization);
      if (records.count(place) >= MOST_WEBHOOKS) {
        throw new Refusal(400, `Webhook limit reached: ${MOST_WEBHOOKS} webhooks are allowed`);
      }
      const webhook = { ...toWebhook(body), createdAt: toTime(nowMs) };
      records.put(place, webhook);
      return webhook;
    },
    update: (call) => {
      const webhook = { ...readWebhook(call), ...call.body };
      call.records.put(webhooksOf(call.organization), webhook);
      return webhook;
    },
    delete: (call) => {
      call.records.remove(webhooksOf(call.organization), readWebhook(call).id);
      return { deleted: true };
    },
  },
};

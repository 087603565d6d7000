import { z } from "zod";
import { isLoopback } from "../../base/public-address.ts";
import { call, EMPTY, filled, flag, id, maybe, maybeFlag, maybeText, open, strings } from "./operation.ts";

/** Events that a webhook can subscribe to. The last three are never sent: poll the jobs. */
export const WEBHOOK_EVENTS = [
  "product_enrichment.start",
  "product_enrichment.completed",
  "product_enrichment.stopped",
  "product_validation.start",
  "product_validation.completed",
  "product_validation.stopped",
  "product_market_analysis.start",
  "product_market_analysis.completed",
  "ai_import.start",
  "ai_import.stopped",
  "product_market_analysis.stopped",
  "ai_import.completed",
  "ai_import.failed",
] as const;

const METHODS = ["post", "put", "patch"] as const;

function isReceiver(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

const url = z.string().refine(isReceiver, "expected an https address");
const eventType = z.array(z.enum(WEBHOOK_EVENTS)).min(1, "expected one event or more");
const options = { method: z.enum(METHODS).optional(), enabled: flag };

/** A webhook as the service returns it. The interface shows no body, so any field may be missing. */
const webhook = z.looseObject({
  id: id.nullable().catch(null),
  url: maybeText,
  method: maybe(open(METHODS)),
  eventType: strings,
  enabled: maybeFlag,
});
const UNKNOWN_WEBHOOK = webhook.parse({});
/** The record itself, or the record under `webhook`: the interface shows neither. */
const answered = z
  .union([z.object({ webhook }), webhook])
  .catch(UNKNOWN_WEBHOOK)
  .transform((answer) => ("webhook" in answer ? (answer.webhook as z.output<typeof webhook>) : answer));
const answeredList = z
  .union([z.array(webhook), z.looseObject({ webhooks: z.array(webhook) })])
  .transform((answer) => (Array.isArray(answer) ? answer : answer.webhooks));
const unshown = { unshown: true };

const changes = { id: filled(), url: url.optional(), eventType: eventType.optional(), ...options };
const act = (action: string) => ({ fixed: { action } });

export const WEBHOOK_OPERATIONS = {
  webhooks: {
    list: call("/webhooks", EMPTY, answeredList, "read", act("list")),
    create: call("/webhooks", { url, eventType, ...options }, answered, "once", {
      ...act("create"),
      ...unshown,
    }),
    update: call("/webhooks", changes, answered, "once", { ...act("update"), ...unshown }),
    delete: call(
      "/webhooks",
      { id: filled() },
      z.looseObject({ deleted: z.boolean().catch(true) }).catch({ deleted: true }),
      "once",
      { ...act("delete"), ...unshown },
    ),
  },
} as const;

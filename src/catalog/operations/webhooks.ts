import { z } from "zod";
import { isLoopback } from "../../base/public-address.ts";
import {
  call,
  EMPTY,
  fields,
  filled,
  flag,
  id,
  maybe,
  maybeFlag,
  maybeText,
  named,
  open,
  strings,
  type Given,
} from "./operation.ts";

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

const webhookFields = fields({
  id: id.nullable().catch(null),
  url: maybeText,
  method: maybe(open(METHODS)),
  eventType: strings,
  enabled: maybeFlag,
});
/** A webhook. The interface shows no answer, so any field may be null. */
export interface Webhook extends z.output<typeof webhookFields> {}
const webhook = named<Webhook>(webhookFields);
const UNKNOWN_WEBHOOK = webhook.parse({});
/** The record itself, or the record under `webhook`: the interface shows neither. */
const answered = z
  .union([z.object({ webhook }), webhook])
  .catch(UNKNOWN_WEBHOOK)
  .transform((answer) => ("webhook" in answer ? answer.webhook : answer));
const answeredList = z
  .union([z.array(webhook), z.object({ webhooks: z.array(webhook) })])
  .transform((answer) => (Array.isArray(answer) ? answer : answer.webhooks));
const unshown = { unshown: true };

const newWebhook = z.strictObject({ url, eventType, ...options });
const changes = z.strictObject({
  id: filled(),
  url: url.optional(),
  eventType: eventType.optional(),
  ...options,
});
/** A webhook to create. */
export interface NewWebhook extends Given<z.input<typeof newWebhook>> {}
/** Changes of a webhook. What is left out stays as it is. */
export interface WebhookChanges extends Given<z.input<typeof changes>> {}
const deleted = fields({ deleted: z.boolean().catch(true) }).catch({ deleted: true });
const act = (action: string) => ({ fixed: { action } });

export const WEBHOOK_OPERATIONS = {
  webhooks: {
    list: call("/webhooks", EMPTY, answeredList, "read", act("list")),
    create: call("/webhooks", named<z.output<typeof newWebhook>, NewWebhook>(newWebhook), answered, "once", {
      ...act("create"),
      ...unshown,
    }),
    update: call("/webhooks", named<z.output<typeof changes>, WebhookChanges>(changes), answered, "once", {
      ...act("update"),
      ...unshown,
    }),
    delete: call("/webhooks", z.strictObject({ id: filled() }), deleted, "once", {
      ...act("delete"),
      ...unshown,
    }),
  },
} as const;

import type { Platform } from "../../../src/adapter-kit.ts";
import { askShop, mutate } from "./ask.ts";
import { DISPUTE_TOPICS } from "../intake/interpret.ts";
import { refused } from "../base/failures.ts";
import type { AdminClient } from "./admin-client.ts";
import { DISPUTES_SCOPE } from "./scopes.ts";

/** The topics of disputes as the Admin API names them, e.g. `DISPUTES_CREATE`. */
export const DISPUTE_TOPIC_NAMES = DISPUTE_TOPICS.map((topic) => topic.replaceAll("/", "_").toUpperCase());

/** Subscribe to the disputes of a shop that granted the optional scope. Reads before it writes. */
export function createFollowPermissions(
  client: AdminClient,
  appUrl: string,
): NonNullable<Platform["followPermissions"]> {
  const uri = new URL("/webhooks/shopify", appUrl).href;
  return async (tenant, granted, { signal } = {}) => {
    if (!granted.includes(DISPUTES_SCOPE)) return;
    const ask = askShop(client, tenant, signal);
    const { data } = await ask("ListSubscriptions", { topics: DISPUTE_TOPIC_NAMES });
    const known = new Set(data.webhookSubscriptions.nodes.map(({ topic }) => topic));
    for (const topic of DISPUTE_TOPIC_NAMES.filter((name) => !known.has(name))) {
      const { userErrors } = await mutate(ask, "Subscribe", { topic, uri });
      if (userErrors.length > 0) throw refused(`Shopify refused the subscription to ${topic}`);
    }
  };
}

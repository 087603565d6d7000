import { cutText, type HoldRelease } from "../../../src/adapter-kit.ts";
import type { Ask } from "../admin/ask.ts";
import type { OrderEvent } from "../operations/generated/operations.ts";

/** Shopify's clock and ours differ. */
const MARGIN_MS = 60_000;
const APP_LENGTH_MAX = 100;
const UNKNOWN: HoldRelease = { by: "unknown" };

/**
 * Who released the hold of an order since `heldAtMs`, from the order's history. Shopify publishes no list of its actions, so
 * an event counts as the release if its action says so, and otherwise if it's about a hold. An event of a member of the staff
 * counts as theirs even if they used an app for it. Our own releases are nobody's verdict.
 */
export async function findReleaser(ask: Ask, orderGid: string, heldAtMs: number): Promise<HoldRelease> {
  const sinceMs = heldAtMs - MARGIN_MS;
  const search = `comments:false created_at:>='${new Date(sinceMs).toISOString()}'`;
  const { order, currentAppInstallation } = (await ask("OrderEvents", { id: orderGid, search })).data;
  const own = currentAppInstallation.app.title;
  const others = (order?.events.nodes ?? []).flatMap((event) => {
    if (event.__typename !== "BasicEvent" || Date.parse(event.createdAt) < sinceMs) return [];
    return event.attributeToUser || event.appTitle !== own ? [event] : [];
  });
  const found = [/releas/i, /hold/i]
    .map((pattern) => others.find(({ action }) => pattern.test(action)))
    .find((event) => event !== undefined);
  return found === undefined ? UNKNOWN : toRelease(found);
}

function toRelease({ attributeToUser, attributeToApp, appTitle }: OrderEvent): HoldRelease {
  if (attributeToUser) return { by: "person" };
  if (!attributeToApp) return UNKNOWN;
  const app = cutText(appTitle ?? "", APP_LENGTH_MAX);
  return { by: "app", ...(app === "" ? {} : { app }) };
}

import { Agent } from "undici";
import { checkOptions, type OptionRules, type Platform } from "../../src/adapter-kit.ts";
import type { ShopifyOptions } from "./base/options.ts";
import { toAdminUrl, toEntrance, BOUNCE_PATH, toBouncePage, toPage } from "./page/page.ts";
import { createAdminClient } from "./admin/admin-client.ts";
import { createAccessChecks, createReadLocale } from "./admin/shop.ts";
import { createDiagnose } from "./admin/diagnose.ts";
import { createApplyAtCheckout } from "./enforce/apply-at-checkout.ts";
import { createEnforce } from "./enforce/enforce.ts";
import { createEnrich, createReadContext } from "./admin/enrich.ts";
import { createEntitlement } from "./admin/entitlement.ts";
import { createEvidence } from "./admin/evidence.ts";
import { createReadShipments } from "./admin/shipments.ts";
import { createFlowTrigger } from "./enforce/flow-trigger.ts";
import { interpretDelivery } from "./intake/interpret.ts";
import { locateOrder, observeOrder } from "./enforce/observe.ts";
import { listRecentOrders, readPresentOrder } from "./admin/recent-orders.ts";
import { createSessions } from "./page/session.ts";
import { createFollowPermissions } from "./admin/subscriptions.ts";
import { createTokens } from "./admin/tokens.ts";
import { createWebhookAuthenticator } from "./intake/webhook.ts";

/** The origin of every app's extension scripts. They send their own session token. */
const EXTENSION_ORIGINS = ["https://extensions.shopifycdn.com"];

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

const OPTIONS: OptionRules<ShopifyOptions> = {
  apiKey: { is: isText, expected: "the app's client id", isRequired: true },
  apiSecret: { is: isText, expected: "the app's client secret", isRequired: true },
  apiSecretPrevious: { is: isText, expected: "the app's previous client secret" },
  appUrl: {
    is: (value) => typeof value === "string" && URL.canParse(value),
    expected: "the app's address, such as https://app.example.com",
    isRequired: true,
  },
  credentials: {
    is: ["load", "save", "discard", "exclusively"],
    expected: "functions load, save, discard and exclusively",
    isRequired: true,
  },
  flowTrigger: true,
  billing: "object",
  dispatcher: { is: ["dispatch"], expected: "a Dispatcher of undici" },
  now: "function",
  logger: "logger",
};

/**
 * Create the {@link Platform} of Shopify. Opens no connection by itself.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function createShopifyPlatform(given: ShopifyOptions): Platform {
  const options = checkOptions("createShopifyPlatform", given, OPTIONS);
  const { apiKey, apiSecret, apiSecretPrevious, now = Date.now } = options;
  // No HTTP/2: undici sends a request again after a GOAWAY, and a mutation must not be sent twice.
  const own = options.dispatcher === undefined ? new Agent({ allowH2: false }) : undefined;
  const parts = { ...options, now, dispatcher: options.dispatcher ?? own };
  const tokens = createTokens(parts);
  const access = createAccessChecks({ ...parts, tokens });
  const client = createAdminClient({ ...parts, tokens });
  const secrets = [apiSecret, apiSecretPrevious].filter((secret) => secret !== undefined);
  const flowTrigger = createFlowTrigger({ apiKey, client, logger: options.logger });
  return {
    name: "shopify",
    authenticate: createWebhookAuthenticator({ secrets }),
    interpret: interpretDelivery,
    enrich: createEnrich(client),
    readContext: createReadContext(client),
    enforce: createEnforce(client, now, options.flowTrigger === true ? flowTrigger : undefined),
    observe: (tenant, orderId, asked) => observeOrder(client, apiKey, tenant, orderId, asked, now),
    readOrder: (tenant, orderId, { signal } = {}) => readPresentOrder(client, tenant, orderId, signal),
    confirmAccess: access.confirm,
    recentOrders: (tenant, window) => listRecentOrders(client, tenant, window),
    locate: (tenant, reference, { signal } = {}) => locateOrder(client, tenant, reference, signal),
    ...createSessions({ ...options, tokens, onOpened: access.onOpened }),
    entitlement: createEntitlement({ ...parts, billing: options.billing ?? { mode: "included" }, client }),
    adminUrl: toAdminUrl,
    page: (query) => toPage(apiKey, query),
    entrance: (query, path) => toEntrance(apiKey, query, path),
    signInPages: new Map([[BOUNCE_PATH, (query) => toBouncePage(options, query)]]),
    apiOrigins: EXTENSION_ORIGINS,
    followPermissions: createFollowPermissions(client, options.appUrl),
    applyAtCheckout: createApplyAtCheckout(apiKey, client),
    diagnose: createDiagnose(client, options.appUrl, now),
    readLocale: createReadLocale(client),
    readShipments: createReadShipments(client),
    evidence: createEvidence(client, now),
    async close() {
      await own?.close();
    },
  };
}

import type { Finding, Platform, TenantId } from "../../../src/adapter-kit.ts";
import { isHoldfastError } from "../../../src/index.ts";
import { ADMIN_API_VERSION, type AdminClient } from "./admin-client.ts";
import type { Operations } from "../operations/generated/operations.ts";
import { listRecentOrders } from "./recent-orders.ts";
import { ALL_ORDERS_SCOPE, DISPUTES_SCOPE, REQUIRED_SCOPES, THIRD_PARTY_SCOPE } from "./scopes.ts";
import { DISPUTE_TOPIC_NAMES } from "./subscriptions.ts";
import { askShop } from "./ask.ts";

/** Without `ALL_ORDERS_SCOPE`, Shopify doesn't list orders older than 60 days. */
const LISTED_MS = 59 * 86_400_000;

type ShopAnswer = Operations["DiagnoseShop"]["data"];

/** Create the check of the app's address, `appUrl`, and of its permissions in a shop. */
export function createDiagnose(
  client: AdminClient,
  appUrl: string,
  now: () => number,
): NonNullable<Platform["diagnose"]> {
  return async (tenant, { signal } = {}) => {
    if (tenant === null) return [checkAddress(appUrl)];
    let answer: ShopAnswer;
    try {
      const ask = askShop(client, tenant, signal);
      answer = (await ask("DiagnoseShop", { topics: DISPUTE_TOPIC_NAMES })).data;
    } catch (error) {
      return withoutAccess(error);
    }
    return [
      ok("access", "Shopify accepts the app's access token"),
      checkScopes(answer),
      await checkPersonalData(client, tenant, now() - LISTED_MS, signal),
      checkDisputes(answer),
      checkOlderOrders(answer),
      checkVersion(answer),
    ];
  };
}

function checkAddress(appUrl: string): Finding {
  if (appUrl.startsWith("https:")) return ok("app-url", "SHOPIFY_APP_URL uses https");
  const advice = "set it to the public https address, the application_url in shopify.app.toml";
  return finding("app-url", "problem", "SHOPIFY_APP_URL is a local address without TLS", advice);
}

const ADVICE: Readonly<Record<string, { readonly status: Finding["status"]; readonly advice: string }>> = {
  PLATFORM_UNAUTHORIZED: { status: "problem", advice: "open the app once in the shop's admin" },
  PLATFORM_REFUSED: {
    status: "problem",
    advice: "check the client ID and secret, the IP allowlist in the Dev Dashboard, and the shop's plan",
  },
  PLATFORM_CALL_INVALID: {
    status: "problem",
    advice: "check that nothing between this machine and myshopify.com changes requests; then report it",
  },
  PLATFORM_THROTTLED: { status: "warning", advice: "run this again when the shop is less busy" },
  PLATFORM_UNAVAILABLE: {
    status: "problem",
    advice: "check that this machine can reach myshopify.com, and check Shopify's status page",
  },
  DATA_UNREADABLE: {
    status: "problem",
    advice: "set DATA_KEY to the key that encrypted the shop's access token",
  },
};

function withoutAccess(error: unknown): readonly Finding[] {
  const known = isHoldfastError(error) ? ADVICE[error.code] : undefined;
  if (!isHoldfastError(error) || known === undefined) throw error;
  const rest = ["scopes", "personal-data", "disputes", "older-orders", "api-version"];
  return [
    finding("access", known.status, error.message, known.advice),
    ...rest.map((name) => finding(name, "skipped", "can't be checked without access", null)),
  ];
}

function checkScopes({ currentAppInstallation }: ShopAnswer): Finding {
  const names = currentAppInstallation.accessScopes.map(({ handle }) => handle).toSorted();
  const granted = new Set(names);
  // A write scope includes the read scope.
  const isGranted = (scope: string) => granted.has(scope) || granted.has(scope.replace(/^read_/, "write_"));
  const missing = REQUIRED_SCOPES.filter((scope) => !isGranted(scope));
  if (missing.length > 0) {
    const advice = "run `shopify app deploy`, then open the app in the shop and grant the scopes";
    // Holdfast can't hold goods that it doesn't see, and nothing else would show this.
    const risk = missing.includes(THIRD_PARTY_SCOPE)
      ? ": goods at a fulfillment service are hidden, and ship although the order is on hold"
      : "";
    return { ...finding("scopes", "problem", `not granted: ${missing.join(", ")}${risk}`, advice), names };
  }
  return { ...ok("scopes", "all required scopes are granted"), names };
}

/** Reads real orders, because Shopify has no API that says whether the app is approved. */
async function checkPersonalData(
  client: AdminClient,
  tenant: TenantId,
  sinceMs: number,
  signal: AbortSignal | undefined,
): Promise<Finding> {
  const id = "personal-data";
  try {
    const { orders } = await listRecentOrders(client, tenant, { sinceMs, signal });
    const withheld = orders.filter(
      ({ mapped }) => mapped.outcome === "unscreenable" && mapped.reason === "PERSONAL_DATA_NOT_GRANTED",
    );
    if (withheld.length > 0) {
      const advice = "request access to protected customer data, level 2, in the Partner Dashboard";
      return finding(
        id,
        "problem",
        "Shopify hides names, addresses, or email addresses from the app",
        advice,
      );
    }
    if (orders.length === 0) return finding(id, "skipped", "the shop has no recent order to check", null);
    return ok(id, `Shopify shows customer data on all ${orders.length} orders checked`);
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const advice = "check that the scopes are granted, then run this again";
    return finding(id, "warning", `couldn't read orders (${error.code})`, advice);
  }
}

const NO_DISPUTES = `optional: with ${DISPUTES_SCOPE}, the report shows what fraud passed, and an order that a bank asks about stops shipping`;

function checkDisputes({ currentAppInstallation, webhookSubscriptions }: ShopAnswer): Finding {
  if (!currentAppInstallation.accessScopes.some(({ handle }) => handle === DISPUTES_SCOPE)) {
    return {
      ...finding("disputes", "skipped", NO_DISPUTES, null),
      requests: [DISPUTES_SCOPE],
    };
  }
  const made = new Set(webhookSubscriptions.nodes.map(({ topic }) => topic));
  const missing = DISPUTE_TOPIC_NAMES.filter((topic) => !made.has(topic));
  if (missing.length === 0) return ok("disputes", "the shop's disputes arrive");
  const advice = "revoke the scope and grant it again in the app's setup";
  return finding("disputes", "warning", `granted, but not subscribed to ${missing.join(", ")}`, advice);
}

const HIDDEN_ORDERS = `optional: without ${ALL_ORDERS_SCOPE}, Shopify hides orders from day 60 on. Holds end by day 59, an older order can't be canceled, and a bank's question about one may not stop it`;

function checkOlderOrders({ currentAppInstallation: { accessScopes, app } }: ShopAnswer): Finding {
  const id = "older-orders";
  if (accessScopes.some(isAllOrders)) return ok(id, "Shopify shows orders of any age");
  if (app.optionalAccessScopes.some(isAllOrders))
    return { ...finding(id, "skipped", HIDDEN_ORDERS, null), requests: [ALL_ORDERS_SCOPE] };
  const advice = `request access to all orders in the Partner Dashboard; once Shopify approves it, add ${ALL_ORDERS_SCOPE} to optional_scopes in shopify.app.toml and run \`shopify app deploy\``;
  return finding(id, "skipped", HIDDEN_ORDERS, advice);
}

function isAllOrders({ handle }: { readonly handle: string }): boolean {
  return handle === ALL_ORDERS_SCOPE;
}

function checkVersion({ publicApiVersions }: ShopAnswer): Finding {
  const version = publicApiVersions.find(({ handle }) => handle === ADMIN_API_VERSION);
  if (version?.supported === true)
    return ok("api-version", `Shopify supports API version ${ADMIN_API_VERSION}`);
  const found = `Shopify does not support API version ${ADMIN_API_VERSION}`;
  return finding(
    "api-version",
    "problem",
    found,
    "update Holdfast to a version that uses a supported API version",
  );
}

function ok(name: string, found: string): Finding {
  return finding(name, "ok", found, null);
}

function finding(name: string, status: Finding["status"], found: string, advice: string | null): Finding {
  return { id: `shopify.${name}`, status, found, advice };
}

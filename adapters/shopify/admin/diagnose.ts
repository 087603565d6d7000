import { describeFinding, type Finding, type Platform, type TenantId } from "../../../src/adapter-kit.ts";
import { isHoldfastError } from "../../../src/index.ts";
import { ADMIN_API_VERSION, type AdminClient } from "./admin-client.ts";
import type { Operations } from "../operations/generated/operations.ts";
import { listRecentOrders } from "./recent-orders.ts";
import {
  ALL_ORDERS_SCOPE,
  DISPUTES_SCOPE,
  REQUIRED_SCOPES,
  THIRD_PARTY_SCOPE,
  PAYMENTS_SCOPE,
  VALIDATIONS_SCOPE,
} from "./scopes.ts";
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
      ok("access", describeFinding("access")),
      checkScopes(answer),
      await checkPersonalData(client, tenant, now() - LISTED_MS, signal),
      checkDisputes(answer),
      checkOlderOrders(answer),
      ...checkCheckout(answer),
      checkVersion(answer),
    ];
  };
}

function checkAddress(appUrl: string): Finding {
  const id = "shopify.app-url";
  if (appUrl.startsWith("https:"))
    return { id, status: "ok", found: "SHOPIFY_APP_URL uses https", advice: null };
  const advice = "set it to the public https address, the application_url in shopify.app.toml";
  return { id, status: "problem", found: "SHOPIFY_APP_URL is a local address without TLS", advice };
}

const WITHOUT_ACCESS = {
  PLATFORM_UNAUTHORIZED: "access-unauthorized",
  PLATFORM_REFUSED: "access-refused",
  PLATFORM_CALL_INVALID: "access-invalid",
  PLATFORM_THROTTLED: "access-throttled",
  PLATFORM_UNAVAILABLE: "access-unavailable",
  DATA_UNREADABLE: "access-unreadable",
} as const;

function withoutAccess(error: unknown): readonly Finding[] {
  if (!isHoldfastError(error) || !(error.code in WITHOUT_ACCESS)) throw error;
  const code = WITHOUT_ACCESS[error.code as keyof typeof WITHOUT_ACCESS];
  const status = code === "access-throttled" ? "warning" : "problem";
  const rest = ["scopes", "personal-data", "disputes", "older-orders", "api-version"];
  return [
    // In English, the error knows more.
    { ...finding("access", status, describeFinding(code)), found: error.message },
    ...rest.map((name) => finding(name, "skipped", describeFinding("no-access"))),
  ];
}

function checkScopes({ currentAppInstallation }: ShopAnswer): Finding {
  const names = currentAppInstallation.accessScopes.map(({ handle }) => handle).toSorted();
  const granted = new Set(names);
  // A write scope includes the read scope.
  const isGranted = (scope: string) => granted.has(scope) || granted.has(scope.replace(/^read_/, "write_"));
  const missing = REQUIRED_SCOPES.filter((scope) => !isGranted(scope));
  if (missing.length === 0) return { ...ok("scopes", describeFinding("scopes")), names };
  // Holdfast can't hold goods that it doesn't see, and nothing else would show this.
  const code = missing.includes(THIRD_PARTY_SCOPE) ? "scopes-missing-goods" : "scopes-missing";
  return { ...finding("scopes", "problem", describeFinding(code, { missing: missing.join(", ") })), names };
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
    if (withheld.length > 0) return finding(id, "problem", describeFinding("personal-data-hidden"));
    if (orders.length === 0) return finding(id, "skipped", describeFinding("personal-data-no-orders"));
    return ok(id, describeFinding("personal-data", { orders: orders.length }));
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return finding(id, "warning", describeFinding("personal-data-unread", { code: error.code }));
  }
}

function checkDisputes({ currentAppInstallation, webhookSubscriptions }: ShopAnswer): Finding {
  const id = "disputes";
  if (!currentAppInstallation.accessScopes.some(({ handle }) => handle === DISPUTES_SCOPE)) {
    return {
      ...finding(id, "skipped", describeFinding("disputes-off", { scope: DISPUTES_SCOPE })),
      requests: [DISPUTES_SCOPE],
    };
  }
  const made = new Set(webhookSubscriptions.nodes.map(({ topic }) => topic));
  const missing = DISPUTE_TOPIC_NAMES.filter((topic) => !made.has(topic));
  if (missing.length === 0) return ok(id, describeFinding("disputes"));
  return finding(id, "warning", describeFinding("disputes-unsubscribed", { missing: missing.join(", ") }));
}

function checkOlderOrders({ currentAppInstallation: { accessScopes, app } }: ShopAnswer): Finding {
  const id = "older-orders";
  const scope = ALL_ORDERS_SCOPE;
  if (accessScopes.some(isAllOrders)) return ok(id, describeFinding("older-orders"));
  if (app.optionalAccessScopes.some(isAllOrders))
    return {
      ...finding(id, "skipped", describeFinding("older-orders-hidden", { scope })),
      requests: [scope],
    };
  return finding(id, "skipped", describeFinding("older-orders-unrequested", { scope }));
}

/** What the checkout can do with blocked buyers. */
function checkCheckout(answer: ShopAnswer): readonly Finding[] {
  return [
    ...checkWay(answer, "checkout", VALIDATIONS_SCOPE),
    ...checkWay(answer, "checkout-payments", PAYMENTS_SCOPE),
  ];
}

const OFF = { checkout: "checkout-off", "checkout-payments": "checkout-payments-off" } as const;

/** Nothing for an app whose deployed file doesn't have the scope: the shop can't grant it. */
function checkWay(
  { currentAppInstallation: { accessScopes, app } }: ShopAnswer,
  id: "checkout" | "checkout-payments",
  scope: string,
): readonly Finding[] {
  const isScope = ({ handle }: { readonly handle: string }): boolean => handle === scope;
  if (accessScopes.some(isScope)) return [ok(id, describeFinding(id))];
  if (!app.optionalAccessScopes.some(isScope)) return [];
  return [{ ...finding(id, "skipped", describeFinding(OFF[id], { scope })), requests: [scope] }];
}

function isAllOrders({ handle }: { readonly handle: string }): boolean {
  return handle === ALL_ORDERS_SCOPE;
}

function checkVersion({ publicApiVersions }: ShopAnswer): Finding {
  const version = ADMIN_API_VERSION;
  const isSupported = publicApiVersions.find(({ handle }) => handle === version)?.supported === true;
  return isSupported
    ? ok("api-version", describeFinding("api-version", { version }))
    : finding("api-version", "problem", describeFinding("api-version-unsupported", { version }));
}

type Described = ReturnType<typeof describeFinding>;

function ok(name: string, described: Described): Finding {
  return finding(name, "ok", described);
}

function finding(name: string, status: Finding["status"], described: Described): Finding {
  return { id: `shopify.${name}`, status, ...described };
}

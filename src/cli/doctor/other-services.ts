import type { Dispatcher } from "undici";
import { toDispatcher } from "../../base/proxy.ts";
import { isHoldfastError, type ErrorCode } from "../../base/errors.ts";
import { CATALOG_DIALECT } from "../../catalog/call-operation.ts";
import { createCatalogClient } from "../../catalog/catalog-client.ts";
import type { Config } from "../../config.ts";
import { createManagementClient } from "../../management/management-client.ts";
import type { Finding } from "../../platform/platform.ts";
import { chooseOrganization } from "../../service/organization.ts";
import { ok, problem, skipped, warning } from "./findings.ts";

/** Only one attempt, so that doctor doesn't wait for a service that is down. */
const ONCE = { retries: 0, maxWaitMs: 0 };

type Calls = typeof ONCE & { readonly dispatcher: Dispatcher | undefined };

/** Check the keys of the catalog and the management interface with free calls. What isn't configured has no finding. */
export async function checkOtherServices(config: Pick<Config, "catalog" | "management" | "proxy">) {
  const { catalog, management, proxy } = config;
  const calls = { ...ONCE, dispatcher: toDispatcher(proxy) };
  const found = await Promise.all([
    catalog === undefined ? undefined : checkCatalog(catalog, calls),
    management === undefined ? undefined : checkManagement(management, calls),
  ]);
  return found.filter((finding) => finding !== undefined);
}

async function checkCatalog(config: NonNullable<Config["catalog"]>, calls: Calls): Promise<Finding> {
  const id = "catalog";
  const { url, apiKey, organization: wanted } = config;
  if (apiKey === undefined) return skipped(id, "every shop brings its own key");
  const client = createCatalogClient({ url, apiKey: apiKey.reveal(), ...calls });
  try {
    const organizations = await client.organizations();
    if (wanted === undefined) {
      return ok(id, `the catalog accepts the key of ${chooseOrganization(organizations, CATALOG_DIALECT)}`);
    }
    return organizations.some(({ id: known, slug }) => known === wanted || slug === wanted)
      ? ok(id, "the catalog accepts the key, which has access to CATALOG_ORGANIZATION")
      : problem(id, "the key has no access to CATALOG_ORGANIZATION", ORGANIZATION_ADVICE);
  } catch (error) {
    return toFinding(id, error, { CONFIG_INVALID: ORGANIZATION_ADVICE, ...toAdvice("CATALOG", "API_KEY") });
  } finally {
    await client.close();
  }
}

const ORGANIZATION_ADVICE = "set CATALOG_ORGANIZATION, or use a key of one organization";

async function checkManagement(
  { url, token }: NonNullable<Config["management"]>,
  calls: Calls,
): Promise<Finding> {
  const client = createManagementClient({ url, token: token.reveal(), ...calls });
  try {
    await client.me.get();
    return ok("management", "the management interface accepts the token");
  } catch (error) {
    return toFinding("management", error, toAdvice("MANAGEMENT", "TOKEN"));
  } finally {
    await client.close();
  }
}

type Advice = Partial<Record<ErrorCode, string>>;

function toAdvice(service: string, key: string): Advice {
  const advice = `check ${service}_${key}`;
  const elsewhere = `check ${service}_URL: another server answers there`;
  return {
    SERVICE_UNAUTHORIZED: advice,
    SERVICE_FORBIDDEN: advice,
    SERVICE_NOT_FOUND: elsewhere,
    SERVICE_REFUSED: elsewhere,
    SERVICE_MALFORMED: elsewhere,
    SERVICE_UNREACHABLE: `check ${service}_URL, DNS, the proxy and the trusted certificates`,
  };
}

/** Orders are decided without these services, so temporary failures are only warnings. */
function toFinding(id: string, error: unknown, advice: Advice): Finding {
  if (!isHoldfastError(error)) throw error;
  const known = advice[error.code];
  return known === undefined
    ? warning(id, error.message, "run doctor again in a minute")
    : problem(id, error.message, known);
}

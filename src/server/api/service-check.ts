import { isHoldfastError, type ErrorCode, type FieldProblem } from "../../base/errors.ts";
import { isLoopback, isPublicHost } from "../../base/public-address.ts";
import type { TenantId } from "../../platform/platform.ts";
import { type Organization, toPathSegment } from "../../service/organization.ts";
import { parseServiceUrl } from "../../service/client-options.ts";
import type { Installation, ServerParts } from "../server-parts.ts";
import type { SettingsChange } from "./settings-json.ts";

/** A service key to check. Without an organization, the only one that the key reaches. */
type ServiceCandidate = NonNullable<SettingsChange["service"]>;
/** A catalog key to check. */
type CatalogCandidate = NonNullable<SettingsChange["catalog"]>;

/** The result of checking a key. */
export type ServiceCheck =
  /** `url` is null for the environment's. */
  | { readonly outcome: "accepted"; readonly url: string | null; readonly organization: string }
  | { readonly outcome: "refused"; readonly errors: readonly FieldProblem[] }
  /** The service could not be asked. */
  | { readonly outcome: "unavailable"; readonly code: ErrorCode; readonly retryAtMs: number | undefined };

/** At most this many names in a message; the rest are counted. */
const LISTED_NAMES = 10;

/** Whether a key can be saved, tested with the free organizations call. Saves nothing and uses no credits. */
export async function checkService(
  { accesses, installation }: Pick<ServerParts, "accesses" | "installation">,
  tenant: TenantId,
  { apiKey, organization, url: given }: ServiceCandidate,
): Promise<ServiceCheck> {
  const address = chooseAddress(installation, tenant, given ?? null);
  if ("message" in address) return refuse("service", "url", address.message);
  const { url, target } = address;
  const find = () => accesses.tryOut({ url: target, apiKey, organization: undefined });
  return check("service", find, organization ?? null, url);
}

/** The same for a catalog key. */
export async function checkCatalog(
  { products, installation }: Pick<ServerParts, "products" | "installation">,
  { apiKey, organization }: CatalogCandidate,
): Promise<ServiceCheck> {
  if (installation.catalog === null)
    return refuse("catalog", "apiKey", "no catalog is configured: the operator has to set CATALOG_URL");
  return check("catalog", () => products.tryOut(apiKey), organization ?? null, null);
}

/** What a key is for. */
type Part = "service" | "catalog";

function refuse(part: Part, field: "url" | "apiKey" | "organization", message: string): ServiceCheck {
  return { outcome: "refused", errors: [{ path: `${part}.${field}`, message }] };
}

/** @param url - The address to save with the key; null for the installation's. */
async function check(
  part: Part,
  find: () => Promise<readonly Organization[]>,
  wanted: string | null,
  url: string | null,
): Promise<ServiceCheck> {
  try {
    return choose(part, await find(), wanted, url);
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const { code, retryAtMs } = error;
    if (REJECTED.has(code))
      return refuse(part, "apiKey", "the service rejected this key: copy the whole key, or create a new one");
    if (url !== null && NO_SERVICE.has(code))
      return refuse(part, "url", "this URL isn't a verification service");
    return { outcome: "unavailable", code, retryAtMs };
  }
}

const REJECTED: ReadonlySet<ErrorCode> = new Set([
  "VERIFICATION_UNAUTHORIZED",
  "VERIFICATION_FORBIDDEN",
  "SERVICE_UNAUTHORIZED",
  "SERVICE_FORBIDDEN",
]);
const NO_SERVICE: ReadonlySet<ErrorCode> = new Set(["CONFIG_INVALID", "VERIFICATION_MALFORMED"]);

type Address = { readonly url: string | null; readonly target: string } | { readonly message: string };

/**
 * The address that a key is for. Only the operator may choose it, because others could make the app call addresses that only
 * the app can reach.
 */
function chooseAddress(
  { service, operatorTenant, isSingleTenant }: Installation,
  tenant: TenantId,
  url: string | null,
): Address {
  if (service !== null) {
    const isSame = url === null || (URL.canParse(url) && new URL(url).href === new URL(service.url).href);
    return isSame
      ? { url: null, target: service.url }
      : { message: "expected no URL, or the URL set in VERIFY_URL" };
  }
  if (tenant !== operatorTenant) {
    return { message: "no service is configured: the operator has to set VERIFY_URL" };
  }
  if (url === null) return { message: "expected the service's URL, because VERIFY_URL isn't set" };
  return checkAddress(url, isSingleTenant);
}

function checkAddress(url: string, isSingleTenant: boolean): Address {
  try {
    parseServiceUrl(url);
  } catch (error) {
    if (!isHoldfastError(error, "CONFIG_INVALID")) throw error;
    return { message: "expected an https URL without credentials, query, or fragment" };
  }
  const { href, hostname } = new URL(url);
  const isOwnMachine = isSingleTenant && isLoopback(hostname);
  return isOwnMachine || isPublicHost(hostname)
    ? { url: href, target: href }
    : { message: "expected a public URL; set VERIFY_URL to use a private one" };
}

function choose(
  part: Part,
  found: readonly Organization[],
  wanted: string | null,
  url: string | null,
): ServiceCheck {
  const names = found.flatMap(({ slug, id }) => toPathSegment(slug) ?? toPathSegment(id) ?? []);
  const [only] = names;
  const noAccess = "this key has no access to";
  if (only === undefined) {
    const message = `${noAccess} an organization: use the key of an organization member`;
    return refuse(part, "apiKey", message);
  }
  if (wanted === null && names.length === 1) return { outcome: "accepted", url, organization: only };
  if (wanted !== null && found.some(({ slug, id }) => slug === wanted || id === wanted))
    return { outcome: "accepted", url, organization: wanted };
  const why =
    wanted === null ? "this key has access to several organizations" : `${noAccess} this organization`;
  return refuse(part, "organization", `${why}: choose one of ${toList(names)}`);
}

function toList(names: readonly string[]): string {
  const more = names.length > LISTED_NAMES ? ` and ${names.length - LISTED_NAMES} more` : "";
  return `${names.slice(0, LISTED_NAMES).join(", ")}${more}`;
}

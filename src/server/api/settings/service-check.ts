import { refusalOf } from "../../../base/refusals.ts";
import { isHoldfastError, type ErrorCode } from "../../../base/errors.ts";
import { toFieldProblem, type FieldCode, type FieldProblem, type Params } from "../../../base/field-codes.ts";
import { isLoopback, isPublicHost } from "../../../base/public-address.ts";
import type { TenantId } from "../../../platform/platform.ts";
import { listNames, type Organization, toPathSegment } from "../../../service/organization.ts";
import { parseServiceUrl } from "../../../service/client-options.ts";
import { ProblemError, toRetryAfter } from "../../http/responses.ts";
import type { Installation, ServerParts } from "../../parts/server-parts.ts";
import type { SettingsChange } from "./settings-json.ts";

/** A service key to check. Without an organization, the only one that the key reaches. */
type ServiceCandidate = NonNullable<SettingsChange["service"]>;
type CatalogCandidate = NonNullable<SettingsChange["catalog"]>;

/** A key that the service accepts. `url` is null for the environment's. */
interface AcceptedKey {
  readonly url: string | null;
  readonly organization: string;
}

const RETRY_AFTER_SECONDS = 30;

/**
 * Test a key with the free organizations call. Saves nothing and uses no credits.
 *
 * @throws {ProblemError} 422 with the field at fault, or 503 if the service can't be asked.
 */
export async function checkService(
  { accesses, installation, now }: Pick<ServerParts, "accesses" | "installation" | "now">,
  tenant: TenantId,
  { apiKey, organization, url: given }: ServiceCandidate,
): Promise<AcceptedKey> {
  const { url, target } = chooseAddress(installation, tenant, given ?? null);
  const find = () => accesses.tryOut({ url: target, apiKey, organization: undefined });
  return check({ part: "service", wanted: organization ?? null, url, now }, find);
}

/** The same for a catalog key. */
export async function checkCatalog(
  { products, installation, now }: Pick<ServerParts, "products" | "installation" | "now">,
  { apiKey, organization }: CatalogCandidate,
): Promise<Pick<AcceptedKey, "organization">> {
  if (installation.catalog === null) throw refuse("catalog", "apiKey", "catalog-missing");
  const asked = { part: "catalog", wanted: organization ?? null, url: null, now } as const;
  const accepted = await check(asked, () => products.tryOut(apiKey));
  return { organization: accepted.organization };
}

type Part = "service" | "catalog";

function refuse<Code extends FieldCode>(
  part: Part,
  field: "url" | "apiKey" | "organization",
  code: Code,
  ...params: Params<Code>
): ProblemError {
  return toSettingsRefusal([toFieldProblem(`${part}.${field}`, code, ...params)]);
}

export function toSettingsRefusal(errors: readonly FieldProblem[]): ProblemError {
  return new ProblemError({ ...refusalOf(422, "settings-not-saved"), errors });
}

interface Asked {
  readonly part: Part;
  /** The organization that was asked for. */
  readonly wanted: string | null;
  /** The address to save with the key; null for the installation's. */
  readonly url: string | null;
  readonly now: () => number;
}

async function check(asked: Asked, find: () => Promise<readonly Organization[]>): Promise<AcceptedKey> {
  const { part, url, now } = asked;
  try {
    return choose(asked, await find());
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const { code, retryAtMs } = error;
    if (REJECTED.has(code)) throw refuse(part, "apiKey", "key-rejected");
    if (url !== null && NO_SERVICE.has(code)) throw refuse(part, "url", "service-url-other");
    const retryAfter = toRetryAfter(retryAtMs, now(), RETRY_AFTER_SECONDS);
    throw new ProblemError({ ...refusalOf(503, `${part}-unreachable`), code }, { "Retry-After": retryAfter });
  }
}

const REJECTED: ReadonlySet<ErrorCode> = new Set([
  "VERIFICATION_UNAUTHORIZED",
  "VERIFICATION_FORBIDDEN",
  "SERVICE_UNAUTHORIZED",
  "SERVICE_FORBIDDEN",
]);
const NO_SERVICE: ReadonlySet<ErrorCode> = new Set(["CONFIG_INVALID", "VERIFICATION_MALFORMED"]);

interface Address extends Pick<AcceptedKey, "url"> {
  readonly target: string;
}

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
    if (isSame) return { url: null, target: service.url };
    throw refuse("service", "url", "service-url-fixed");
  }
  if (tenant !== operatorTenant) throw refuse("service", "url", "service-missing");
  if (url === null) throw refuse("service", "url", "service-url-needed");
  return checkAddress(url, isSingleTenant);
}

function checkAddress(url: string, isSingleTenant: boolean): Address {
  try {
    parseServiceUrl(url);
  } catch (error) {
    if (!isHoldfastError(error, "CONFIG_INVALID")) throw error;
    throw refuse("service", "url", "service-url");
  }
  const { href, hostname } = new URL(url);
  const isOwnMachine = isSingleTenant && isLoopback(hostname);
  if (isOwnMachine || isPublicHost(hostname)) return { url: href, target: href };
  throw refuse("service", "url", "service-url-public");
}

function choose({ part, wanted, url }: Asked, found: readonly Organization[]): AcceptedKey {
  const names = found.flatMap(({ slug, id }) => toPathSegment(slug) ?? toPathSegment(id) ?? []);
  const [only] = names;
  if (only === undefined) throw refuse(part, "apiKey", "organization-none");
  if (wanted === null && names.length === 1) return { url, organization: only };
  if (wanted !== null && found.some(({ slug, id }) => slug === wanted || id === wanted))
    return { url, organization: wanted };
  const code = wanted === null ? "organization-several" : "organization-other";
  throw refuse(part, "organization", code, { names: listNames(names) });
}

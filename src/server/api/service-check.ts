import { HoldfastError, isHoldfastError, type ErrorCode, type FieldProblem } from "../../base/errors.ts";
import { isLoopback, isPublicHost } from "../../base/public-address.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { ServiceAccesses } from "../../screening/service-accesses.ts";
import type { Organization } from "../../service/client.ts";
import { toPathSegment } from "../../service/organization.ts";
import { parseServiceUrl } from "../../service/service-url.ts";
import type { Installation } from "./installation.ts";

/** A service key that somebody wants to be used. */
export interface ServiceCandidate {
  /** Undefined or null: the environment's address. */
  readonly url?: string | null | undefined;
  readonly apiKey: string;
  /** Undefined or null: the only one that the key reaches. */
  readonly organization?: string | null | undefined;
}

/** What became of looking at a {@link ServiceCandidate}. */
export type ServiceCheck =
  /** `url` is null for the environment's. */
  | { readonly outcome: "accepted"; readonly url: string | null; readonly organization: string }
  | { readonly outcome: "refused"; readonly errors: readonly FieldProblem[] }
  /** The service could not be asked. */
  | { readonly outcome: "unavailable"; readonly code: ErrorCode; readonly retryAtMs: number | undefined };

/** Parts of {@link checkService}. */
export interface ServiceCheckParts {
  readonly accesses: Pick<ServiceAccesses, "tryOut">;
  readonly installation: Installation;
}

/** At most this many names in a message; a key that reaches more is told by number. */
const LISTED_NAMES = 10;

/** Whether a key may be kept: tried out with the free organizations call. Nothing is kept here, and no credit is spent. */
export async function checkService(
  { accesses, installation }: ServiceCheckParts,
  tenant: TenantId,
  candidate: ServiceCandidate,
): Promise<ServiceCheck> {
  const address = chooseAddress(installation, tenant, candidate.url ?? null);
  if ("message" in address) return refuse("url", address.message);
  const { url, target } = address;
  try {
    const found = await accesses.tryOut({ url: target, apiKey: candidate.apiKey, organization: undefined });
    return toCheck(found, candidate.organization ?? null, url);
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return toFailure(error, url);
  }
}

function refuse(field: "url" | "apiKey" | "organization", message: string): ServiceCheck {
  return { outcome: "refused", errors: [{ path: `service.${field}`, message }] };
}

type Address = { readonly url: string | null; readonly target: string } | { readonly message: string };

/**
 * Which address a key is for. Whoever else chose it could make the app call what only the app can reach, so it is the
 * operator's to choose.
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
      : { message: "expected none, or the address that this installation is configured with (VERIFY_URL)" };
  }
  if (tenant !== operatorTenant) {
    return { message: "there is no service to ask: whoever runs this installation has to set VERIFY_URL" };
  }
  if (url === null) return { message: "expected the service's address, since VERIFY_URL is not set" };
  return checkAddress(url, isSingleTenant);
}

function checkAddress(url: string, isSingleTenant: boolean): Address {
  try {
    parseServiceUrl(url);
  } catch (error) {
    if (!isHoldfastError(error, "CONFIG_INVALID")) throw error;
    return { message: "expected an https address without credentials, query or fragment" };
  }
  const { href, hostname } = new URL(url);
  const isOwnMachine = isSingleTenant && isLoopback(hostname);
  return isOwnMachine || isPublicHost(hostname)
    ? { url: href, target: href }
    : { message: "expected an address of the public internet; another one can be set with VERIFY_URL" };
}

function toCheck(found: readonly Organization[], wanted: string | null, url: string | null): ServiceCheck {
  const names = found.flatMap(({ slug, id }) => toPathSegment(slug) ?? toPathSegment(id) ?? []);
  const [only] = names;
  if (only === undefined) {
    return refuse("apiKey", "this key reaches no organization: use one of a member of your organization");
  }
  if (wanted === null) {
    return names.length === 1
      ? { outcome: "accepted", url, organization: only }
      : refuse("organization", `this key reaches several organizations, choose one of: ${toList(names)}`);
  }
  const chosen = found.find(({ slug, id }) => slug === wanted || id === wanted);
  return chosen === undefined
    ? refuse("organization", `this key does not reach it, expected one of: ${toList(names)}`)
    : { outcome: "accepted", url, organization: wanted };
}

function toList(names: readonly string[]): string {
  const more = names.length > LISTED_NAMES ? ` and ${names.length - LISTED_NAMES} more` : "";
  return `${names.slice(0, LISTED_NAMES).join(", ")}${more}`;
}

function toFailure({ code, retryAtMs }: HoldfastError, url: string | null): ServiceCheck {
  switch (code) {
    case "VERIFICATION_UNAUTHORIZED":
    case "VERIFICATION_FORBIDDEN":
      return refuse(
        "apiKey",
        "the service does not accept this key: copy all of it, or make a new one there",
      );
    case "CONFIG_INVALID":
    case "VERIFICATION_MALFORMED":
      if (url !== null) return refuse("url", "what answers there is not the verification service");
      break;
    default:
  }
  return { outcome: "unavailable", code, retryAtMs };
}

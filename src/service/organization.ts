import { z } from "zod";
import { HoldfastError } from "../base/errors.ts";
import { toOptionName, type Dialect } from "./dialect.ts";

const text = z.string().catch("");

const organization = z.object({
  id: z.string().min(1),
  /** Used in the path of order verification. If the service gives none, it is blank and the ID is used. */
  slug: text,
  name: text,
  /** The role of the key's user: `owner`, `admin` or `member`. */
  role: text,
});

/** The free call's answer. Only the id is needed, so the rest may be missing. */
export const organizationsSchema = z.object({ organizations: z.array(organization) });
/** An organization that the API key reaches. */
export type Organization = Readonly<z.infer<typeof organization>>;

/** Percent-encoded for a path, or undefined if it can't be a path segment. */
export function toPathSegment(organization: string): string | undefined {
  // Servers resolve dot segments even if the client doesn't, and the path would leave the organization's scope.
  if (organization.trim() === "" || organization === "." || organization === "..") return undefined;
  return organization.isWellFormed() ? encodeURIComponent(organization) : undefined;
}

/** At most this many names in a message; further ones are only counted. */
const LISTED_NAMES = 10;

function configInvalid(message: string): HoldfastError {
  return new HoldfastError("CONFIG_INVALID", message, { retryable: false, metered: "no" });
}

/**
 * The one organization of a key, as a path segment.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if there is none, or if there are several to choose from.
 */
export function chooseOrganization(organizations: readonly Organization[], dialect: Dialect): string {
  const option = toOptionName("organization", dialect);
  const segments = organizations.map(({ slug, id }) => toPathSegment(slug) ?? toPathSegment(id));
  const [only] = segments;
  if (segments.length === 1 && only !== undefined) return only;
  if (segments.length <= 1) {
    throw configInvalid(`the API key has no organization: set ${option} or use another key`);
  }
  const names = listNames(segments);
  throw configInvalid(`the API key has several organizations: set ${option} to one of ${names}`);
}

/** @throws {HoldfastError} `CONFIG_INVALID` if the key doesn't reach the organization, given as a path segment. */
export function assertReached(
  segment: string,
  organizations: readonly Organization[],
  dialect: Dialect,
): void {
  const reached = organizations.flatMap(({ slug, id }) => [toPathSegment(slug), toPathSegment(id)]);
  if (reached.includes(segment)) return;
  const option = toOptionName("organization", dialect);
  throw configInvalid(`the API key doesn't reach this organization: correct ${option} or use another key`);
}

export function listNames(names: readonly (string | undefined)[]): string {
  const more = names.length > LISTED_NAMES ? ` and ${names.length - LISTED_NAMES} more` : "";
  return `${names.slice(0, LISTED_NAMES).join(", ")}${more}`;
}

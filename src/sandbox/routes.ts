import type { IncomingMessage } from "node:http";
import { matchPath, type PathMatch } from "./catalog/read-call.ts";
import { fitsPath } from "./http.ts";

/** Paths outside the catalog and the management interface. The sandbox's own isn't part of the interface. */
const PATHS = [
  { kind: "organizations", path: "/api/organizations/get", methods: ["GET"] },
  { kind: "verification", path: "/api/:organization/order-verification", methods: ["POST"] },
  { kind: "sandbox-credits", path: "/sandbox/credits", methods: ["POST"] },
] as const;

export type Route =
  | { readonly kind: (typeof PATHS)[number]["kind"]; readonly organization: string }
  | { readonly kind: "catalog"; readonly organization: string; readonly match: PathMatch }
  | { readonly kind: "management"; readonly segments: readonly string[] }
  | { readonly kind: "wrong-method"; readonly allow: string }
  | { readonly kind: "unknown" };

/**
 * What a request line asks for. Paths are exact: an extra slash makes another path. Escapes count as their characters
 * (RFC 3986, 6.2.2.2), and the query is ignored.
 */
export function toRoute({ method, url = "" }: IncomingMessage): Route {
  const segments = toPath(url).split("/").slice(1).map(decodePart);
  const [root, organization = "", ...rest] = segments;
  if (organization === "") return { kind: "unknown" };
  if (root === "api" && organization === "v1" && rest.length > 0) {
    return { kind: "management", segments: rest };
  }
  const found = PATHS.find(({ path }) => fitsPath(path, segments));
  if (found !== undefined) {
    const isRight = found.methods.some((one) => one === method);
    return isRight
      ? { kind: found.kind, organization }
      : { kind: "wrong-method", allow: found.methods.join(", ") };
  }
  const match = root === "api" ? matchPath(rest) : undefined;
  return match === undefined ? { kind: "unknown" } : { kind: "catalog", organization, match };
}

/** The path of a request target, which callers of a proxy write with scheme and host (RFC 9112, 3.2.2). */
function toPath(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return path.split(/[?#]/, 1)[0] ?? "";
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // It can't be decoded, and no organization has this name, so the answer is a refusal.
    return part;
  }
}

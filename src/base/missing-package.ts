import { toConfigError, type HoldfastError } from "./errors.ts";

/** Packages that a shop installs itself if it needs them, with their major versions: the peers in package.json. */
const OPTIONAL_PACKAGES: Readonly<Record<string, string>> = {
  "@shopify/shopify-api": "15",
  express: "5",
  graphql: "16",
  nodemailer: "10",
  pdfkit: "0.20",
  pg: "8",
  pino: "10",
  "prom-client": "15",
};
/** What `holdfast serve` and the other commands need. */
const OF_THE_APP = ["express", "pino", "prom-client", "graphql", "@shopify/shopify-api"];
/** What Holdfast needs inside a shop's process. Not express: a second one can break the shop's packages. */
export const OF_A_HOST: readonly string[] = ["pino", "prom-client"];

/**
 * The error to show when an import failed because an optional package isn't installed; undefined for other failures.
 *
 * @param together - The packages that the command in the message installs. Default: all that the app needs.
 */
export function toMissingPackage(
  error: unknown,
  together: readonly string[] = OF_THE_APP,
): HoldfastError | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  if (error.code !== "ERR_MODULE_NOT_FOUND" && error.code !== "MODULE_NOT_FOUND") return undefined;
  const specifier = /'([^']+)'/.exec(error.message)?.[1] ?? "";
  const name = Object.keys(OPTIONAL_PACKAGES).find(
    (one) => specifier === one || specifier.startsWith(`${one}/`),
  );
  if (name === undefined) return undefined;
  const command = toInstallCommand(together.includes(name) ? together : [name]);
  return toConfigError(`The package "${name}" isn't installed. Run: ${command}`, error);
}

export function toInstallCommand(names: readonly string[]): string {
  return `npm install ${names.map((name) => `${name}@${OPTIONAL_PACKAGES[name]}`).join(" ")}`;
}

/**
 * For `import("pg").catch(throwMissingPackage)`. Bundlers let a package be missing where a `catch` follows.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` with the command that installs the package; any other failure unchanged.
 */
export function throwMissingPackage(error: unknown): never {
  throw toMissingPackage(error) ?? error;
}

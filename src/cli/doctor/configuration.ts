import type { Config } from "../../config.ts";
import { isHoldfastError } from "../../base/errors.ts";
import type { Finding } from "../../platform/platform.ts";
import { ok, problem, warning } from "./findings.ts";

/** The oldest Node this package runs on, as in `engines` of package.json. */
export const OLDEST_NODE = "22.19";

/** Read the environment as the app does when it starts. Mistakes in it are findings; `config` is undefined then. */
export function checkConfiguration(readConfig: () => Config) {
  const id = "configuration";
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!isHoldfastError(error, "CONFIG_INVALID")) throw error;
    const wrong = error.fields.map(({ path, message }) => `${path}: ${message}`);
    const found = wrong.length === 0 ? error.message : wrong.join("; ");
    const finding = problem(id, found, "correct these variables, because the app can't start with them");
    return { config: undefined, findings: [finding] };
  }
  return { config, findings: [ok(id, describe(config)), ...checkConsole(config)] };
}

/** What is configured, without values that could be secret. */
function describe({ database, service, shopify, role }: Config): string {
  const parts = [
    database.kind === "postgres" ? "Postgres" : "SQLite",
    service === undefined ? "no verification service" : "a verification service",
    shopify === undefined ? "no Shopify" : "Shopify",
    `role ${role}`,
  ];
  return parts.join(", ");
}

/** Warn if nobody can sign in. */
export function checkConsole({ consoleToken, shopify, role }: Config): readonly Finding[] {
  if (role === "worker" || consoleToken !== undefined || shopify !== undefined) return [];
  const advice = "set CONSOLE_TOKEN, or the SHOPIFY variables";
  return [warning("configuration.console", "nobody can sign in to the console or the API", advice)];
}

/** Check that the package supports this version of Node, given as in `process.versions.node`. */
export function checkNode(version: string): Finding {
  if (isAtLeast(version, OLDEST_NODE)) return ok("node", `Node ${version}`);
  return problem("node", `Node ${version}`, `run it with Node ${OLDEST_NODE} or newer`);
}

function isAtLeast(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);
  return major === oldestMajor ? minor >= oldestMinor : major > oldestMajor;
}

import type { Agent, Dispatcher } from "undici";
import { toFieldsError } from "./errors.ts";
import type { Environment } from "./variables.ts";

/** What runs on this machine is reached directly. */
const LOCAL = "localhost,127.0.0.1,[::1]";
const EXPECTED = "expected a proxy's address, such as http://USER:PASSWORD@proxy.example:8080";

/** How to connect through a proxy: options of undici's `EnvHttpProxyAgent`. */
export interface ProxyOptions {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * The proxy for https calls: `HTTPS_PROXY`, except for hosts in `NO_PROXY` and on this machine. Undefined unless Node uses
 * the environment's proxy too (`NODE_USE_ENV_PROXY=1`): the variable alone may be meant for package managers only.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if `HTTPS_PROXY` can't be used.
 */
export function readProxy(env: Environment = process.env): ProxyOptions | undefined {
  const read = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? "";
  const [httpsProxy, exceptions] = [read("HTTPS_PROXY"), read("NO_PROXY")];
  if (env["NODE_USE_ENV_PROXY"] !== "1" || httpsProxy === "") return undefined;
  if (!/^https?:\/\//i.test(httpsProxy) || !URL.canParse(httpsProxy)) {
    const message = `HTTPS_PROXY: ${EXPECTED}`;
    throw toFieldsError("CONFIG_INVALID", message, [{ path: "HTTPS_PROXY", message: EXPECTED }]);
  }
  return { httpProxy: "", httpsProxy, noProxy: `${exceptions},${LOCAL}` };
}

/** The caller passes undici, which loads slowly. */
type Undici = Pick<typeof import("undici"), "Agent" | "EnvHttpProxyAgent">;

/**
 * Connections to any host, through the {@link readProxy | proxy} if there is one.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if `HTTPS_PROXY` can't be used.
 */
export function openAgent(undici: Undici, options: Agent.Options): Dispatcher {
  const proxy = readProxy();
  return proxy === undefined
    ? new undici.Agent(options)
    : new undici.EnvHttpProxyAgent({ ...proxy, ...options });
}

import { EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";
import type { Secret } from "./secret.ts";

/** The proxy for https calls. */
export interface ProxyConfig {
  /** Its address. May contain a user and a password. */
  readonly url: Secret;
  /** Hosts that are reached directly, as in `NO_PROXY`. */
  readonly except: string;
}

/** What runs on this machine is reached directly. */
const LOCAL = "localhost,127.0.0.1,[::1]";
/** How long the proxy may take to open a connection, in milliseconds. undici itself would wait five minutes. */
const LIMIT_MS = 10_000;

const opened = new WeakMap<ProxyConfig, Dispatcher>();

/**
 * The connections through a proxy, the same each time. Undefined without one: connect directly. Idle connections close by
 * themselves and don't keep the process alive. No HTTP/2, with which undici sends a request again after a GOAWAY.
 */
export function toDispatcher(proxy: ProxyConfig | undefined): Dispatcher | undefined {
  if (proxy === undefined) return undefined;
  const known = opened.get(proxy);
  if (known !== undefined) return known;
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: "",
    httpsProxy: proxy.url.reveal(),
    noProxy: `${proxy.except},${LOCAL}`,
    allowH2: false,
    proxyTls: { allowH2: false },
    connectTimeout: LIMIT_MS,
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: LIMIT_MS }),
  });
  opened.set(proxy, dispatcher);
  return dispatcher;
}

import { LRUCache } from "lru-cache";
import { Pool, type Dispatcher } from "undici";
import type { ServiceConfig } from "../service/client-options.ts";
import type { Logger } from "../base/logger.ts";
import { isLoopback, publicLookup } from "../base/public-address.ts";
import { createVerificationClient, DEFAULT_TIMEOUT_MS, type Organization } from "../service/client.ts";
import { parseServiceUrl } from "../service/client-options.ts";
import type { Verifier } from "../service/verifier.ts";

/** How to reach the service with one key. */
export interface ServiceTarget {
  readonly url: string;
  readonly apiKey: string;
  /** Undefined: discovered. */
  readonly organization: string | undefined;
}

/** Connections to the service with one key. */
export interface ServiceClient {
  readonly verifier: Verifier;
  /** The free call. */
  organizations(): Promise<readonly Organization[]>;
  /** Waits for calls under way. */
  close(): Promise<void>;
}

/** Connections to the service, by key. */
export interface ServiceClients {
  /** Opened when they are not there; beyond the most that are kept, those used longest ago are closed once idle. */
  of(keyId: string, target: ServiceTarget): ServiceClient;
  /** Close those of a key once they are idle. */
  letGo(keyId: string): void;
  /** Open connections that stay the caller's to close. */
  open(target: ServiceTarget): ServiceClient;
  /** The free call with a key, over connections that are closed after it. */
  tryOut(target: ServiceTarget): Promise<readonly Organization[]>;
  /** Finish calls under way and close all connections. */
  close(): Promise<void>;
}

/** Parts of {@link createServiceClients}. */
export interface ServiceClientsOptions {
  /** What the environment says; undefined: nothing. */
  readonly service: ServiceConfig | undefined;
  /** Most connections to the service with one key. */
  readonly connections: number;
  /** Undici dispatcher for the environment's service. Default: own keep-alive pools, one for each key. */
  readonly dispatcher?: Dispatcher | undefined;
  readonly logger: Logger;
  readonly now: () => number;
  /** Keys whose connections are kept at once. Default 200. */
  readonly maxClients?: number | undefined;
}

const MAX_CLIENTS = 200;

/** Create {@link ServiceClients}, none open. */
export function createServiceClients(options: ServiceClientsOptions): ServiceClients {
  const closing = new Set<Promise<void>>();
  const clients = new LRUCache<string, ServiceClient, ServiceTarget>({
    max: options.maxClients ?? MAX_CLIENTS,
    memoMethod: (_keyId, _former, { context: target }) => openClient(options, target),
    dispose: (client) => close(client),
  });

  function close(client: ServiceClient): void {
    const closed = client.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    of: (keyId, target) => clients.memo(keyId, { context: target }),
    letGo: (keyId) => void clients.delete(keyId),
    open: (target) => openClient(options, target),
    async tryOut(target) {
      const client = openClient(options, target);
      try {
        return await client.organizations();
      } finally {
        close(client);
      }
    },
    async close() {
      clients.clear();
      await Promise.all(closing);
    },
  };
}

function openClient(options: ServiceClientsOptions, target: ServiceTarget): ServiceClient {
  const { service, logger, now, connections } = options;
  const timeoutMs = service?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const isEnvironments = target.url === service?.url;
  const guarded = isEnvironments ? undefined : openGuardedPool(target.url, connections, timeoutMs);
  const client = createVerificationClient({
    ...target,
    timeoutMs,
    connections,
    dispatcher: isEnvironments ? options.dispatcher : guarded,
    logger,
    now,
  });
  return {
    verifier: client,
    organizations: () => client.organizations(),
    async close() {
      await client.close();
      await guarded?.destroy();
    },
  };
}

/** To an address that was not given by the environment: names lead to public addresses only. */
function openGuardedPool(url: string, connections: number, timeoutMs: number): Pool | undefined {
  const { origin } = parseServiceUrl(url);
  if (isLoopback(new URL(origin).hostname)) return undefined;
  return new Pool(origin, {
    connections,
    allowH2: false,
    connect: { timeout: timeoutMs, lookup: publicLookup },
  });
}

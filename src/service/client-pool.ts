import { LRUCache } from "lru-cache";
import { createBackground } from "../base/waiting.ts";
import type { Organization } from "./organization.ts";

/**
 * Clients of a service by key, opened when they are needed. If there are more than `max`, the one that was used longest ago is
 * closed once it is idle.
 */
export function createClientPool<
  Target,
  Client extends { organizations(): Promise<readonly Organization[]>; close(): Promise<void> },
>(max: number, open: (target: Target) => Client) {
  const closing = createBackground();
  const close = (client: Client): void => void closing.add(client.close());
  const clients = new LRUCache<string, Client>({ max, dispose: close });

  return {
    /** Get a key's client, or open it. Get it for each call: it may have been closed to make room for others. */
    of(keyId: string, target: Target): Client {
      const client = clients.get(keyId) ?? open(target);
      clients.set(keyId, client);
      return client;
    },
    closeWhenIdle: (keyId: string) => void clients.delete(keyId),
    /** The free call with a key that isn't in use yet, with a client of its own: the organizations that it reaches. */
    async tryOut(target: Target) {
      const client = open(target);
      try {
        return await client.organizations();
      } finally {
        close(client);
      }
    },
    /** Finish calls under way and close all connections. */
    async close(): Promise<void> {
      clients.clear();
      await closing.settle();
    },
  };
}

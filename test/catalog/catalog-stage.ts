import { onTestFinished } from "vitest";
import { createCatalogClient, type CatalogClient, type CatalogClientOptions } from "../../src/catalog.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  SANDBOX_ORGANIZATION,
  type SandboxService,
  type SandboxServiceOptions,
} from "../../src/sandbox/sandbox-service.ts";

/** A clock that only the test moves. */
export interface TestClock {
  readonly now: () => number;
  pass(ms: number): void;
  /** Waits by moving the clock, so a client never really waits. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export function createTestClock(startMs = 1_800_000_000_000): TestClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    pass: (ms) => void (nowMs += ms),
    async wait(ms, signal) {
      signal?.throwIfAborted();
      nowMs += ms;
      // Sockets are read before the next attempt.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A sandbox and a client for its catalog, on one clock. */
export interface CatalogStage {
  readonly clock: TestClock;
  readonly service: SandboxService;
  readonly url: URL;
  readonly client: CatalogClient;
  readonly connect: (options?: Partial<CatalogClientOptions>) => CatalogClient;
}

export async function startCatalog(
  options: SandboxServiceOptions = {},
  clientOptions: Partial<CatalogClientOptions> = {},
): Promise<CatalogStage> {
  const clock = createTestClock();
  const service = createSandboxService({ now: clock.now, ...options });
  const url = await service.listen();
  onTestFinished(() => service.close());
  const connect = (more: Partial<CatalogClientOptions> = {}): CatalogClient => {
    const client = createCatalogClient({
      url,
      apiKey: SANDBOX_API_KEY,
      organization: SANDBOX_ORGANIZATION,
      now: clock.now,
      wait: clock.wait,
      ...clientOptions,
      ...more,
    });
    onTestFinished(() => client.close());
    return client;
  };
  return { clock, service, url, client: connect(), connect };
}

/** Rows for this many brands. */
export function brandRows(count: number): { name: string }[] {
  return Array.from({ length: count }, (_, index) => ({ name: `Brand ${index}` }));
}

/** Adds this many products and returns their ids, in the order of their SKUs. */
export async function addProducts(client: CatalogClient, count: number): Promise<readonly string[]> {
  const products = Array.from({ length: count }, (_, index) => ({
    sku: `SKU-${String(index).padStart(4, "0")}`,
    name: `Product ${index}`,
    brand: "Acme",
  }));
  await client.products.bulkCreate({ products });
  const listed = await client.products.list({ sortBy: "sku", sortOrder: "asc", limit: 100 }).all();
  return listed.map(({ id }) => id);
}

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { EmulatedShop } from "./emulated-shop.ts";
import { createFaults, type FaultKind, type FaultScope } from "./faults.ts";
import { createPointBucket, type PointBucket } from "./query-cost.ts";
import { createSessionToken, type SessionTokenOptions } from "./session-token.ts";
import { createShopRequests, type RecordedOperation, type RecordedRequest } from "./shop-requests.ts";

/** The bucket of a Standard shop. */
const STANDARD_LIMITS = { maximumAvailable: 2000, restoreRate: 100 };
/** Long enough to be seen as STARTED once, short enough for a demo. */
const CANCEL_DELAY_MS = 20;

/** Options of {@link createAdminEmulator}. */
export interface AdminEmulatorOptions {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** A secret that is being rotated out. */
  readonly apiSecretPrevious?: string | undefined;
  /** Key and certificate in PEM; plain HTTP without them. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Points per shop. @default 2000 and 100 a second, as a Standard shop has */
  readonly throttle?: { readonly maximumAvailable: number; readonly restoreRate: number } | undefined;
  /**
   * Scopes that every shop grants in addition. With `read_all_orders`, orders with fixed dates stay readable.
   *
   * @default none
   */
  readonly grants?: readonly string[] | undefined;
  /** How long a cancellation runs, in milliseconds. @default 20 */
  readonly cancelDelayMs?: number | undefined;
}

/** A local stand-in for the Admin API and the token endpoint of any number of shops. */
export interface AdminEmulator {
  /** Start on the loopback interface. @default any free port */
  listen(port?: number): Promise<number>;
  /** Drop every connection and stop. */
  close(): Promise<void>;
  /** Port it listens on; 0 before. */
  readonly port: number;
  /** The shop of that domain, created on first use. Requests to any other host get 404. */
  shop(domain: string): EmulatedShop;
  /** A token as App Bridge would send it. */
  createSessionToken(shop: string, options?: SessionTokenOptions): string;
  /** Make the next `count` matching requests fail. Returns a function that cancels the ones that haven't happened. */
  fail(count: number, kind: FaultKind, scope?: FaultScope): () => void;
  readonly operations: readonly RecordedOperation[];
  readonly requests: readonly RecordedRequest[];
}

/** Create an {@link AdminEmulator}. It answers nothing before `listen`. */
export function createAdminEmulator(options: AdminEmulatorOptions): AdminEmulator {
  const { now = Date.now, throttle = STANDARD_LIMITS, cancelDelayMs = CANCEL_DELAY_MS } = options;
  const app = { ...options, now };
  const shops = new Map<string, EmulatedShop>();
  const buckets = new Map<string, PointBucket>();
  const operations: RecordedOperation[] = [];
  const requests: RecordedRequest[] = [];
  const faults = createFaults();
  const handle = createShopRequests({
    apiKey: app.apiKey,
    now,
    cancelDelayMs,
    faults,
    findShop: (domain) => shops.get(domain),
    bucketOf(domain) {
      const bucket = buckets.get(domain) ?? createPointBucket(throttle, now);
      buckets.set(domain, bucket);
      return bucket;
    },
    operations,
    requests,
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => response.destroy());
  };
  const server =
    options.tls === undefined ? createServer(onRequest) : createTlsServer(options.tls, onRequest);
  const portOf = () => (server.address() as AddressInfo | null)?.port ?? 0;

  return {
    async listen(port = 0) {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      return portOf();
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
    get port() {
      return portOf();
    },
    shop(domain) {
      const known = shops.get(domain);
      if (known !== undefined) return known;
      const shop = new EmulatedShop(domain, app);
      for (const scope of options.grants ?? []) shop.grant(scope);
      shops.set(domain, shop);
      return shop;
    },
    createSessionToken: (shop, tokenOptions) => createSessionToken(app, shop, tokenOptions),
    fail: (count, kind, scope) => faults.add(count, kind, scope),
    operations,
    requests,
  };
}

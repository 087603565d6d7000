import { raiseAlert } from "../base/alerts.ts";
import { LRUCache } from "lru-cache";
import { atMost } from "../base/entry-limit.ts";
import type { Logger } from "../base/logger.ts";
import { isRelayed } from "../engine/facts/ip-facts.ts";
import { toMailbox } from "../order/email-address.ts";
import { isBuyersIp, toNetwork } from "../order/ip-address.ts";
import type { VerificationRequest } from "../order/request.ts";
import type { TenantId } from "../platform/platform.ts";

/** So many customers in a row from one address, and nobody from elsewhere. */
const CUSTOMERS = 20;
/** Bots can send as many in minutes, but customers order all day. */
const LEAST_MS = 3_600_000;
const TENANTS_KEPT = 10_000;
/** The addresses of a CDN vary with the place of its server. */
const RELAYS = "relays";

/** Customers of a tenant in a row that have one address. */
interface Run {
  readonly place: string;
  readonly sinceMs: number;
  /** At most {@link CUSTOMERS}. */
  readonly mailboxes: Set<string>;
}

/**
 * Warn once for each tenant if all orders carry one public IP address: a CDN's or the shop's own proxy's, whose
 * `X-Forwarded-For` isn't read. Then the address says nothing about customers, and the burst brake may hold them. Private
 * addresses are left out of orders.
 */
export function createAddressWatch(logger: Logger, now: () => number) {
  const runs = new LRUCache<TenantId, Run>(atMost(TENANTS_KEPT));
  const warned = new LRUCache<TenantId, true>(atMost(TENANTS_KEPT));

  return (tenant: TenantId, { ipAddress, customerEmail }: VerificationRequest): void => {
    if (ipAddress === undefined || warned.has(tenant) || !isBuyersIp(ipAddress)) return;
    const nowMs = now();
    const place = isRelayed(ipAddress) ? RELAYS : toNetwork(ipAddress);
    const known = runs.get(tenant);
    const run = known?.place === place ? known : { place, sinceMs: nowMs, mailboxes: new Set<string>() };
    if (run !== known) runs.set(tenant, run);
    if (run.mailboxes.size < CUSTOMERS) run.mailboxes.add(toMailbox(customerEmail));
    if (run.mailboxes.size < CUSTOMERS || nowMs - run.sinceMs < LEAST_MS) return;
    warned.set(tenant, true);
    runs.delete(tenant);
    raiseAlert(
      logger,
      "one_ip_address",
      { tenant },
      "all customers of the last hour have one public IP address, probably that of a proxy or CDN: pass on the customer's own",
    );
  };
}

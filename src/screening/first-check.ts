import { isHoldfastError, SET_UP_CODES } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { TenantId } from "../platform/platform.ts";
import type { VerificationClient } from "../service/client.ts";
import type { OpenScreening } from "./open-screening.ts";
import { readOrder, type VerificationOrder } from "./read-order.ts";
import type { ScreenerOptions } from "./screener-options.ts";
import { createWarmUp } from "./warm-up.ts";

interface FirstCheckParts extends Pick<ScreenerOptions, "service"> {
  readonly open: () => Promise<Pick<OpenScreening, "screening" | "local">>;
  /** Undefined if there is no service. */
  readonly client: Pick<VerificationClient, "prepare"> | undefined;
  readonly tenant: TenantId;
  readonly logger: Logger;
}

/** Goes through the code once, because that takes much longer than later times. It isn't sent or recorded. */
const SAMPLE_ORDER: VerificationOrder = {
  orderAmount: 1,
  currency: "EUR",
  customerName: "Example Customer",
  customerEmail: "customer@example.com",
  shippingAddress: { street: "1 Example Street", city: "Berlin", postalCode: "10115", country: "DE" },
  ipAddress: "192.0.2.1",
};

/** Do what the first check of a process would have to wait for, ahead of it: load, run code once, find the organization. */
export function prepareFirstCheck({ open, client, tenant, logger, service }: FirstCheckParts) {
  async function rehearse(): Promise<void> {
    const { screening, local } = await open();
    const { request } = readOrder(SAMPLE_ORDER);
    screening.fingerprint(tenant, request);
    await local.rehearse({ tenant, order: request });
  }

  async function prepare(signal: AbortSignal): Promise<void> {
    try {
      await rehearse();
      if (isAskedAhead(service) && !signal.aborted) await client?.prepare({ signal });
    } catch (error) {
      // The first check tries again, and says what is wrong.
      if (isSetUpFault(error))
        logger.warn({ err: error }, "the set-up of the verification service can't work");
      else logger.debug({ err: error }, "the first check couldn't be prepared");
    }
  }

  return {
    ...createWarmUp(prepare, async () => (await open()).local.load()),
    /** @throws {HoldfastError} if the set-up can't work. */
    async ready(): Promise<void> {
      const prepared = client?.prepare().catch((error: unknown) => throwSetUp(error, logger));
      await Promise.all([rehearse(), prepared]);
    },
  };
}

/** The free call is made ahead if the first check would have to wait for it, and not through a transport of the shop's own. */
function isAskedAhead(service: ScreenerOptions["service"]): boolean {
  return service !== "local" && service.organization === undefined && service.dispatcher === undefined;
}

/** An outage ends by itself. A set-up that can't work is better known when the shop starts than at its first order. */
function throwSetUp(error: unknown, logger: Logger): void {
  if (isSetUpFault(error) || isHoldfastError(error, "SHUTTING_DOWN")) throw error;
  logger.warn({ err: error }, "the verification service can't be reached yet");
}

function isSetUpFault(error: unknown): boolean {
  return isHoldfastError(error) && SET_UP_CODES.has(error.code);
}

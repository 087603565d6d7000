import { toLinkKeys } from "../../engine/velocity/keys.ts";
import type { PartialVerificationRequest } from "../../order/request.ts";
import { isHoldfastError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import { foldEmail } from "../../order/email-address.ts";
import type { Schema } from "../schema/schema.ts";
import type { Keyring } from "./keyring.ts";

/** The place of a sealed value. It can't be opened at another place, so that nobody can swap rows or columns. */
export interface Place {
  readonly tenant: string;
  readonly table: keyof Schema;
  readonly column: string;
  /** The row's ID within its tenant. */
  readonly row: string;
}

export type Sealer = ReturnType<typeof createSealer>;

export function createSealer(keyring: Keyring, logger: Logger) {
  /** @throws {HoldfastError} `DATA_UNREADABLE`. */
  const openBytes = (place: Place, sealed: Uint8Array) =>
    keyring.open(place.tenant, toContext(place), sealed);
  /** Undefined for null, and for a value that can't be opened, which is logged as an error. */
  const tryBytes = (place: Place, sealed: Uint8Array | null | undefined) => {
    try {
      return sealed == null ? undefined : openBytes(place, sealed);
    } catch (error) {
      if (!isHoldfastError(error, "DATA_UNREADABLE")) throw error;
      const { tenant: _, ...where } = place;
      // The row ID of a delivery or an order isn't personal. The value stays in place, so that somebody can examine it.
      logger.error({ code: error.code, ...where }, error.message);
      return undefined;
    }
  };
  return {
    sealBytes: (place: Place, bytes: string | Buffer) => keyring.seal(place.tenant, toContext(place), bytes),
    sealJson: (place: Place, value: unknown) =>
      keyring.seal(place.tenant, toContext(place), JSON.stringify(value)),
    openBytes,
    /** @throws {HoldfastError} `DATA_UNREADABLE`. */
    openJson: (place: Place, sealed: Uint8Array): unknown => JSON.parse(openBytes(place, sealed).toString()),
    tryBytes,
    /** Like `tryBytes`. */
    tryJson(place: Place, sealed: Uint8Array | null | undefined): unknown {
      const opened = tryBytes(place, sealed);
      return opened && JSON.parse(opened.toString());
    },
    /** Digest of an email address, ignoring case. */
    emailDigest: (tenant: string, email: string) => keyring.digest(tenant, "email", foldEmail(email)),
    customerDigest: (tenant: string, customerId: string) => keyring.digest(tenant, "customer", customerId),
    /** Digest of a country's ISO code. */
    countryDigest: (tenant: string, country: string) => keyring.digest(tenant, "country", country),
    linkKeys: (tenant: string, order: PartialVerificationRequest) =>
      toLinkKeys(order, (purpose, text) => keyring.digest(tenant, purpose, text)),
    /** Digest of a delivery's body, the same for every tenant, to recognize a body that was sent in another tenant's name. */
    bodyDigest: (body: Uint8Array) => keyring.digest(ALL_TENANTS, "body", body),
  };
}

/** Not a tenant's name: those begin with a platform. */
const ALL_TENANTS = "*";

function toContext({ table, column, tenant, row }: Place): string {
  return [table, column, tenant, row].join("\0");
}

import { foldAddress, toMailbox } from "../../order/fold.ts";
import { toNetwork } from "../../order/ip-address.ts";
import type { VerificationRequest } from "../../order/request.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Keyring } from "../sealing/keyring.ts";

/** What stands for a street that the order does not name, folded. */
const UNKNOWN_STREETS: ReadonlySet<string> = new Set(["", "n a"]);

/** Where an order comes from: addresses that somebody who floods a shop tends to use again. */
export interface OrderSource {
  readonly kind: "email" | "ip" | "delivery";
  /** Personal: to be digested before it is kept. */
  readonly address: string;
}

/** The mailbox that an email address belongs to. */
export function toMailboxSource(email: string): OrderSource {
  return { kind: "email", address: toMailbox(email) };
}

/** What is kept of a source. */
export function toSourceName(
  keyring: Pick<Keyring, "digest">,
  tenant: TenantId,
  { kind, address }: OrderSource,
): string {
  return `${kind}:${keyring.digest(tenant, `source-${kind}`, address)}`;
}

/** The sources of an order: its mailbox, its network and the place it ships to. */
export function toSources(request: VerificationRequest): readonly OrderSource[] {
  const { customerEmail, ipAddress, shippingAddress } = request;
  const { street, postalCode, city, country } = shippingAddress;
  const delivery = [street, postalCode, city, country].map(foldAddress).join("\0");
  return [
    toMailboxSource(customerEmail),
    ...(ipAddress === undefined ? [] : [{ kind: "ip" as const, address: toNetwork(ipAddress) }]),
    // A town is no address.
    ...(UNKNOWN_STREETS.has(foldAddress(street)) ? [] : [{ kind: "delivery" as const, address: delivery }]),
  ];
}

import { foldAddress, foldEmail } from "../order/fold.ts";
import { toNetwork } from "../order/ip-address.ts";
import type { VerificationRequest } from "../order/request.ts";

/** Providers that deliver mail whatever dots the local part has. */
const DOTLESS_DOMAINS: ReadonlySet<string> = new Set(["gmail.com", "googlemail.com"]);

/** Where an order comes from: addresses that somebody who floods a shop tends to use again. */
export interface OrderSource {
  readonly kind: "email" | "ip" | "delivery";
  /** Personal: to be digested before it is kept. */
  readonly address: string;
}

/** The sources of an order: its mailbox, its network and the place it ships to. */
export function toSources(request: VerificationRequest): readonly OrderSource[] {
  const { customerEmail, ipAddress, shippingAddress } = request;
  const { street, postalCode, city, country } = shippingAddress;
  const delivery = [street, postalCode, city, country].map(foldAddress).join("\0");
  return [
    { kind: "email", address: toMailbox(customerEmail) },
    ...(ipAddress === undefined ? [] : [{ kind: "ip" as const, address: toNetwork(ipAddress) }]),
    { kind: "delivery", address: delivery },
  ];
}

/** One mailbox, however it is written: what follows a plus sign, and dots where the provider ignores them, do not count. */
function toMailbox(email: string): string {
  const folded = foldEmail(email);
  const at = folded.lastIndexOf("@");
  if (at < 0) return folded;
  const domain = folded.slice(at + 1);
  const local = folded.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return DOTLESS_DOMAINS.has(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}

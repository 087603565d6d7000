import type { BuyerCheckMethod } from "../order/buyer-check.ts";
import type { Policy } from "../policy/policy.ts";
import type { BuyerCheck, Recipient } from "../store/buyer-checks/buyer-check.ts";
import type { OrderRecord } from "../store/store.ts";
import type { AlertMessage } from "../alerts/alert-message.ts";
import { chooseLanguage, fill, toTexts } from "./texts/buyer-texts.ts";

/** A message with a link. Its text is for the buyer, its fields are for a shop's own mail system. */
export interface LinkMessage extends AlertMessage {
  readonly to: string;
}

/** The shop's name, as its buyers know it; its address on the platform if the policy has none. */
export function toShopName({ verify }: Pick<Policy, "verify">, tenant: string): string {
  return verify.shopName ?? tenant.slice(tenant.indexOf(":") + 1);
}

interface Sent {
  readonly check: BuyerCheck;
  readonly recipient: Recipient;
  readonly order: OrderRecord;
  readonly policy: Policy;
  readonly url: string;
}

/** The message about a check. The same in every attempt, so that a mailbox shows it only once. */
export function toLinkMessage({ check, recipient, order, policy, url }: Sent): LinkMessage {
  const language = chooseLanguage(order.mapped?.context?.locale, undefined, policy.verify.language);
  const texts = toTexts(language);
  const expiresAt = new Date(check.expiresAtMs).toISOString();
  const until = expiresAt.slice(0, 16).replace("T", " ");
  const values = { shop: toShopName(policy, order.tenant), name: order.name, until };
  const subject = fill(texts["mail-subject"], values);
  const paragraphs = [
    fill(texts["mail-intro"], values),
    `${texts["mail-open"]}\n${url}`,
    fill(texts["mail-once"], values),
    texts["mail-not-you"],
    texts["nothing-secret"],
  ];
  return {
    id: `buyer-check-${check.checkId}`,
    to: recipient.address,
    subject,
    text: paragraphs.join("\n\n"),
    fields: {
      event: "buyer-check",
      tenant: order.tenant,
      orderId: order.orderId,
      order: order.name,
      channel: recipient.kind,
      to: recipient.address,
      subject,
      link: url,
      language,
      methods: listOffered(check),
      expiresAt,
    },
  };
}

export function listOffered({ methods }: Pick<BuyerCheck, "methods">): readonly BuyerCheckMethod[] {
  const names = Object.keys(methods) as readonly BuyerCheckMethod[];
  return names.filter((name) => methods[name] === true);
}

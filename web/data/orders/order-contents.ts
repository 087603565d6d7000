import type { OrderDetail } from "../api/api-types.ts";
import { nameCountry } from "../base/format.ts";
import { t } from "../base/texts.ts";

export type OrderContents = NonNullable<OrderDetail["contents"]>;
type Address = NonNullable<OrderContents["shippingAddress"]>;

/** Kinds of networks that say something about their users. */
export const NETWORK_WORDS = {
  tor: t("order.tor-network"),
  vpn: t("order.vpn-or-proxy"),
  hosting: t("order.hosting-provider"),
  shared: t("order.shared-by-many-people"),
} as const;

/** What the catalog says about an item's product: `Shoes > Boots · Brand: Acme`. Null when it isn't known. */
export function describeProduct(sku: string | undefined, context: OrderDetail["context"]): string | null {
  const product = context?.products?.find((known) => known.sku === sku);
  if (product === undefined) return null;
  const { category, brand, manufacturer } = product;
  const parts = [
    category,
    brand && t("order.brand", { brand }),
    manufacturer && t("order.manufacturer", { manufacturer }),
  ];
  return parts.filter(Boolean).join(" · ") || null;
}

export interface AddressLine {
  readonly label: string;
  readonly shipping: string | undefined;
  readonly billing: string | undefined;
  /** Both are known and differ in more than case, spacing and punctuation. */
  readonly differs: boolean;
}

const PARTS = [
  [t("order.street"), "street"],
  [t("order.city"), "city"],
  [t("order.state"), "state"],
  [t("order.postal-code"), "postalCode"],
  [t("order.country"), "country"],
] as const satisfies readonly (readonly [label: string, part: keyof Address])[];

/** Both addresses, line by line. Lines that neither has are left out. */
export function compareAddresses(contents: OrderContents): readonly AddressLine[] {
  const { shippingAddress, billingAddress, recipient, buyer } = contents;
  const lines = PARTS.map(([label, part]) => {
    const [shipping, billing] = [shippingAddress?.[part], billingAddress?.[part]].map((text) =>
      part === "country" && text !== undefined ? nameCountry(text) : text,
    );
    return compare(label, shipping, billing);
  });
  const name = compare(t("order.name"), shippingAddress === undefined ? undefined : recipient, buyer.name);
  return [{ ...name, billing: billingAddress === undefined ? undefined : name.billing }, ...lines].filter(
    ({ shipping, billing }) => shipping !== undefined || billing !== undefined,
  );
}

function compare(label: string, shipping: string | undefined, billing: string | undefined): AddressLine {
  const differs = shipping !== undefined && billing !== undefined && fold(shipping) !== fold(billing);
  return { label, shipping, billing, differs };
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s,.-]+/g, " ")
    .trim();
}

export function summarizeAddresses(
  { shippingAddress, billingAddress }: OrderContents,
  lines: readonly AddressLine[],
): string {
  if (shippingAddress === undefined && billingAddress === undefined)
    return t("order.the-order-has-no-address");
  if (billingAddress === undefined) return t("order.the-order-has-no-billing-address");
  if (shippingAddress === undefined) return t("order.the-order-has-no-shipping-address");
  const count = lines.filter(({ differs }) => differs).length;
  return count === 0 ? t("order.both-addresses-are-the-same") : t("order.lines-differ", { count });
}

/** How the country of the IP address compares with those of the addresses; null when there is nothing to compare. */
export function compareIpCountry({ countries }: OrderContents): string | null {
  const { ip, shipping, billing } = countries;
  if (ip === undefined || (shipping === undefined && billing === undefined)) return null;
  const isOther = (country: string | undefined): country is string => country !== undefined && country !== ip;
  if (isOther(shipping) && isOther(billing))
    return t("order.ip-both", { shipping: nameCountry(shipping), billing: nameCountry(billing) });
  if (isOther(shipping)) return t("order.ip-ships", { country: nameCountry(shipping) });
  if (isOther(billing)) return t("order.ip-billed", { country: nameCountry(billing) });
  return t("order.same-country-as-the-addresses");
}

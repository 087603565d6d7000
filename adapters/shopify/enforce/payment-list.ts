import type { CheckoutState } from "../../../src/adapter-kit.ts";
import { mutate, readPages, type Ask } from "../admin/ask.ts";
import { refused } from "../base/failures.ts";
import type { Operations } from "../operations/generated/operations.ts";

/** The function's handle in `extensions/block-payment/shopify.extension.toml`. */
export const PAYMENT_FUNCTION_HANDLE = "holdfast-block-payment";
/** What the merchant sees under Settings > Payments > Payment method customizations. */
const TITLE = "Holdfast payments";

type Customization =
  Operations["FindPaymentCustomizations"]["data"]["paymentCustomizations"]["nodes"][number];

/** What each refusal of Shopify means. Others are faults of the call. */
const MEANINGS: Readonly<Record<string, CheckoutState>> = {
  CUSTOM_APP_FUNCTION_NOT_ELIGIBLE: "plan",
  PAYMENT_CUSTOMIZATION_FUNCTION_NOT_ELIGIBLE: "plan",
  FUNCTION_NOT_FOUND: "not-deployed",
  FUNCTION_PENDING_DELETION: "not-deployed",
  MAXIMUM_ACTIVE_PAYMENT_CUSTOMIZATIONS: "too-many",
  MAXIMUM_PAYMENT_CUSTOMIZATIONS: "too-many",
};

/**
 * One payment customization, whose metafield has the list and the names of the methods. Without a list, it is deleted and not
 * only deactivated: its metafield would stay, and a person's own deactivation couldn't be told from ours.
 */
export async function applyPayments(ask: Ask, apiKey: string, list: string | null): Promise<CheckoutState> {
  const [customization, ...extra] = await findOwn(ask, apiKey);
  // Two processes may have made one at the same time.
  for (const { id } of extra) await remove(ask, id);
  if (list !== null)
    return customization === undefined ? create(ask, list) : update(ask, customization, list);
  if (customization !== undefined) await remove(ask, customization.id);
  return "open";
}

async function findOwn(ask: Ask, apiKey: string): Promise<readonly Customization[]> {
  const read = async (after: string | null) =>
    (await ask("FindPaymentCustomizations", { after })).data.paymentCustomizations;
  const all = (await readPages(await read(null), read)) ?? [];
  return all.filter(
    ({ shopifyFunction: { appKey, handle } }) => appKey === apiKey && handle === PAYMENT_FUNCTION_HANDLE,
  );
}

/** The list in a metafield that only this app can read. */
function toInput(list: string) {
  return {
    metafields: [{ namespace: "$app", key: "block-list", type: "multi_line_text_field", value: list }],
  };
}

async function create(ask: Ask, list: string): Promise<CheckoutState> {
  const input = { ...toInput(list), functionHandle: PAYMENT_FUNCTION_HANDLE, title: TITLE, enabled: true };
  const { userErrors } = await mutate(ask, "CreatePaymentCustomization", { input });
  return toMeaning(userErrors) ?? "applied";
}

async function update(
  ask: Ask,
  { id, enabled, metafield }: Customization,
  list: string,
): Promise<CheckoutState> {
  if (metafield?.value !== list) {
    // Not `enabled`: what a person turned off in Shopify stays off.
    const { userErrors } = await mutate(ask, "UpdatePaymentCustomization", { id, input: toInput(list) });
    const meaning = toMeaning(userErrors);
    if (meaning !== undefined) return meaning;
  }
  return enabled ? "applied" : "turned-off";
}

async function remove(ask: Ask, id: string): Promise<void> {
  const { userErrors } = await mutate(ask, "DeletePaymentCustomization", { id });
  if (userErrors.some(({ code }) => code !== "PAYMENT_CUSTOMIZATION_NOT_FOUND"))
    throw refused("Shopify refused to delete the app's payment customization");
}

/** @throws {HoldfastError} `PLATFORM_REFUSED` with Shopify's codes when nobody can do anything about it. */
function toMeaning(errors: readonly { readonly code: string | null }[]): CheckoutState | undefined {
  if (errors.length === 0) return undefined;
  for (const { code } of errors) {
    const meaning = MEANINGS[code ?? ""];
    if (meaning !== undefined) return meaning;
  }
  const codes = errors.map(({ code }) => code ?? "without a code").join(", ");
  throw refused(`Shopify refused the app's payment customization: ${codes}`);
}

import type { CheckoutState } from "../../../src/adapter-kit.ts";
import { mutate, readPages, type Ask } from "../admin/ask.ts";
import { refused } from "../base/failures.ts";
import type { Operations } from "../operations/generated/operations.ts";

/** The function's handle in `extensions/block-list/shopify.extension.toml`. */
export const FUNCTION_HANDLE = "holdfast-block-list";
/** What the merchant sees under Settings > Checkout > Checkout rules. */
const TITLE = "Holdfast block list";

type Validation = Operations["FindValidations"]["data"]["validations"]["nodes"][number];

/** What each refusal of Shopify means. Others are faults of the call. */
const MEANINGS: Readonly<Record<string, CheckoutState>> = {
  CUSTOM_APP_FUNCTION_NOT_ELIGIBLE: "plan",
  FUNCTION_NOT_FOUND: "not-deployed",
  FUNCTION_PENDING_DELETION: "not-deployed",
  MAX_VALIDATIONS_ACTIVATED: "too-many",
};

/**
 * One rule of the checkout, whose metafield has the list. Shopify deletes both when the app is uninstalled, and when the
 * app deletes the rule.
 */
export async function applyRule(ask: Ask, apiKey: string, list: string | null): Promise<CheckoutState> {
  const [rule, ...extra] = await findOwn(ask, apiKey);
  // Two processes may have made one at the same time.
  for (const { id } of extra) await remove(ask, id);
  if (list !== null) return rule === undefined ? create(ask, list) : update(ask, rule, list);
  if (rule !== undefined) await remove(ask, rule.id);
  return "open";
}

async function findOwn(ask: Ask, apiKey: string): Promise<readonly Validation[]> {
  const read = async (after: string | null) => (await ask("FindValidations", { after })).data.validations;
  const all = (await readPages(await read(null), read)) ?? [];
  return all.filter(
    ({ shopifyFunction }) => shopifyFunction.appKey === apiKey && shopifyFunction.handle === FUNCTION_HANDLE,
  );
}

/** What lets buyers continue if the function fails, and the list in a metafield that only this app can read. */
function toInput(list: string) {
  const metafield = { namespace: "$app", key: "block-list", type: "multi_line_text_field", value: list };
  return { blockOnFailure: false, metafields: [metafield] };
}

async function create(ask: Ask, list: string): Promise<CheckoutState> {
  const validation = { ...toInput(list), functionHandle: FUNCTION_HANDLE, title: TITLE, enable: true };
  const { userErrors } = await mutate(ask, "CreateValidation", { validation });
  return toMeaning(userErrors) ?? "applied";
}

async function update(ask: Ask, rule: Validation, list: string): Promise<CheckoutState> {
  if (rule.metafield?.value !== list || rule.blockOnFailure) {
    // Not `enable`: what a person turned off in Shopify stays off.
    const { userErrors } = await mutate(ask, "UpdateValidation", { id: rule.id, validation: toInput(list) });
    const meaning = toMeaning(userErrors);
    if (meaning !== undefined) return meaning;
  }
  return rule.enabled ? "applied" : "turned-off";
}

async function remove(ask: Ask, id: string): Promise<void> {
  const { userErrors } = await mutate(ask, "DeleteValidation", { id });
  if (userErrors.some(({ code }) => code !== "NOT_FOUND"))
    throw refused("Shopify refused to delete the app's rule of the checkout");
}

/** @throws {HoldfastError} `PLATFORM_REFUSED` with Shopify's codes when nobody can do anything about it. */
function toMeaning(errors: readonly { readonly code: string | null }[]): CheckoutState | undefined {
  if (errors.length === 0) return undefined;
  for (const { code } of errors) {
    const meaning = MEANINGS[code ?? ""];
    if (meaning !== undefined) return meaning;
  }
  const codes = errors.map(({ code }) => code ?? "without a code").join(", ");
  throw refused(`Shopify refused the app's rule of the checkout: ${codes}`);
}

import { GraphQLError } from "graphql";
import {
  findMetafieldProblem,
  toOwnMetafield,
  type EmulatedCheckout,
  type EmulatedRule,
  type MetafieldInput,
} from "./emulated-checkout.ts";
import { toConnection, type GraphNode, type PageArguments } from "./graph-node.ts";

/** Shopify has no number in its documentation: as few as a test needs. */
const ACTIVE_MAX = 25;

interface PaymentCustomizationInput {
  readonly functionHandle?: string | null;
  readonly functionId?: string | null;
  readonly title?: string | null;
  readonly enabled?: boolean | null;
  readonly metafields?: readonly MetafieldInput[] | null;
}

/** Root fields of the schema about payment customizations, with the scopes that they take. */
export function toPaymentsRoot(
  shop: { readonly checkout: EmulatedCheckout; readonly scopes: readonly string[] },
  apiKey: string,
): GraphNode {
  const { checkout } = shop;
  const demand = (field: string): void => {
    const write = "write_payment_customizations";
    const scopes = field === "paymentCustomizations" ? ["read_payment_customizations", write] : [write];
    if (scopes.some((scope) => shop.scopes.includes(scope))) return;
    throw new GraphQLError(`Access denied for ${field} field.`, { extensions: { code: "ACCESS_DENIED" } });
  };
  const findOwn = (id: string) => checkout.payments.find((one) => one.id === id && one.appKey === apiKey);
  return {
    paymentCustomizations: (page: PageArguments) => {
      demand("paymentCustomizations");
      return toConnection(checkout.payments, page, (one) => toNode(one, apiKey));
    },
    paymentCustomizationCreate: ({
      paymentCustomization: input,
    }: {
      readonly paymentCustomization: PaymentCustomizationInput;
    }) => {
      demand("paymentCustomizationCreate");
      return create(checkout, apiKey, input);
    },
    paymentCustomizationUpdate: ({
      id,
      paymentCustomization: input,
    }: {
      readonly id: string;
      readonly paymentCustomization: PaymentCustomizationInput;
    }) => {
      demand("paymentCustomizationUpdate");
      const found = findOwn(id);
      return found === undefined ? refuse("PAYMENT_CUSTOMIZATION_NOT_FOUND") : change(checkout, found, input);
    },
    paymentCustomizationDelete: ({ id }: { readonly id: string }) => {
      demand("paymentCustomizationDelete");
      const found = findOwn(id);
      if (found === undefined)
        return { deletedId: null, userErrors: [{ code: "PAYMENT_CUSTOMIZATION_NOT_FOUND" }] };
      checkout.payments.splice(checkout.payments.indexOf(found), 1);
      return { deletedId: id, userErrors: [] };
    },
  };
}

function create(checkout: EmulatedCheckout, apiKey: string, input: PaymentCustomizationInput): GraphNode {
  const { functionHandle, functionId } = input;
  if (functionHandle != null && functionId != null) return refuse("MULTIPLE_FUNCTION_IDENTIFIERS");
  if (functionHandle == null) return refuse("MISSING_FUNCTION_IDENTIFIER");
  if (input.title == null || input.enabled == null) return refuse("REQUIRED_INPUT_FIELD");
  if (!checkout.functions.includes(functionHandle)) return refuse("FUNCTION_NOT_FOUND");
  const active = checkout.payments.filter(({ enabled }) => enabled).length;
  if (input.enabled && active >= ACTIVE_MAX) return refuse("MAXIMUM_ACTIVE_PAYMENT_CUSTOMIZATIONS");
  const problem = checkout.refusal ?? findProblem(input);
  if (problem !== undefined) return refuse(problem);
  const added = checkout.addPayments({ appKey: apiKey, functionHandle, title: input.title, enabled: false });
  return change(checkout, added, input);
}

function change(
  checkout: EmulatedCheckout,
  found: EmulatedRule,
  input: PaymentCustomizationInput,
): GraphNode {
  const problem = checkout.refusal ?? findProblem(input);
  if (problem !== undefined) return refuse(problem);
  found.enabled = input.enabled ?? found.enabled;
  for (const { namespace, key, type, value } of input.metafields ?? [])
    found.metafields.set(`${namespace}.${key}`, { type: type ?? "", value: value ?? "" });
  return { paymentCustomization: toNode(found, found.appKey), userErrors: [] };
}

const findProblem = ({ metafields }: PaymentCustomizationInput): string | undefined =>
  findMetafieldProblem(metafields ?? []) === undefined ? undefined : "INVALID_METAFIELDS";

function refuse(code: string): GraphNode {
  return { paymentCustomization: null, userErrors: [{ code }] };
}

function toNode(one: EmulatedRule, apiKey: string): GraphNode {
  const { id, title, enabled, functionHandle, appKey } = one;
  return {
    __typename: "PaymentCustomization",
    id,
    title,
    enabled,
    shopifyFunction: { id: `function-${functionHandle}`, handle: functionHandle, appKey },
    metafield: toOwnMetafield(one, apiKey),
  };
}

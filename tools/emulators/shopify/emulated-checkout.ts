import { GraphQLError } from "graphql";
import { toConnection, type GraphNode, type PageArguments } from "./graph-node.ts";

/** Shopify runs no more. */
const VALIDATIONS_MAX = 25;
/** A function gets null for a longer value. */
const FUNCTION_VALUE_BYTES_MAX = 10_000;
const OWN_NAMESPACE = "$app";

/** What an app's function does at the checkout: a rule, or a payment customization. */
export interface EmulatedRule {
  readonly id: string;
  readonly title: string;
  readonly functionHandle: string;
  /** The client ID of the app that owns the function. */
  readonly appKey: string;
  enabled: boolean;
  /** By namespace and key. */
  readonly metafields: Map<string, { readonly type: string; readonly value: string }>;
}
export interface EmulatedValidation extends EmulatedRule {
  blockOnFailure: boolean;
}

/** What the platform refuses each time, by its code. */
type Refusal =
  | "PAYMENT_CUSTOMIZATION_FUNCTION_NOT_ELIGIBLE"
  | "CUSTOM_APP_FUNCTION_NOT_ELIGIBLE"
  | "FUNCTION_PENDING_DELETION"
  | "INTERNAL_ERROR";

/** The checkout of one emulated shop. */
export class EmulatedCheckout {
  readonly validations: EmulatedValidation[] = [];
  readonly payments: EmulatedRule[] = [];
  /** Handles of the app's deployed functions. */
  functions: readonly string[] = [];
  refusal: Refusal | undefined;
  #lastId = 0;

  /** Somebody adds a rule, such as another app. */
  add(rule: Partial<EmulatedValidation> & Pick<EmulatedValidation, "appKey">): EmulatedValidation {
    const added = {
      id: `gid://shopify/Validation/${(this.#lastId += 1)}`,
      title: "",
      functionHandle: "other",
      enabled: true,
      blockOnFailure: false,
      metafields: new Map<string, { readonly type: string; readonly value: string }>(),
      ...rule,
    };
    this.validations.push(added);
    return added;
  }

  /** Somebody adds a payment customization. */
  addPayments(one: Partial<EmulatedRule> & Pick<EmulatedRule, "appKey">): EmulatedRule {
    const added = {
      id: `gid://shopify/PaymentCustomization/${(this.#lastId += 1)}`,
      title: "",
      functionHandle: "other",
      enabled: true,
      metafields: new Map<string, { readonly type: string; readonly value: string }>(),
      ...one,
    };
    this.payments.push(added);
    return added;
  }

  /** A metafield as the rule's function gets it: null if it's too long. */
  readForFunction(rule: EmulatedRule, key: string): { readonly value: string } | null {
    const value = rule.metafields.get(`${OWN_NAMESPACE}.${key}`)?.value;
    return value === undefined || Buffer.byteLength(value) > FUNCTION_VALUE_BYTES_MAX ? null : { value };
  }
}

interface ValidationInput {
  readonly functionHandle?: string | null;
  readonly functionId?: string | null;
  readonly title?: string | null;
  readonly enable?: boolean | null;
  readonly blockOnFailure?: boolean | null;
  readonly metafields?: readonly MetafieldInput[] | null;
}

export interface MetafieldInput {
  readonly namespace?: string | null;
  readonly key?: string | null;
  readonly type?: string | null;
  readonly value?: string | null;
}

/** Root fields of the schema about rules of the checkout, with the scopes that they take. */
export function toCheckoutRoot(
  shop: { readonly checkout: EmulatedCheckout; readonly scopes: readonly string[] },
  apiKey: string,
): GraphNode {
  const { checkout } = shop;
  const demand = (field: string): void => {
    const scopes =
      field === "validations" ? ["read_validations", "write_validations"] : ["write_validations"];
    if (scopes.some((scope) => shop.scopes.includes(scope))) return;
    const extensions = { code: "ACCESS_DENIED" };
    throw new GraphQLError(`Access denied for ${field} field.`, { extensions });
  };
  return {
    validations: (page: PageArguments) => {
      demand("validations");
      return toConnection(checkout.validations, page, (rule) => toNode(rule, apiKey));
    },
    validationCreate: ({ validation }: { readonly validation: ValidationInput }) => {
      demand("validationCreate");
      return create(checkout, apiKey, validation);
    },
    validationUpdate: ({ id, validation }: { readonly id: string; readonly validation: ValidationInput }) => {
      demand("validationUpdate");
      const rule = findOwn(checkout, apiKey, id);
      return rule === undefined ? refuse("NOT_FOUND") : change(checkout, rule, validation);
    },
    validationDelete: ({ id }: { readonly id: string }) => {
      demand("validationDelete");
      const rule = findOwn(checkout, apiKey, id);
      if (rule === undefined) return { deletedId: null, userErrors: [{ code: "NOT_FOUND" }] };
      checkout.validations.splice(checkout.validations.indexOf(rule), 1);
      return { deletedId: id, userErrors: [] };
    },
  };
}

function create(checkout: EmulatedCheckout, apiKey: string, input: ValidationInput): GraphNode {
  const { functionHandle, functionId } = input;
  if (functionHandle != null && functionId != null) return refuse("MULTIPLE_FUNCTION_IDENTIFIERS");
  if (functionHandle == null) return refuse("MISSING_FUNCTION_IDENTIFIER");
  if (!checkout.functions.includes(functionHandle)) return refuse("FUNCTION_NOT_FOUND");
  const active = checkout.validations.filter(({ enabled }) => enabled).length;
  if (input.enable === true && active >= VALIDATIONS_MAX) return refuse("MAX_VALIDATIONS_ACTIVATED");
  const problem = checkout.refusal ?? findMetafieldProblem(input.metafields ?? []);
  if (problem !== undefined) return refuse(problem);
  // Both are off unless the app says otherwise.
  const rule = checkout.add({
    appKey: apiKey,
    functionHandle,
    title: input.title ?? functionHandle,
    enabled: false,
    blockOnFailure: false,
  });
  return change(checkout, rule, input);
}

function change(checkout: EmulatedCheckout, rule: EmulatedValidation, input: ValidationInput): GraphNode {
  const problem = checkout.refusal ?? findMetafieldProblem(input.metafields ?? []);
  if (problem !== undefined) return refuse(problem);
  rule.enabled = input.enable ?? rule.enabled;
  rule.blockOnFailure = input.blockOnFailure ?? rule.blockOnFailure;
  for (const { namespace, key, type, value } of input.metafields ?? [])
    rule.metafields.set(`${namespace}.${key}`, { type: type ?? "", value: value ?? "" });
  return { validation: toNode(rule, rule.appKey), userErrors: [] };
}

/** What Shopify has against these metafields. */
export function findMetafieldProblem(metafields: readonly MetafieldInput[]): string | undefined {
  for (const { namespace, key, type, value } of metafields) {
    if (namespace == null || key == null || (value ?? "") === "") return "BLANK";
    if (namespace !== OWN_NAMESPACE) return "APP_NOT_AUTHORIZED";
    if (type !== "multi_line_text_field") return "INVALID_TYPE";
    if (Buffer.byteLength(value ?? "") > 65_536) return "TOO_LONG";
  }
  return undefined;
}

/** An app can't change the rules of others. */
function findOwn(checkout: EmulatedCheckout, apiKey: string, id: string): EmulatedValidation | undefined {
  return checkout.validations.find((rule) => rule.id === id && rule.appKey === apiKey);
}

function refuse(code: string): GraphNode {
  return { validation: null, userErrors: [{ code }] };
}

function toNode(rule: EmulatedValidation, apiKey: string): GraphNode {
  return {
    __typename: "Validation",
    id: rule.id,
    title: rule.title,
    enabled: rule.enabled,
    blockOnFailure: rule.blockOnFailure,
    shopifyFunction: {
      id: `function-${rule.functionHandle}`,
      handle: rule.functionHandle,
      appKey: rule.appKey,
    },
    metafield: toOwnMetafield(rule, apiKey),
  };
}

/** A rule's metafield, for the app that it belongs to. */
export function toOwnMetafield(rule: EmulatedRule, apiKey: string) {
  // Without a namespace, each app has its own.
  return ({ namespace, key }: { readonly namespace?: string | null; readonly key: string }) => {
    if (rule.appKey !== apiKey) return null;
    const found = rule.metafields.get(`${namespace ?? OWN_NAMESPACE}.${key}`);
    return found === undefined ? null : { id: `gid://shopify/Metafield/${key}`, ...found };
  };
}

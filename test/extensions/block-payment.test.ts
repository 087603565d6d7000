import { readFileSync } from "node:fs";
import { buildSchema, graphqlSync, parse, validate } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { PAYMENT_FUNCTION_HANDLE } from "../../adapters/shopify/enforce/payment-list.ts";
import { toCheckoutKeys, toCheckoutLists } from "../../src/policy/checkout-list.ts";
import { MOST_ENTRIES, type ListEntry } from "../../src/policy/lists.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import {
  COMPILE_LIMIT_MS,
  compileBlockPayment,
  runFunction,
  type CompiledFunction,
} from "../support/shopify-function.ts";

const FOLDER = "extensions/block-payment";
const TOML = readFileSync(`${FOLDER}/shopify.extension.toml`, "utf8");
const SCHEMA = buildSchema(
  readFileSync("test/fixtures/shopify-functions/payment-customization-2026-10.graphql", "utf8"),
);
const QUERY = readFileSync(`${FOLDER}/input.graphql`, "utf8");
const KEY = "k".repeat(43);
const NOW = Date.UTC(2026, 10, 29);
const MALLORY = { email: "mallory@shop.example" };
const METHODS = ["Credit card", "PayPal Express Checkout", "Bank Deposit", "Cash on Delivery (COD)"];
const NOTHING = { output: { operations: [] } };

let compiled: CompiledFunction;
beforeAll(async () => {
  compiled = await compileBlockPayment();
}, COMPILE_LIMIT_MS);

/** The metafield of a policy that blocks these emails. */
function toMetafield(emails: readonly string[], policy: object = {}): string {
  const lists = emails.map((email): ListEntry => {
    const checkout = toCheckoutKeys({ customerEmail: email }, KEY).mailbox ?? "";
    const digest = checkout.padEnd(22, "x");
    return {
      list: "block",
      kind: "mailbox",
      digest,
      checkout,
      label: "l",
      owner: "person:1",
      reason: "r",
      until: null,
    };
  });
  const parsed = parsePolicy({ blockedAtCheckout: "another-payment", lists, ...policy });
  return toCheckoutLists(parsed, KEY, NOW).hidePayments ?? "";
}

interface Buyer {
  readonly email?: string;
  readonly phone?: string;
}
interface Method {
  readonly id: string;
  readonly name: string;
}
const toMethods = (names: readonly string[]): readonly Method[] =>
  names.map((name, index) => ({ id: `gid://shopify/PaymentCustomizationPaymentMethod/${index}`, name }));

/** What Shopify would send: the answer of the published schema to the function's query. */
function toInput(
  buyer: Buyer,
  value: string | null,
  methods: readonly Method[] = toMethods(METHODS),
): string {
  const rootValue = {
    cart: {
      buyerIdentity: { email: null, phone: null, customer: null, ...buyer },
      billingAddress: null,
      deliveryGroups: [],
    },
    paymentCustomization: { metafield: value === null ? null : { value } },
    paymentMethods: methods,
  };
  const { data, errors } = graphqlSync({ schema: SCHEMA, source: QUERY, rootValue });
  expect(errors).toBeUndefined();
  return JSON.stringify(data);
}

const run = (...args: Parameters<typeof toInput>) => runFunction(compiled.module, toInput(...args));

/** The names of the methods that are hidden. */
function hiddenOf(result: ReturnType<typeof run>, names: readonly string[] = METHODS): readonly string[] {
  if (!("output" in result)) throw new Error(result.failed);
  const { operations } = result.output as {
    readonly operations: readonly { readonly paymentMethodHide: { readonly paymentMethodId: string } }[];
  };
  return operations.map(
    ({ paymentMethodHide }) => names[Number(paymentMethodHide.paymentMethodId.split("/").at(-1))] ?? "",
  );
}

describe("the function for payment methods", () => {
  it("asks only for what the published schema has, and returns what it takes", () => {
    expect(validate(SCHEMA, parse(QUERY))).toEqual([]);
    const result = run(MALLORY, toMetafield([MALLORY.email]));
    let taken: unknown;
    const { errors } = graphqlSync({
      schema: SCHEMA,
      source:
        "mutation M($result: CartPaymentMethodsTransformRunResult!) { cartPaymentMethodsTransformRun(result: $result) }",
      variableValues: { result: "output" in result ? result.output : null },
      rootValue: {
        cartPaymentMethodsTransformRun: (given: { result: unknown }) => ((taken = given.result), ""),
      },
    });
    expect(errors).toBeUndefined();
    expect(taken).toMatchObject({
      operations: [{ paymentMethodHide: { paymentMethodId: expect.any(String) } }, {}],
    });
  });

  it("is what the app turns on, under the name that the TOML has", () => {
    expect(TOML).toContain(`handle = "${PAYMENT_FUNCTION_HANDLE}"`);
    expect(TOML).toContain('target = "cart.payment-methods.transform.run"');
    expect(WebAssembly.Module.exports(compiled.module).map(({ name }) => name)).toContain(
      /^export = "(\w+)"$/m.exec(TOML)?.[1],
    );
    const imports = WebAssembly.Module.imports(compiled.module).map(
      ({ module, name }) => `${module} ${name}`,
    );
    expect(imports.toSorted()).toEqual(["wasi_snapshot_preview1 fd_read", "wasi_snapshot_preview1 fd_write"]);
    expect(compiled.bytes.length).toBeLessThan(64_000);
  });

  it("hides cards and the wallets that pay with one from a blocked buyer, and nothing from others", () => {
    const list = toMetafield([MALLORY.email]);
    expect(hiddenOf(run(MALLORY, list))).toEqual(["Credit card", "PayPal Express Checkout"]);
    expect(hiddenOf(run({ email: "Mallory+x@Shop.Example" }, list))).toHaveLength(2);
    expect(run({ email: "alice@shop.example" }, list)).toEqual(NOTHING);
    expect(run({}, list)).toEqual(NOTHING);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ["part of a name, in any case", ["CARD"], ["Credit card"]],
    ["a name with a dot", ["(c.o.d.)", "deposit"], ["Bank Deposit"]],
    ["no name that a method has", ["Klarna"], []],
    ["all methods, so none", ["a", "e"], []],
  ])("compares the policy's names: %s", (_what, hiddenPayments, expected) => {
    expect(hiddenOf(run(MALLORY, toMetafield([MALLORY.email], { hiddenPayments })))).toEqual(expected);
  });

  it("compares names in other scripts as they are", () => {
    const names = ["クレジットカード", "銀行振込"];
    const list = toMetafield([MALLORY.email], { hiddenPayments: ["カード"] });
    expect(hiddenOf(run(MALLORY, list, toMethods(names)), names)).toEqual(["クレジットカード"]);
  });

  it("never takes the only method away", () => {
    const list = toMetafield([MALLORY.email]);
    expect(run(MALLORY, list, toMethods(["Credit card"]))).toEqual(NOTHING);
    expect(run(MALLORY, list, toMethods(["Credit card", "Shop Pay"]))).toEqual(NOTHING);
    expect(run(MALLORY, list, [])).toEqual(NOTHING);
  });

  it.each([
    ["no metafield", null],
    ["an empty one", ""],
    ["no names", toMetafield([MALLORY.email]).split("\n")[0] ?? ""],
    ["empty names", `${toMetafield([MALLORY.email]).split("\n")[0]}\n\n`],
    ["a damaged list", `x${toMetafield([MALLORY.email])}`],
    ["noise", "\u0000.\ud83d\ude00.x\ncard"],
  ])("hides nothing with %s", (_what, list) => {
    expect(run(MALLORY, list)).toEqual(NOTHING);
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "hello"],
    ["a list", "[]"],
    ["deep nesting", "[".repeat(100_000)],
  ])("hides nothing when the input is %s", (_what, input) => {
    const result = runFunction(compiled.module, input);
    expect("failed" in result || result).toEqual("failed" in result ? true : NOTHING);
  });

  it("hides nothing if it can't write a method's ID", () => {
    const methods = [{ id: 'a"b', name: "Credit card" }, ...toMethods(["Bank"])];
    expect(run(MALLORY, toMetafield([MALLORY.email]), methods)).toEqual(NOTHING);
  });

  it("has room for as many entries and names as a policy can have, within what Shopify hands to a function", () => {
    const emails = Array.from({ length: MOST_ENTRIES }, (_, index) => `buyer${index}@shop.example`);
    const hiddenPayments = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(40, "支"));
    const list = toMetafield(emails, { hiddenPayments: [...hiddenPayments.slice(1), "card"] });
    // Beyond 10,000 bytes, a function gets null.
    expect(Buffer.byteLength(toMetafield(emails, { hiddenPayments }))).toBeLessThan(10_000);
    const many = toMethods(
      Array.from({ length: 200 }, (_, index) => (index === 0 ? "Card" : `Method ${index}`)),
    );
    expect(hiddenOf(run({ email: "buyer999@shop.example" }, list, many), ["Card"])).toEqual(["Card"]);
    expect(run({ email: "buyer1000@shop.example" }, list, many)).toEqual(NOTHING);
  });
});

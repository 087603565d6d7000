import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { buildSchema, graphqlSync, parse, validate } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { FUNCTION_HANDLE } from "../../adapters/shopify/enforce/checkout-list.ts";
import { foldEmail, toMailbox } from "../../src/order/email-address.ts";
import { toDigits } from "../../src/order/text.ts";
import { toCheckoutKeys, toCheckoutListText } from "../../src/policy/checkout-list.ts";
import { MOST_ENTRIES, type ListEntry } from "../../src/policy/lists.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { createRandom } from "../support/random.ts";
import {
  COMPILE_LIMIT_MS,
  compileBlockList,
  runFunction,
  type FunctionRun,
} from "../support/shopify-function.ts";

const FOLDER = "extensions/block-list";
const TOML = readFileSync(`${FOLDER}/shopify.extension.toml`, "utf8");
const SCHEMA = buildSchema(
  readFileSync("test/fixtures/shopify-functions/cart-validation-2026-04.graphql", "utf8"),
);
const QUERY = readFileSync(`${FOLDER}/input.graphql`, "utf8");
const KEY = "k".repeat(43);
const NOW = Date.UTC(2026, 10, 29);

const NOTHING = { output: { operations: [] } };

interface Buyer {
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly accountEmail?: string | null;
  readonly billingPhone?: string | null;
  readonly deliveryPhones?: readonly (string | null)[];
}

let compiled: Awaited<ReturnType<typeof compileBlockList>>;
beforeAll(async () => {
  compiled = await compileBlockList();
}, COMPILE_LIMIT_MS);

/** The text of a list that blocks these values. */
function toList(...buyers: readonly { readonly email?: string; readonly phone?: string }[]): string {
  const lists = buyers.flatMap(({ email, phone }): ListEntry[] => {
    const keys = toCheckoutKeys({ customerEmail: email, customerPhone: phone }, KEY);
    return (["mailbox", "phone"] as const).flatMap((kind) => {
      const checkout = keys[kind];
      return checkout === undefined ? [] : [entry(kind, checkout)];
    });
  });
  const policy = parsePolicy({ blockedAtCheckout: "refuse", lists });
  return toCheckoutListText(policy, KEY, NOW) ?? "";
}

function entry(kind: "mailbox" | "phone", checkout: string): ListEntry {
  const digest = checkout.padEnd(22, "x");
  return { list: "block", kind, digest, checkout, label: "l", owner: "person:1", reason: "r", until: null };
}

const addressOf = (phone: string | null) => (phone === null ? null : { phone });

/** What Shopify would send: the answer of the published schema to the function's query. */
function toInput(
  buyer: Buyer,
  value: string | null,
  step: string | null = "CHECKOUT_COMPLETION",
  language = "EN",
) {
  const { email = null, phone = null, accountEmail, billingPhone = null, deliveryPhones = [] } = buyer;
  const customer = accountEmail === undefined ? null : { email: accountEmail };
  const rootValue = {
    buyerJourney: { step },
    cart: {
      buyerIdentity: { email, phone, customer },
      billingAddress: addressOf(billingPhone),
      deliveryGroups: deliveryPhones.map((one) => ({ deliveryAddress: addressOf(one) })),
    },
    localization: { language: { isoCode: language } },
    validation: { metafield: value === null ? null : { value } },
  };
  const { data, errors } = graphqlSync({ schema: SCHEMA, source: QUERY, rootValue });
  expect(errors).toBeUndefined();
  return JSON.stringify(data);
}

const run = (...args: Parameters<typeof toInput>): FunctionRun =>
  runFunction(compiled.module, toInput(...args));

function isRefused(result: FunctionRun): boolean {
  if (!("output" in result)) throw new Error(result.failed);
  return (result.output as { operations: unknown[] }).operations.length > 0;
}

describe("the block list's function", () => {
  it("asks only for what the published schema has, and returns what it takes", () => {
    expect(validate(SCHEMA, parse(QUERY))).toEqual([]);
    const refused = run({ email: "mallory@shop.example" }, toList({ email: "mallory@shop.example" }));
    expect(isRefused(refused)).toBe(true);
    let taken: unknown;
    const { errors } = graphqlSync({
      schema: SCHEMA,
      source:
        "mutation M($result: CartValidationsGenerateRunResult!) { cartValidationsGenerateRun(result: $result) }",
      variableValues: { result: "output" in refused ? refused.output : null },
      rootValue: { cartValidationsGenerateRun: ({ result }: { result: unknown }) => ((taken = result), "") },
    });
    expect(errors).toBeUndefined();
    expect(taken).toMatchObject({
      operations: [{ validationAdd: { errors: [{ message: expect.any(String), target: "$.cart" }] } }],
    });
  });

  it("is what the app turns on, under the name that the TOML has", () => {
    expect(TOML).toContain(`handle = "${FUNCTION_HANDLE}"`);
    expect(TOML).toContain('target = "cart.validations.generate.run"');
    expect(WebAssembly.Module.exports(compiled.module).map(({ name }) => name)).toContain(
      /^export = "(\w+)"$/m.exec(TOML)?.[1],
    );
    // Anything else, Shopify doesn't have.
    const imports = WebAssembly.Module.imports(compiled.module).map(
      ({ module, name }) => `${module} ${name}`,
    );
    expect(imports.toSorted()).toEqual(["wasi_snapshot_preview1 fd_read", "wasi_snapshot_preview1 fd_write"]);
    expect(compiled.bytes.length).toBeLessThan(64_000);
  });

  it.each<[string, Buyer]>([
    ["the email", { email: "Mallory+x@Shop.Example" }],
    ["the account's email", { email: "other@shop.example", accountEmail: " mallory@shop.example " }],
    ["the phone", { phone: "+1 (555) 010-4477" }],
    ["the billing address's phone", { email: null, billingPhone: "555.010.4477" }],
    ["the second parcel's phone", { deliveryPhones: [null, "0015550104477"] }],
  ])("refuses a buyer by %s", (_what, buyer) => {
    const list = toList({ email: "mallory@shop.example", phone: "+15550104477" }, { email: "x@y.example" });
    expect(isRefused(run(buyer, list))).toBe(true);
    expect(run(buyer, toList({ email: "x@y.example" }))).toEqual(NOTHING);
  });

  it.each<[string, Buyer]>([
    ["somebody else", { email: "malory@shop.example", phone: "+15550104478" }],
    ["a subdomain", { email: "mallory@mail.shop.example" }],
    ["nobody", {}],
    [
      "texts that are no addresses",
      { email: "mallory", phone: "call me", billingPhone: "", deliveryPhones: [""] },
    ],
    ["an address with two @", { email: "mallory@shop.example@shop.example" }],
    ["letters that need Unicode's tables", { email: "mallörý@shop.example", phone: "٠١٢٣٤٥٦٧٨٩" }],
    ["escapes", { email: '"\\\u0001\ud800@shop.example', phone: "\u2028".repeat(50) }],
  ])("lets %s pass", (_what, buyer) => {
    const list = toList({ email: "mallory@shop.example", phone: "+15550104477" });
    expect(run(buyer, list)).toEqual(NOTHING);
  });

  it("refuses only when the buyer pays, so a message never says which detail is on the list", () => {
    const list = toList({ email: "mallory@shop.example" });
    const buyer = { email: "mallory@shop.example" };
    for (const step of ["CART_INTERACTION", "CHECKOUT_INTERACTION", null])
      expect(run(buyer, list, step)).toEqual(NOTHING);
    expect(isRefused(run(buyer, list, "CHECKOUT_COMPLETION"))).toBe(true);
  });

  it("says the same to every blocked buyer, in the checkout's language, and names no detail", () => {
    const list = toList({ email: "mallory@shop.example", phone: "+15550104477" });
    const messageFor = (buyer: Buyer, language: string) => {
      const result = run(buyer, list, "CHECKOUT_COMPLETION", language);
      const [, message] = /"message":"([^"]+)"/.exec(JSON.stringify(result)) ?? [];
      return message ?? "";
    };
    const languages = ["EN", "DE", "FR", "ES", "PT_BR", "JA", "ZH_CN"];
    const messages = languages.map((language) => messageFor({ email: "mallory@shop.example" }, language));
    expect(languages.map((language) => messageFor({ phone: "5550104477" }, language))).toEqual(messages);
    expect(new Set(messages).size).toBe(languages.length);
    expect(messageFor({ phone: "5550104477" }, "PT_PT")).toBe(messages[4]);
    for (const language of ["NL", "ZH_TW"])
      expect(messageFor({ phone: "5550104477" }, language)).toBe(messages[0]);
    for (const message of messages) expect(message).not.toMatch(/block|fraud|email|phone|mail|risk|@|\d/i);
  });

  it.each([
    ["no metafield", null],
    ["an empty one", ""],
    ["an unknown version", toList({ email: "mallory@shop.example" }).replace("1.", "2.")],
    ["no key", "1..abcdefgh"],
    ["a cut key", `1.${KEY.slice(1)}.abcdefgh`],
    ["no digests", `1.${KEY}.`],
    ["a cut digest", toList({ email: "mallory@shop.example" }).slice(0, -1)],
    ["JSON", '{"v":1}'],
    ["noise", "\u0000.\ud83d\ude00.x"],
  ])("lets everybody pass with %s", (_what, list) => {
    expect(run({ email: "mallory@shop.example" }, list)).toEqual(NOTHING);
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "hello"],
    [
      "half a document",
      toInput({ email: "mallory@shop.example" }, toList({ email: "mallory@shop.example" })).slice(0, -2),
    ],
    ["two documents", "{}{}"],
    ["a list", "[]"],
    ["deep nesting", "[".repeat(100_000)],
    ["bytes that aren't UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["too much", `"${"x".repeat(2_000_000)}"`],
  ])("lets everybody pass when the input is %s", (_what, input) => {
    const result = runFunction(compiled.module, input);
    expect("failed" in result || result).toEqual("failed" in result ? true : NOTHING);
  });

  it("reads a document in any order and spacing, with every escape", () => {
    const list = toList({ email: "mallory@shop.example" });
    const input = JSON.parse(toInput({ email: "mallory@shop.example" }, list)) as Record<string, unknown>;
    const turned = JSON.stringify(Object.fromEntries(Object.entries(input).toReversed()), null, "\t");
    const escaped = turned.replaceAll("@", String.raw`\u0040`).replaceAll("/", String.raw`\/`);
    expect(escaped).not.toBe(turned);
    expect(isRefused(runFunction(compiled.module, escaped))).toBe(true);
  });

  it("has room for as many entries as the lists can have, within what Shopify hands to a function", () => {
    const entries = Array.from({ length: MOST_ENTRIES }, (_, index) => ({
      email: `buyer${index}@shop.example`,
    }));
    const list = toList(...entries);
    // Beyond 10,000 bytes, a function gets null.
    expect(Buffer.byteLength(list)).toBeLessThan(9_000);
    expect(isRefused(run({ email: "buyer999@shop.example" }, list))).toBe(true);
    expect(run({ email: "buyer1000@shop.example" }, list)).toEqual(NOTHING);
    const input = toInput({ deliveryPhones: Array.from({ length: 500 }, () => "+15550104477") }, list);
    expect(runFunction(compiled.module, input)).toEqual(NOTHING);
  });

  it("recognizes what Holdfast recognizes, for any ASCII", () => {
    const random = createRandom(36);
    const pick = (letters: string) => letters[Math.floor(random() * letters.length)] ?? "";
    const word = (letters: string, most: number) =>
      Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(letters)).join("");
    for (let round = 0; round < 80; round += 1) {
      const domain = random() < 0.4 ? pick("gG") + "mail.com" : `${word("abC-", 5)}.example`;
      const email = `${pick(" a")}${word("aB.+_-'!{", 9)}@${domain}${pick(" m")}`;
      const mailbox = toMailbox(foldEmail(email));
      const isMail = /^[^\s@]+@[^\s@]+$/.test(foldEmail(email));
      expect([email, isRefused(run({ email }, toRawList("velocity-mailbox", mailbox)))]).toEqual([
        email,
        isMail,
      ]);
      const phone = word("0123456789 +-()/x", 20);
      const digits = toDigits(phone);
      const text = digits.slice(-9);
      expect([phone, isRefused(run({ phone }, toRawList("velocity-phone", text)))]).toEqual([
        phone,
        digits.length >= 7,
      ]);
    }
  });
});

/** A list of one text, whatever it is. */
function toRawList(purpose: string, text: string): string {
  const digest = createHmac("sha256", KEY).update(`${purpose}\0${text}`).digest("base64url").slice(0, 8);
  return `1.${KEY}.${digest}`;
}

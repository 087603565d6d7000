import { describe, expect, it } from "vitest";
import { importFraudFilter } from "../../../src/policy/fraud-filter/import-rules.ts";
import { policySchema } from "../../../src/policy/policy.ts";
import { makeFraudFilterExport } from "../../support/fraud-filter-export.ts";
import { findPersonalRuleNames, findUnmatchable } from "../../../src/policy/unmatchable.ts";

const HEADER = "Name,Action,Field,Operator,Value";
const read = (lines: readonly string[], room = 200) =>
  importFraudFilter([HEADER, ...lines].join("\r\n"), { currency: "USD", room });
const readOne = async (line: string) => {
  const { rules, leftOut } = await read([line]);
  return leftOut[0]?.problem ?? [rules[0]?.when, rules[0]?.then];
};

const HOLD = { atLeast: "hold", tags: [] };
const TAG = { atLeast: "tag", tags: ["fraud-filter"] };

describe("a line of a Fraud Filter export", () => {
  it.each([
    ["a,Cancel order,Customer: Email,is equal to,Bad@Example.com", { email: ["Bad@Example.com"] }, HOLD],
    ["a,Warn,Email,contains,@example.com", { emailDomain: ["example.com"] }, TAG],
    ["a,Warn,email,ends with,example.com", { emailDomain: ["example.com"] }, TAG],
    ["a,Cancel,Shipping Address - Country,is,Nigeria", { shippingCountry: ["NG"] }, HOLD],
    ["a,Cancel,Billing country,is not,United States", { not: [{ billingCountry: ["US"] }] }, HOLD],
    ['a,Cancel,Country,is,"DE, FR"', { country: ["DE", "FR"] }, HOLD],
    ['a,Warning,Total price,greater than,"$1,000"', { minAmount: 1_000, currency: ["USD"] }, TAG],
    ["a,Warn,Total price,<,5", { maxAmount: 5, currency: ["USD"] }, TAG],
    ["a,Warn,Orders count,greater than,3", { totalOrders: { min: 4 } }, TAG],
    ["a,Warn,Orders count,<=,0", { totalOrders: { max: 0 } }, TAG],
    ["a,Cancel,Billing Address: Address1,contains,Main Street", { address: ["Main Street"] }, HOLD],
    ["a,Cancel,Phone,is,+1 212 555 0100", { phone: ["+1 212 555 0100"] }, HOLD],
    ["a,Cancel,CVV result code,is,N", { cvv: ["N"] }, HOLD],
    ["a,Cancel,Currency,is,eur", { currency: ["eur"] }, HOLD],
    ["a,Cancel,Customer: Tags,is not,vip", { not: [{ customerTag: ["vip"] }] }, HOLD],
  ])("%s", async (line, when, then) => {
    expect(await readOne(line)).toEqual([when, then]);
  });

  it.each([
    ["a,Cancel,Accept language,is,de", "no-condition"],
    ["a,Cancel,Credit card BIN,is,424242", "no-condition"],
    ["a,Cancel,Billing country,starts with,N", "no-operator"],
    ["a,Cancel,Email,contains,hack", "no-operator"],
    ["a,Cancel,Browser IP,starts with,10.", "no-operator"],
    ["a,Cancel,Email,sounds like,x", "no-operator"],
    ["a,Cancel,Email,,a@example.com", "no-operator"],
    ["a,Cancel,Address,is,1", "no-operator"],
    ["a,Cancel,Product: Tags,is,x", "no-condition"],
    ["a,Cancel,Discount: Total,greater than,1", "no-condition"],
    ["a,,Email,is,a@example.com", "unknown-action"],
    ["a,Cancel,Email,is,", "no-value"],
    ['a,Cancel,IP,is,","', "no-value"],
    ['a,Cancel,Total price,greater than,"1.000,00"', "invalid-value"],
    ['a,Cancel,Total price,greater than,"1,5"', "invalid-value"],
    ["a,Cancel,Total price,greater than,$", "invalid-value"],
    ["a,Cancel,Email,is,nobody", "invalid-value"],
    ["a,Cancel,Country,is,Atlantis", "invalid-value"],
    ["a,Cancel,Total price,greater than,lots", "invalid-value"],
    ["a,Cancel,Orders count,less than,0", "invalid-value"],
    ["a,Cancel,IP address,is,203.0.113.0/24", "invalid-value"],
    ["a,Approve,Email,is,a@example.com", "unknown-action"],
    ["a,Warn,Browser IP,is,8.8.8.8", "only-blocks"],
  ])("%s: %s", async (line, problem) => {
    expect(await readOne(line)).toBe(problem);
  });

  it("blocks an IP address, which no rule asks about", async () => {
    const { networks, rules, imported } = await read(["Bots,Cancel,Client: Browser IP,is,8.8.8.8"]);
    expect([networks, rules, imported]).toEqual([
      [{ line: 2, name: "Bots", field: "Client: Browser IP", ips: ["8.8.8.8"] }],
      [],
      1,
    ]);
  });
});

describe("a rule of several lines", () => {
  it("asks for all of them, and is left out whole if one can't be imported", async () => {
    const { rules, leftOut, found, imported } = await read([
      "Big abroad,Cancel,Total price,greater than,500",
      "Big abroad,Cancel,Shipping country,is not,US",
      "Odd,Cancel,Total price,greater than,500",
      "Odd,Cancel,Accept language,is,de",
    ]);
    expect(rules).toEqual([
      {
        name: "Fraud Filter: Big abroad",
        when: { minAmount: 500, currency: ["USD"], not: [{ shippingCountry: ["US"] }] },
        then: HOLD,
      },
    ]);
    expect(leftOut).toEqual([{ line: 5, name: "Odd", problem: "no-condition", field: "Accept language" }]);
    expect([found, imported]).toEqual([2, 1]);
  });

  it("means either of two values that no order can both have, and keeps a currency of its own", async () => {
    const { rules } = await read([
      "Two,Cancel,Email,is,a@example.com",
      "Two,,Email,is,b@example.com",
      "Yen,Warn,Total price,greater than,90000",
      "Yen,Warn,Currency,is,JPY",
    ]);
    expect(rules.map(({ when }) => when)).toEqual([
      { email: ["a@example.com", "b@example.com"] },
      { minAmount: 90_000, currency: ["JPY"] },
    ]);
  });

  it.each([
    [["x,Cancel,Address,contains,Main", "x,Cancel,Address,contains,Street"], "two-parts"],
    // An order has several of these, and the rule asked for all.
    [["x,Cancel,Order tags,is,vip", "x,Cancel,Order tags,is,wholesale"], "two-parts"],
    [["x,Cancel,Billing phone,is,2125550100", "x,Cancel,Shipping phone,is,2125550101"], "two-parts"],
    [["x,Cancel,Email,is,a@example.com", "x,Warn,Country,is,DE"], "two-actions"],
    [["x,Cancel,Browser IP,is,8.8.8.8", "x,Cancel,Country,is,DE"], "only-blocks"],
  ])("%j: %s", async (lines, problem) => {
    expect((await read(lines)).leftOut.map((one) => one.problem)).toEqual([problem]);
  });
});

describe("a whole export", () => {
  it("of 1,945 rules becomes a policy that can be saved, and names each line that is left out", async () => {
    const { found, imported, rules, networks, leftOut } = await importFraudFilter(makeFraudFilterExport(), {
      currency: "USD",
      room: 200,
    });

    expect([found, imported, networks.length, leftOut.length]).toEqual([1_945, 1_905, 300, 40]);
    expect(rules.map(({ name, when }) => [name, Object.values(when).flat().length])).toEqual([
      ["Fraud Filter: email", 1_000],
      ["Fraud Filter: email (2)", 400],
      ["Fraud Filter: address", 55],
      ["Fraud Filter: phone", 150],
    ]);
    expect(leftOut[0]).toEqual({ line: 1_907, name: "Odd 0", problem: "no-condition", field: "User agent" });
    const policy = policySchema.parse({ rules });
    expect([...findUnmatchable(policy), ...findPersonalRuleNames(policy)]).toEqual([]);
  });

  it("takes no more rules than the policy has room for", async () => {
    const { rules, imported, leftOut } = await read(
      ["A,Cancel,Country,is,NG", "B,Cancel,Email,is,a@example.com", "C,Cancel,Email,is,b@example.com"],
      1,
    );
    expect(rules.map(({ name }) => name)).toEqual(["Fraud Filter: A"]);
    expect([imported, leftOut.map(({ line, problem }) => [line, problem])]).toEqual([
      1,
      [
        [3, "too-many-rules"],
        [4, "too-many-rules"],
      ],
    ]);
  });

  it.each([
    "",
    "Rule\r\nx",
    "Name,Field,Operator,Value\r\na,Email,is,x",
    "Name,Action,Field,Match type,Value\r\na",
  ])("without the columns is refused by name: %j", async (csv) => {
    await expect(importFraudFilter(csv, { currency: null, room: 1 })).rejects.toMatchObject({
      code: "INPUT_INVALID",
      fields: [{ path: "csv", message: expect.stringContaining("missing: ") as string }],
    });
  });

  it("of more than 5,000 lines is refused", async () => {
    const line = "a,Cancel,Email,is,a@example.com";
    await expect(read(Array.from({ length: 5_001 }, () => line))).rejects.toThrow(/at most 5000 lines/);
    expect(await read(Array.from({ length: 5_000 }, () => line))).toMatchObject({ found: 1, imported: 0 });
  });

  it("gives rules names that the policy doesn't have", async () => {
    const { rules } = await importFraudFilter(`${HEADER}\nA,Cancel,Country,is,NG\nA b,Cancel,Country,is,US`, {
      currency: null,
      room: 9,
      names: ["Fraud Filter: country"],
    });
    expect(rules.map(({ name }) => name)).toEqual(["Fraud Filter: country (2)"]);
  });
});

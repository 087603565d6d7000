import { describe, expect, it } from "vitest";
import {
  findMoneyProblems,
  toMoneyChange,
  toTypedMoney,
  type TypedMoney,
} from "../../../web/data/settings/money.ts";

const EUR = { currency: "EUR", from: "2026-11-01", rate: "1.08" };
const TYPED: TypedMoney = { currency: "", creditPrice: "", rates: [EUR] };
const problemsOf = (changes: Partial<TypedMoney>) =>
  findMoneyProblems({ ...TYPED, ...changes }).map(({ path }) => path);

describe("the form of currency, rates and price", () => {
  it("sends what was saved as it was saved", () => {
    const money = { currency: "USD", creditPrice: 0.02, rates: [{ ...EUR, rate: 1.08 }] };
    expect(toMoneyChange(toTypedMoney(money))).toEqual(money);
    const none = { currency: null, creditPrice: null, rates: [] };
    expect(toMoneyChange(toTypedMoney(none))).toEqual(none);
  });

  it("takes codes in small letters, and drops rows that say nothing", () => {
    const rates = [
      { currency: "", from: "2026-11-01", rate: " " },
      { ...EUR, currency: " eur " },
    ];
    expect(toMoneyChange({ ...TYPED, currency: "usd", rates })).toMatchObject({
      currency: "USD",
      rates: [{ currency: "EUR", rate: 1.08 }],
    });
    expect(problemsOf({ rates })).toEqual([]);
  });

  it.each([
    ["a currency that is no code", { currency: "dollars" }, ["money.currency"]],
    ["a price that is no number", { creditPrice: "2 cents" }, ["money.creditPrice"]],
    ["a price below 0", { creditPrice: "-1" }, ["money.creditPrice"]],
    ["a rate with a comma", { rates: [{ ...EUR, rate: "1,08" }] }, ["money.rates[0].rate"]],
    ["a rate of 0", { rates: [{ ...EUR, rate: "0" }] }, ["money.rates[0].rate"]],
    ["a rate without a day", { rates: [{ ...EUR, from: "" }] }, ["money.rates[0].from"]],
    ["a rate of no currency", { rates: [EUR, { ...EUR, currency: "" }] }, ["money.rates[1].currency"]],
    ["two rates of a day", { rates: [EUR, { ...EUR, currency: "eur" }] }, ["money.rates[1].from"]],
  ])("says beside the field what is wrong with %s", (_what, changes, expected) => {
    expect(problemsOf(changes)).toEqual(expected);
  });
});

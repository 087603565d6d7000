import type { FieldProblem } from "../api/api.ts";
import type { BodyFor } from "../api/api-types.ts";
import { t } from "../base/texts.ts";
import type { Settings } from "./settings.ts";

type MoneyChange = NonNullable<BodyFor<"PUT /settings">["money"]>;

/** An exchange rate as it is typed. */
export interface TypedRate {
  readonly currency: string;
  readonly from: string;
  readonly rate: string;
}

/** How reports count money, as it is typed: nothing that isn't a number is lost. */
export interface TypedMoney {
  readonly currency: string;
  readonly creditPrice: string;
  readonly rates: readonly TypedRate[];
}

export function toTypedMoney({
  currency,
  creditPrice,
  rates,
}: Omit<Settings["money"], "enteredIn">): TypedMoney {
  return {
    currency: currency ?? "",
    creditPrice: creditPrice === null ? "" : String(creditPrice),
    rates: rates.map((one) => ({ ...one, rate: String(one.rate) })),
  };
}

/** What the server gets. Its rates are those of {@link listRates}. */
export function toMoneyChange(typed: TypedMoney): MoneyChange {
  const { currency, creditPrice } = typed;
  return {
    currency: toCode(currency) || null,
    creditPrice: creditPrice.trim() === "" ? null : Number(creditPrice),
    rates: listRates(typed).map((one) => ({
      currency: toCode(one.currency),
      from: one.from,
      rate: Number(one.rate),
    })),
  };
}

/** The rates without rows that say nothing. A new row has the day already. */
export function listRates({ rates }: Pick<TypedMoney, "rates">): readonly TypedRate[] {
  return rates.filter(({ currency, rate }) => currency.trim() !== "" || rate.trim() !== "");
}

function toCode(text: string): string {
  return text.trim().toUpperCase();
}

/** What is wrong with the input, at the fields as the server names them. */
export function findMoneyProblems(typed: TypedMoney): readonly FieldProblem[] {
  const { currency, creditPrice } = typed;
  const found: FieldProblem[] = [];
  const add = (path: string, message: string) => void found.push({ path: `money.${path}`, message });
  if (currency.trim() !== "" && !isCode(currency)) add("currency", t("settings.enter-a-currency-code"));
  if (creditPrice.trim() !== "" && !(Number(creditPrice) >= 0))
    add("creditPrice", t("settings.enter-a-price"));
  const seen = new Set<string>();
  for (const [index, rate] of listRates(typed).entries()) {
    const at = `rates[${index}]`;
    const key = `${toCode(rate.currency)} ${rate.from}`;
    if (!isCode(rate.currency)) add(`${at}.currency`, t("settings.enter-a-currency-code"));
    else if (seen.has(key)) add(`${at}.from`, t("settings.one-rate-per-day"));
    if (rate.from === "") add(`${at}.from`, t("settings.choose-a-day"));
    if (!(Number(rate.rate) > 0)) add(`${at}.rate`, t("settings.enter-a-rate"));
    seen.add(key);
  }
  return found;
}

function isCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(toCode(text));
}

import { toFieldProblem, type FieldProblem } from "../../../base/field-codes.ts";
import type { TenantId } from "../../../platform/platform.ts";
import type { ReportMoney } from "../../../settings/tenant-settings.ts";
import { readReportCurrency } from "../../parts/shop-money.ts";
import type { LocalParts } from "../../parts/shop-locales.ts";
import { toSettingsRefusal } from "./service-check.ts";
import type { SettingsChange } from "./settings-json.ts";

/**
 * How reports are to count money. What was entered in another currency has to be entered again or removed: 0.9 EUR isn't
 * 0.9 GBP, and somebody who changes the currency in a form may forget the rates below it.
 *
 * @throws {ProblemError} with each price and rate that is still in another currency.
 */
export async function toMoney(
  localeOf: LocalParts["localeOf"],
  tenant: TenantId,
  current: ReportMoney,
  change: SettingsChange["money"],
): Promise<ReportMoney> {
  if (change === undefined) return current;
  const { currency = current.currency, creditPrice = current.creditPrice, rates = current.rates } = change;
  if (creditPrice === null && rates.length === 0) return { currency, creditPrice, rates, enteredIn: null };
  const enteredIn = await readReportCurrency(localeOf, tenant, currency);
  if (enteredIn === null) throw toSettingsRefusal([CURRENCY_UNKNOWN]);
  const left = findLeft(current, { creditPrice, rates }, enteredIn);
  if (left.length > 0) throw toSettingsRefusal(left);
  return { currency, creditPrice, rates, enteredIn };
}

const CURRENCY_UNKNOWN: FieldProblem = toFieldProblem("money.currency", "currency-needed");

/** The price and the rates that are left from another currency. */
function findLeft(
  saved: ReportMoney,
  next: Pick<ReportMoney, "creditPrice" | "rates">,
  enteredIn: string,
): readonly FieldProblem[] {
  const former = saved.enteredIn;
  if (former === null || former === enteredIn) return [];
  const toProblem = (path: string) =>
    toFieldProblem(path, "amount-other-currency", { currency: enteredIn, former });
  const known = new Set(saved.rates.map(toText));
  const wrong = next.rates.flatMap((rate, index) =>
    known.has(toText(rate)) ? [toProblem(`money.rates[${index}].rate`)] : [],
  );
  if (next.creditPrice === null || next.creditPrice !== saved.creditPrice) return wrong;
  return [toProblem("money.creditPrice"), ...wrong];
}

function toText({ currency, from, rate }: ReportMoney["rates"][number]): string {
  return `${currency} ${from} ${rate}`;
}

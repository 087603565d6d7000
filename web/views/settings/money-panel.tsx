import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { FieldError, TextField } from "../../components/form.tsx";
import { Loading, Notice, Panel } from "../../components/panel.tsx";
import { SaveForm } from "../../components/platform-save-bar.tsx";
import { toSentence, type FieldProblem } from "../../data/api/api.ts";
import { getSession } from "../../data/api/session.ts";
import { useLoad } from "../../data/api/use-load.ts";
import {
  findMoneyProblems,
  listRates,
  toMoneyChange,
  toTypedMoney,
  type TypedRate,
} from "../../data/settings/money.ts";
import { useSettingsForm } from "../../data/settings/settings-form.ts";
import { t } from "../../data/base/texts.ts";
import type { SettingsPartProps } from "./service-panel.tsx";

/** In which currency reports count, at which rates, and what a credit costs. */
export function MoneyPanel() {
  const load = useLoad("GET /settings");
  const [saves, setSaves] = useState(0);
  if (load.data === null) return <Loading load={load} lines={8} />;
  // A change by somebody else doesn't replace what is typed here.
  return <MoneyForm key={saves} load={load} settings={load.data} onSaved={() => setSaves(saves + 1)} />;
}

interface MoneyFormProps extends SettingsPartProps {
  readonly onSaved: () => void;
}

function MoneyForm({ load, settings: { money }, onSaved }: MoneyFormProps) {
  const { input, set, save, problems, form } = useSettingsForm(load, "money", toTypedMoney(money));
  const [found, setFound] = useState<readonly FieldProblem[]>([]);
  const errorAt = (path: string) => {
    const wrong = [...found, ...problems].find((problem) => problem.path === `money.${path}`);
    return wrong && toSentence(wrong.message);
  };
  const currency = input.currency.trim().toUpperCase() || getSession()?.currency || null;
  const { enteredIn: saved } = money;

  function submit(): void {
    const wrong = findMoneyProblems(input);
    setFound(wrong);
    // Rows that say nothing go, so that the rest is numbered as the server sees it.
    set("rates", listRates(input));
    if (wrong.length === 0) save({ money: toMoneyChange(input) }, t("settings.money-saved"), onSaved);
  }

  return (
    <Panel title={t("settings.money")} isStack>
      <SaveForm id="money-bar" saveLabel={t("settings.save-money")} onSave={submit} {...form}>
        <p class="hint">{t("settings.reports-count-in-one-currency")}</p>
        {saved !== null && currency !== null && saved !== currency && (
          <Notice tone="warn">{t("settings.money-in-another-currency", { saved, currency })}</Notice>
        )}
        <div class="money-fields">
          <TextField
            label={t("settings.currency-of-reports")}
            value={input.currency}
            placeholder={getSession()?.currency ?? undefined}
            hint={t("settings.empty-for-your-shops-own")}
            error={errorAt("currency")}
            onChange={(text) => set("currency", text)}
          />
          <TextField
            type="number"
            label={
              currency === null
                ? t("settings.price-of-a-credit")
                : t("settings.price-of-a-credit-in", { currency })
            }
            value={input.creditPrice}
            hint={t("settings.so-reports-say-what-checks-cost")}
            error={errorAt("creditPrice")}
            onChange={(text) => set("creditPrice", text)}
          />
        </div>
        <Rates
          rates={input.rates}
          currency={currency}
          errorAt={errorAt}
          onChange={(rates) => (setFound([]), set("rates", rates))}
        />
        <FieldError error={errorAt("rates")} />
      </SaveForm>
    </Panel>
  );
}

interface RatesProps {
  readonly rates: readonly TypedRate[];
  readonly currency: string | null;
  readonly errorAt: (path: string) => string | undefined;
  readonly onChange: (rates: readonly TypedRate[]) => void;
}

function Rates({ rates, currency, errorAt, onChange }: RatesProps) {
  const today = new Date().toISOString().slice(0, 10);
  return (
    <fieldset class="choice stack">
      <legend>{t("settings.exchange-rates")}</legend>
      <p class="hint">{t("settings.a-rate-applies-from-its-day")}</p>
      {rates.map((rate, index) => (
        <Rate
          key={index}
          {...{ rate, index, currency, errorAt }}
          onChange={(changes) => onChange(rates.with(index, { ...rate, ...changes }))}
          onRemove={() => onChange(rates.toSpliced(index, 1))}
        />
      ))}
      <div class="row">
        <Button
          label={t("settings.add-a-rate")}
          icon="plus"
          onClick={() => onChange([...rates, { currency: "", from: today, rate: "" }])}
        />
      </div>
    </fieldset>
  );
}

interface RateProps extends Pick<RatesProps, "currency" | "errorAt"> {
  readonly rate: TypedRate;
  readonly index: number;
  readonly onChange: (changes: Partial<TypedRate>) => void;
  readonly onRemove: () => void;
}

function Rate({ rate, index, currency, errorAt, onChange, onRemove }: RateProps) {
  const at = `rates[${index}]`;
  return (
    <div class="rate">
      <TextField
        label={t("settings.currency")}
        value={rate.currency}
        error={errorAt(`${at}.currency`)}
        onChange={(text) => onChange({ currency: text })}
      />
      <TextField
        type="number"
        label={currency === null ? t("settings.rate") : t("settings.rate-in", { currency })}
        value={rate.rate}
        placeholder="1.08"
        error={errorAt(`${at}.rate`)}
        onChange={(text) => onChange({ rate: text })}
      />
      <TextField
        type="date"
        label={t("settings.from-day")}
        value={rate.from}
        error={errorAt(`${at}.from`)}
        onChange={(text) => onChange({ from: text })}
      />
      <Button
        label={t("settings.remove-rate")}
        about={rate.currency}
        icon="cross"
        iconOnly
        onClick={onRemove}
      />
    </div>
  );
}

import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/form.tsx";
import { Notice } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { asApiError, call, toSentence } from "../../data/api/api.ts";
import type { DataOf } from "../../data/api/api-types.ts";
import { toRoleReason } from "../../data/api/session.ts";
import type { PolicyPartProps } from "../../data/policy/policy-draft.ts";
import { t } from "../../data/base/texts.ts";

type Read = DataOf<"POST /policy/fraud-filter">;

/** Lines that are shown. Whoever has more of them has another kind of file. */
const MOST_LINES = 200;

/** Adds the rules of a Fraud Filter export to the draft. */
export function FraudFilterImport(props: PolicyPartProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        label={t("imports.button")}
        small
        disabledReason={toRoleReason("owner")}
        onClick={() => setOpen(true)}
      />
      {isOpen && <ImportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function ImportDialog({ draft, policy, onClose }: PolicyPartProps & { readonly onClose: () => void }) {
  const [read, setRead] = useState<Read | null>(null);
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<string>();

  async function open(file: File | undefined): Promise<void> {
    setRead(null);
    setError(undefined);
    if (file === undefined) return;
    setReading(true);
    try {
      const { data } = await call("POST /policy/fraud-filter", { body: { csv: await file.text() } });
      setRead(data);
    } catch (thrown) {
      const problem = asApiError(thrown);
      const [field] = problem.errors;
      setError(field === undefined ? problem.message : toSentence(field.message));
    } finally {
      setReading(false);
    }
  }

  const isEmpty = read === null || read.rules.length + read.lists.length === 0;
  const add = (): void => {
    if (read === null || isEmpty) return;
    draft.update({ rules: [...policy.rules, ...read.rules], lists: [...policy.lists, ...read.lists] });
    onClose();
  };
  return (
    <Dialog
      title={t("imports.button")}
      keepsInput
      onSubmit={add}
      onClose={onClose}
      foot={
        <Button label={t("imports.add")} type="submit" look="primary" paused={isEmpty} busy={isReading} />
      }
    >
      <p>{t("imports.intro")}</p>
      <Field label={t("imports.file")} hint={t("imports.hint")} error={error}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,text/csv"
            onChange={(event) => void open(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      <div role="status">
        {isReading && <p>{t("imports.reading")}</p>}
        {read !== null && <Result read={read} isEmpty={isEmpty} />}
      </div>
      {read !== null && read.leftOut.length > 0 && <LeftOut lines={read.leftOut} />}
    </Dialog>
  );
}

function Result({ read, isEmpty }: { readonly read: Read; readonly isEmpty: boolean }) {
  const { found, imported, rules, lists } = read;
  return (
    <Notice tone={isEmpty ? "warn" : "good"}>
      <p>
        {isEmpty
          ? t("imports.nothing")
          : t("imports.result", { found, imported, rules: rules.length, addresses: lists.length })}
      </p>
    </Notice>
  );
}

function LeftOut({ lines }: { readonly lines: Read["leftOut"] }) {
  const more = lines.length - MOST_LINES;
  const title = t("imports.left-out", { count: lines.length });
  return (
    <details>
      <summary>{title}</summary>
      <Table
        caption={title}
        columns={[t("imports.line"), t("imports.rule"), t("imports.reason")]}
        region={title}
        rows={lines
          .slice(0, MOST_LINES)
          .map(({ line, name, field, problem }) => [
            `${line} ${name}`,
            String(line),
            name,
            `${field}: ${REASONS[problem]}`,
          ])}
      />
      {more > 0 && <p class="hint">{t("imports.more", { count: more })}</p>}
    </details>
  );
}

const REASONS: Readonly<Record<Read["leftOut"][number]["problem"], string>> = {
  "no-condition": t("imports.no-condition"),
  "no-currency": t("imports.no-currency"),
  "no-operator": t("imports.no-operator"),
  "no-value": t("imports.no-value"),
  "invalid-value": t("imports.invalid-value"),
  "unknown-action": t("imports.unknown-action"),
  "only-blocks": t("imports.only-blocks"),
  "shared-address": t("imports.shared-address"),
  "two-parts": t("imports.two-parts"),
  "two-actions": t("imports.two-actions"),
  "list-full": t("imports.list-full"),
  "too-many-rules": t("imports.too-many-rules"),
};

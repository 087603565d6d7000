import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Loading, Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import type { PolicyPartProps } from "../../data/policy/policy-draft.ts";
import { hasProblem } from "../../data/api/field-problems.ts";
import { useLoad } from "../../data/api/use-load.ts";
import {
  areSameModels,
  type LocalModel,
  toModelBasis,
  toModelRows,
  toModelState,
} from "../../data/policy/model.ts";
import { t } from "../../data/base/texts.ts";

/** The shop's own model for the local engine. A person can take it into the draft if it is offered. */
export function ModelPanel({ draft, policy }: PolicyPartProps) {
  const [isOpen, setOpen] = useState(false);
  const { localModel } = policy;
  const set = (next: LocalModel | undefined) => draft.update({ localModel: next });
  return (
    <Panel title={t("model.title")} lead={t("model.lead")} isStack>
      <p>{toModelState(localModel)}</p>
      {hasProblem(draft.problems, "localModel") && <p class="error">{t("model.beside-first")}</p>}
      <div class="row">
        <Button label={t("model.suggestion")} small expanded={isOpen} onClick={() => setOpen(!isOpen)} />
        <Button
          label={t("model.off")}
          small
          disabledReason={localModel === undefined ? t("model.none") : undefined}
          onClick={() => set(undefined)}
        />
      </div>
      {isOpen && <Suggestion now={localModel} onUse={set} />}
    </Panel>
  );
}

interface SuggestionProps {
  readonly now: LocalModel | undefined;
  readonly onUse: (model: LocalModel) => void;
}

/** Asked for only when somebody looks: it reads a year of orders. */
function Suggestion({ now, onUse }: SuggestionProps) {
  const load = useLoad("GET /calibration/model");
  const { data } = load;
  if (data === null) return <Loading load={load} lines={4} />;
  const { model, offered } = data;
  return (
    <>
      {toModelBasis(data).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {model !== null && (
        <Table
          look="level-table outcomes"
          caption={t("model.caption")}
          columns={[t("model.feature"), [t("model.points"), "number"]]}
          rows={toModelRows(data).map(({ feature, title, points }) => [feature, title, points])}
        />
      )}
      {model !== null && offered && (
        <div class="row">
          <Button
            label={t("model.use")}
            small
            disabledReason={areSameModels(now, model) ? toModelState(now) : undefined}
            onClick={() => onUse(model)}
          />
        </div>
      )}
    </>
  );
}

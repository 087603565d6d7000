import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Loading, Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import type { PolicyPartProps } from "../../data/policy/policy-draft.ts";
import { hasProblem } from "../../data/api/field-problems.ts";
import { useLoad } from "../../data/api/use-load.ts";
import {
  areSameWeights,
  type LocalWeights,
  toSuggested,
  toWeightBasis,
  toWeightRows,
  toWeightState,
  type WeightProposal,
} from "../../data/policy/weights.ts";
import { t } from "../../data/base/texts.ts";

/**
 * The shop's own points for the local engine's signals: what its orders suggest. A person can take the suggestion into
 * the draft.
 */
export function WeightPanel({ draft, policy }: PolicyPartProps) {
  const [isOpen, setOpen] = useState(false);
  const { localWeights } = policy;
  const set = (next: LocalWeights | undefined) => draft.update({ localWeights: next });
  return (
    <Panel
      title={t("weights.local-engine-your-own-weights")}
      lead={t("weights.the-local-engine-gives-each-signal")}
      isStack
    >
      <p>{toWeightState(localWeights)}</p>
      {hasProblem(draft.problems, "localWeights") && (
        <p class="error">{t("weights.a-weight-isnt-valid-use-the")}</p>
      )}
      <div class="row">
        <Button
          label={t("weights.suggestion-from-your-orders")}
          small
          expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <Button
          label={t("weights.back-to-the-standard-weights")}
          small
          disabledReason={
            localWeights === undefined ? t("weights.you-already-use-the-standard-weights") : undefined
          }
          onClick={() => set(undefined)}
        />
      </div>
      {isOpen && <Suggestion now={localWeights} onUse={set} />}
    </Panel>
  );
}

interface SuggestionProps {
  readonly now: LocalWeights | undefined;
  readonly onUse: (weights: LocalWeights | undefined) => void;
}

/** Asked for only when somebody looks: it reads a year of orders. */
function Suggestion({ now, onUse }: SuggestionProps) {
  const load = useLoad("GET /calibration/weights");
  const { data } = load;
  if (data === null) return <Loading load={load} lines={4} />;
  const suggested = toSuggested(data);
  const isSame = areSameWeights(now, suggested);
  return (
    <>
      <p>{toWeightBasis(data)}</p>
      {data.enough && suggested === undefined && <p>{t("weights.your-orders-agree-with-the-standard")}</p>}
      {data.enough && <Rows proposal={data} now={now} />}
      {data.enough && (
        <div class="row">
          <Button
            label={t("weights.use-the-suggested-weights")}
            small
            disabledReason={isSame ? t("weights.the-policy-already-has-these-weights") : undefined}
            onClick={() => onUse(suggested)}
          />
        </div>
      )}
    </>
  );
}

function Rows({ proposal, now }: Pick<SuggestionProps, "now"> & { readonly proposal: WeightProposal }) {
  const rows = toWeightRows(proposal, now);
  if (rows.length === 0) return null;
  return (
    <Table
      look="level-table outcomes"
      caption={t("weights.points-of-signals-in-this-policy")}
      columns={[t("weights.signal"), [t("weights.now"), "number"], [t("weights.suggested"), "number"]]}
      rows={rows.map(({ code, title, now: points, standard, suggested, seen }) => [
        code,
        <>
          {title}
          <span class="sub">{seen}</span>
        </>,
        <>
          {points}
          {standard !== null && <span class="sub">{t("weights.standard", { points: standard })}</span>}
        </>,
        suggested,
      ])}
    />
  );
}

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
      title="Local engine: your own weights"
      lead="The local engine gives each signal points: above zero for fraud, below zero against it. They are the same in every shop. When enough of your orders have a known outcome, it suggests points that fit your shop, and changes each by at most half. They apply from when you save them, and only to orders that the local engine decides."
      isStack
    >
      <p>{toWeightState(localWeights)}</p>
      {hasProblem(draft.problems, "localWeights") && (
        <p class="error">A weight isn't valid. Use the suggested or the standard weights.</p>
      )}
      <div class="row">
        <Button
          label="Suggestion from your orders"
          small
          expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <Button
          label="Back to the standard weights"
          small
          disabledReason={localWeights === undefined ? "You already use the standard weights." : undefined}
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
      {data.enough && suggested === undefined && <p>Your orders agree with the standard weights.</p>}
      {data.enough && <Rows proposal={data} now={now} />}
      {data.enough && (
        <div class="row">
          <Button
            label="Use the suggested weights"
            small
            disabledReason={isSame ? "The policy already has these weights." : undefined}
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
      caption="Points of signals, in this policy and suggested"
      columns={["Signal", ["Now", "number"], ["Suggested", "number"]]}
      rows={rows.map(({ code, title, now: points, standard, suggested, seen }) => [
        code,
        <>
          {title}
          <span class="sub">{seen}</span>
        </>,
        <>
          {points}
          {standard !== null && <span class="sub">standard {standard}</span>}
        </>,
        suggested,
      ])}
    />
  );
}

import type { Policy } from "../../../src/policy/policy.ts";
import { ActionLabel, LevelBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Loading, Panel, Problem } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { showToast } from "../../data/api/messages.ts";
import type { DataOf } from "../../data/api/api-types.ts";
import { call } from "../../data/api/api.ts";
import { formatMoney } from "../../data/base/format.ts";
import { diffPolicies } from "../../data/policy/policy-diff.ts";
import { type PolicyDraft, startDraft, usePolicyDraft } from "../../data/policy/policy-draft.ts";
import { OUTCOME_WORDS } from "../../data/policy/replay.ts";
import { navigate, toPath } from "../../data/shell/route.ts";
import { isAllowed, toRoleReason } from "../../data/api/session.ts";
import { useAction } from "../../data/api/use-action.ts";
import { useLoad } from "../../data/api/use-load.ts";
import { nameActor } from "../../data/api/words.ts";
import { ChangeList } from "./change-list.tsx";
import { ReplaySummary } from "./replay-panel.tsx";

type Phantom = NonNullable<DataOf<"GET /policy/phantom">["phantom"]>;
type Differences = DataOf<"GET /policy/phantom/differences">;

/** A second policy that never acts, and where it decides differently on new orders. */
export function PhantomPolicy() {
  const draft = usePolicyDraft();
  const load = useLoad("GET /policy/phantom");
  if (load.data === null) return <Loading load={load} lines={8} />;
  const { phantom } = load.data;
  return (
    <div class="stack">
      <Panel title="Phantom policy" isStack>
        <p class="hint lead">
          A second policy that decides on the same orders but never acts. It uses the trusted and blocked
          buyers, and the snoozed rules, of the policy in use.
        </p>
        {phantom === null ? (
          <p>No phantom policy is saved. Change the policy in the form, then save that draft here.</p>
        ) : (
          <Saved phantom={phantom} live={draft.load.data} />
        )}
        <Acts phantom={phantom} draft={draft} onDone={load.reload} />
      </Panel>
      {phantom !== null && isAllowed("reviewer") && <DifferencesPanel key={phantom.savedAt} />}
    </div>
  );
}

function Saved({ phantom, live }: { readonly phantom: Phantom; readonly live: Policy | null }) {
  const policy = phantom.policy as Policy;
  return (
    <>
      <p>
        Saved <Time at={phantom.savedAt} /> by {nameActor(phantom.actor)}.
      </p>
      {live !== null && <ChangeList changes={diffPolicies(live, { ...policy, lists: live.lists })} />}
    </>
  );
}

interface ActsProps {
  readonly phantom: Phantom | null;
  readonly draft: PolicyDraft;
  readonly onDone: () => void;
}

function Acts({ phantom, draft, onDone }: ActsProps) {
  const { busy, problem, run } = useAction();
  const { policy, isChanged, load } = draft;
  const live = load.data;
  const disabledReason = toRoleReason("owner");
  const noDraft = isChanged ? undefined : "Change the policy in the form first.";
  const unsaved = isChanged ? "Save or discard your draft first." : undefined;

  const carryOut = (act: () => Promise<unknown>, done: string): void =>
    run(async () => {
      await act();
      showToast(done);
      onDone();
    });

  return (
    <>
      <Problem error={problem} />
      <div class="row">
        <Button
          label={phantom === null ? "Save draft as phantom" : "Replace with draft"}
          busy={busy}
          disabledReason={disabledReason ?? noDraft}
          onClick={() =>
            carryOut(async () => {
              if (policy !== null) await call("PUT /policy/phantom", { body: policy });
            }, "Phantom policy saved.")
          }
        />
        {phantom !== null && (
          <>
            {live !== null && (
              <Button
                label="Open in the form"
                disabledReason={disabledReason ?? unsaved}
                onClick={() => {
                  startDraft({ ...(phantom.policy as Policy), lists: live.lists }, load.etag);
                  navigate({ view: "policy" });
                }}
              />
            )}
            <Button
              label="Remove"
              busy={busy}
              disabledReason={disabledReason}
              onClick={() => carryOut(() => call("DELETE /policy/phantom", {}), "Phantom policy removed.")}
            />
          </>
        )}
      </div>
    </>
  );
}

function DifferencesPanel() {
  const load = useLoad("GET /policy/phantom/differences");
  const { data, reload } = load;
  return (
    <Panel
      title="On new orders"
      aside={<Button label="Refresh" small icon="refresh" onClick={reload} />}
      lead="Orders received since it was saved. Before: the policy in use. After: the phantom policy."
      isStack
    >
      {(data === null || load.error !== null) && <Loading load={load} lines={8} label="Comparing" />}
      {data !== null && (
        <>
          <ReplaySummary replay={data} />
          <DifferenceTable examples={data.examples} />
        </>
      )}
    </Panel>
  );
}

function DifferenceTable({ examples }: Pick<Differences, "examples">) {
  if (examples.length === 0) return null;
  return (
    <Table
      look="report-table differences"
      caption="Orders that the phantom policy would decide differently, highest value first"
      columns={["Order", ["Amount", "number"], "Risk", "In use", "Phantom", "Why"]}
      isCards
      rows={examples.map(({ orderId, name, amount, currency, riskLevel, from, to, rule, outcome }) => [
        orderId,
        <a href={toPath({ view: "orders", id: orderId })}>{name}</a>,
        formatMoney(amount, currency),
        <LevelBadge level={riskLevel} />,
        <ActionLabel action={from} />,
        <ActionLabel action={to} />,
        <>
          {rule === null ? "Risk level" : `Rule “${rule}”`}
          <span class="sub">{OUTCOME_WORDS[outcome] ?? outcome}</span>
        </>,
      ])}
    />
  );
}

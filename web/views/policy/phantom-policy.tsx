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
import { rich, t } from "../../data/base/texts.ts";

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
      <Panel title={t("policy.phantom-policy")} isStack>
        <p class="hint lead">{t("policy.a-second-policy-that-decides-on")}</p>
        {phantom === null ? (
          <p>{t("policy.no-phantom-policy-is-saved-change")}</p>
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
        {rich("policy.saved-by", { time: <Time at={phantom.savedAt} />, name: nameActor(phantom.actor) })}
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
  const noDraft = isChanged ? undefined : t("policy.change-the-policy-in-the-form");
  const unsaved = isChanged ? t("policy.save-or-discard-your-draft-first") : undefined;

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
          label={phantom === null ? t("policy.save-draft-as-phantom") : t("policy.replace-with-draft")}
          busy={busy}
          disabledReason={disabledReason ?? noDraft}
          onClick={() =>
            carryOut(async () => {
              if (policy !== null) await call("PUT /policy/phantom", { body: policy });
            }, t("policy.phantom-policy-saved"))
          }
        />
        {phantom !== null && (
          <>
            {live !== null && (
              <Button
                label={t("policy.open-in-the-form")}
                disabledReason={disabledReason ?? unsaved}
                onClick={() => {
                  startDraft({ ...(phantom.policy as Policy), lists: live.lists }, load.etag);
                  navigate({ view: "policy" });
                }}
              />
            )}
            <Button
              label={t("policy.remove")}
              busy={busy}
              disabledReason={disabledReason}
              onClick={() =>
                carryOut(() => call("DELETE /policy/phantom", {}), t("policy.phantom-policy-removed"))
              }
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
      title={t("policy.on-new-orders")}
      aside={<Button label={t("policy.refresh")} small icon="refresh" onClick={reload} />}
      lead={t("policy.orders-received-since-it-was-saved")}
      isStack
    >
      {(data === null || load.error !== null) && (
        <Loading load={load} lines={8} label={t("policy.comparing")} />
      )}
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
      caption={t("policy.orders-that-the-phantom-policy-would")}
      columns={[
        t("policy.order"),
        [t("policy.amount"), "number"],
        t("policy.risk"),
        t("policy.in-use"),
        t("policy.phantom"),
        t("policy.why"),
      ]}
      isCards
      rows={examples.map(({ orderId, name, amount, currency, riskLevel, from, to, rule, outcome }) => [
        orderId,
        <a href={toPath({ view: "orders", id: orderId })}>{name}</a>,
        formatMoney(amount, currency),
        <LevelBadge level={riskLevel} />,
        <ActionLabel action={from} />,
        <ActionLabel action={to} />,
        <>
          {rule === null ? t("policy.risk-level") : t("policy.rule-named", { rule })}
          <span class="sub">{OUTCOME_WORDS[outcome] ?? outcome}</span>
        </>,
      ])}
    />
  );
}

import { useEffect, useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { Loading, Notice, Problem, Skeleton } from "../../components/panel.tsx";
import { PlatformSaveBar } from "../../components/platform-save-bar.tsx";
import { asApiError, call, isAborted } from "../../data/api/api.ts";
import { formatList, formatWorth, joinSentences } from "../../data/base/format.ts";
import { diffPolicies, type PolicyChange, findSofter } from "../../data/policy/policy-diff.ts";
import { type PolicyDraft, usePolicyDraft } from "../../data/policy/policy-draft.ts";
import { toReplayBrief, toReplaySentence, toLostCancels, toNewCancels } from "../../data/policy/replay.ts";
import { useNarrow } from "../../data/base/narrow.ts";
import { setQuery, useRoute } from "../../data/shell/route.ts";
import { isAllowed, isEmbedded, toRoleReason } from "../../data/api/session.ts";
import { useAction } from "../../data/api/use-action.ts";
import { type ReplayState, useReplay } from "../../data/policy/use-replay.ts";
import { toRuleLike } from "../../data/policy/rule-from-order.ts";
import { PolicyForm } from "./policy-form.tsx";
import { ReplayPanel, ReviewsADay } from "./replay-panel.tsx";
import { showToast } from "../../data/api/messages.ts";
import { ChangeList } from "./change-list.tsx";
import { rich, t } from "../../data/base/texts.ts";

const REPLAY_DAYS = 90;

interface Edit {
  readonly draft: PolicyDraft;
  readonly policy: Policy;
  readonly changes: readonly PolicyChange[];
  readonly replay: ReplayState;
  readonly days: number;
}

export function PolicyEditor() {
  const draft = usePolicyDraft();
  const { load, policy, isChanged } = draft;
  const days = Number(useRoute().query["replay"] ?? REPLAY_DAYS);
  const tried = isAllowed("reviewer") && !draft.isUnfinished ? policy : null;
  const replay = useReplay(tried, days, isChanged, draft.setProblems);
  const [isSaving, setSaving] = useState(false);
  useWantedMode(draft);
  useWantedRule(draft);
  if (policy === null) return <Loading load={load} lines={16} />;
  const edit: Edit = {
    draft,
    policy,
    changes: load.data === null ? [] : diffPolicies(load.data, policy),
    replay,
    days,
  };
  return (
    <>
      {draft.isBehind && <Behind draft={draft} />}
      <div class="columns policy stack">
        <fieldset class="stack" disabled={!isAllowed("owner")}>
          <legend class="unseen">{t("policy.the-policy")}</legend>
          <PolicyForm draft={draft} policy={policy} />
        </fieldset>
        <ReplayPanel
          {...{ replay, isChanged, days }}
          isUnfinished={draft.isUnfinished}
          onDays={(next) => setQuery({ replay: next === String(REPLAY_DAYS) ? "" : next }, { replace: true })}
        />
      </div>
      <SaveBar {...edit} onSave={() => setSaving(true)} />
      {isSaving && <SaveDialog {...edit} onClose={() => setSaving(false)} />}
    </>
  );
}

/** `/policy?mode=active`: a link to switch the mode. It changes the draft, which a person then reviews and saves. */
function useWantedMode({ policy, update }: PolicyDraft): void {
  const wanted = useRoute().query["mode"];
  useEffect(() => {
    if (policy === null || wanted === undefined) return;
    setQuery({ mode: "" }, { replace: true });
    if (wanted !== policy.mode && wanted === "active" && isAllowed("owner")) update({ mode: wanted });
  }, [wanted, policy === null]);
}

/** `/policy?like=ORDER`: a link that adds a rule for orders like one, and opens it. */
function useWantedRule({ policy, update }: PolicyDraft): void {
  const orderId = useRoute().query["like"];
  useEffect(() => {
    if (policy === null || orderId === undefined || !isAllowed("owner")) return undefined;
    const stop = new AbortController();
    const add = async () => {
      const { data } = await call("GET /orders/:orderId", { params: { orderId }, signal: stop.signal });
      const { rules } = policy;
      update({
        rules: [
          ...rules,
          toRuleLike(
            data,
            rules.map(({ name }) => name),
          ),
        ],
      });
      setQuery({ like: "", rule: String(rules.length) }, { replace: true });
    };
    add().catch((error: unknown) => {
      if (isAborted(error)) return;
      setQuery({ like: "" }, { replace: true });
      showToast(asApiError(error).message, "bad");
    });
    return () => stop.abort();
  }, [orderId, policy === null]);
}

function Behind({ draft }: { readonly draft: PolicyDraft }) {
  return (
    <Notice tone="warn">
      <p>{rich("policy.behind", { strong: (text) => <strong>{text}</strong> })}</p>
      <div class="row below">
        <Button label={t("policy.keep-my-draft")} small onClick={draft.catchUp} />
        <Button label={t("policy.use-their-version")} small onClick={draft.discard} />
      </div>
    </Notice>
  );
}

/** What the draft would have changed. A phone has one line for it, above the buttons: the replay is far below. */
function toBrief({ data, loading, isStale, error }: ReplayState, isNarrow: boolean): string {
  if (loading) return t("policy.replaying");
  if (error !== null || data === null || isStale) return "";
  return isNarrow ? toReplayBrief(data) : toReplaySentence(data);
}

/** Always there, so that nothing moves when something is changed. Discarding asks first: a draft may be an hour's work. */
function SaveBar({ draft, changes, replay, onSave }: Edit & { readonly onSave: () => void }) {
  const { isChanged, isBehind, problems } = draft;
  const [isAsking, setAsking] = useState(false);
  const isNarrow = useNarrow();
  const invalid = problems.length > 0 ? t("policy.to-fix", { count: problems.length }) : undefined;
  const idle = toRoleReason("owner") ?? (isChanged ? undefined : t("policy.no-changes-to-save"));
  const behind = isBehind ? t("policy.choose-whether-to-keep-your-draft") : undefined;
  const disabledReason = idle ?? behind ?? invalid;
  const saveLabel = t("policy.review-and-save");
  const onDiscard = () => setAsking(true);
  return (
    <div class="save-bar row between">
      <p role="status">
        {isChanged ? (
          <>
            <strong class={invalid && "bad"}>
              {invalid ?? t("policy.changes", { count: changes.length })}
            </strong>
            <span class="soft replay-brief">{toBrief(replay, isNarrow)}</span>
          </>
        ) : (
          <span>{t("policy.no-changes")}</span>
        )}
      </p>
      <PlatformSaveBar id="policy-bar" {...{ isChanged, saveLabel, disabledReason, onSave, onDiscard }} />
      {!isEmbedded && (
        <div class="line">
          <Button label={t("policy.discard")} onClick={onDiscard} disabledReason={idle} />
          <Button label={saveLabel} look="primary" onClick={onSave} disabledReason={disabledReason} />
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t("policy.discard-your-draft")}
          confirm={t("policy.discard")}
          danger
          onConfirm={() => (draft.discard(), setAsking(false))}
          onClose={() => setAsking(false)}
        >
          <p>{t("policy.the-saved-policy-stays-as-it")}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Shows the changes and their effect once more before the policy is saved. */
function SaveDialog({ onClose, ...edit }: Edit & { readonly onClose: () => void }) {
  const { changes, replay, policy, draft } = edit;
  const { busy, problem, run } = useAction((error) => {
    const { status, errors } = asApiError(error);
    draft.setProblems(errors);
    if (status !== 412) return;
    draft.load.reload();
    showToast(t("policy.someone-else-changed-the-policy-your"), "bad");
    onClose();
    scrollTo(0, 0);
  });
  const current = replay.isStale ? null : replay.data;
  const cancels = current === null ? 0 : toNewCancels(current).orders;
  const isWaiting = current === null && replay.error === null;

  async function save(): Promise<void> {
    await draft.save();
    showToast(t("policy.policy-saved"));
    onClose();
  }

  const isDangerous = cancels > 0 && policy.mode === "active";
  return (
    <Dialog
      title={t("policy.save-this-policy")}
      onClose={onClose}
      onSubmit={() => {
        if (!isWaiting) run(save);
      }}
      foot={
        <>
          <Button label={t("policy.keep-editing")} focusFirst={isDangerous} onClick={onClose} />
          <Button
            label={isDangerous ? t("policy.save-and-allow-cancellations") : t("policy.save")}
            look={isDangerous ? "danger" : "primary"}
            type="submit"
            busy={busy}
            focusFirst={!isDangerous}
            disabledReason={isWaiting ? t("policy.wait-for-the-replay-to-finish") : undefined}
          />
        </>
      }
    >
      <Problem error={problem} />
      <ModeNotice {...edit} />
      <SofterNotice {...edit} />
      <section class="stack gap-2">
        <h3>{t("policy.changes", { count: changes.length })}</h3>
        <ChangeList changes={changes} />
      </section>
      <section class="stack gap-2">
        <h3>{t("policy.over-days", { days: edit.days })}</h3>
        <ReplayWords replay={replay} />
      </section>
    </Dialog>
  );
}

function ModeNotice({ policy, draft }: Edit) {
  const before = draft.load.data;
  if (before === null || before.mode === policy.mode) return null;
  return policy.mode === "active" ? (
    <Notice tone="warn">{rich("policy.starts", { strong: (text) => <strong>{text}</strong> })}</Notice>
  ) : (
    <Notice tone="warn">{rich("policy.stops", { strong: (text) => <strong>{text}</strong> })}</Notice>
  );
}

/** A removed cancel is easily overlooked: those orders ship unless a person stops them. */
function SofterNotice({ policy, draft, replay }: Edit) {
  const before = draft.load.data;
  const softer = before === null ? [] : findSofter(before, policy);
  const lost = replay.data === null || replay.isStale ? null : toLostCancels(replay.data);
  if (softer.length === 0 && (lost?.orders ?? 0) === 0) return null;
  return (
    <Notice tone="warn">
      <strong>{t("policy.cancels-less")}</strong>{" "}
      {joinSentences([
        softer.length > 0 && t("policy.no-longer-canceled", { what: formatList(softer) }),
        lost !== null && lost.orders > 0 && t("policy.lost", { orders: formatWorth(lost) }),
      ])}
    </Notice>
  );
}

function ReplayWords({ replay }: Pick<Edit, "replay">) {
  const { data, error, isStale } = replay;
  if (error !== null) {
    return <Notice tone="warn">{t("policy.without-replay", { why: error.message })}</Notice>;
  }
  if (data === null || isStale) return <Skeleton lines={2} label={t("policy.replaying-2")} />;
  const cancels = toNewCancels(data);
  return (
    <>
      <p>{toReplaySentence(data)}</p>
      <ReviewsADay replay={data} />
      {cancels.orders > 0 && (
        <Notice tone="bad">
          {rich("policy.new-cancels", {
            strong: (text) => <strong>{text}</strong>,
            orders: formatWorth(cancels),
          })}
        </Notice>
      )}
      {data.unknown > 0 && <p class="hint">{t("policy.not-replayed", { count: data.unknown })}</p>}
    </>
  );
}

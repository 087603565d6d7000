import { useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/form.tsx";
import { Loading } from "../../components/panel.tsx";
import { showFailure, showToast } from "../../data/api/messages.ts";
import { call } from "../../data/api/api.ts";
import { useSavedPolicy } from "../../data/policy/policy-draft.ts";
import { toPath } from "../../data/shell/route.ts";
import { toRoleReason } from "../../data/api/session.ts";
import { useAction } from "../../data/api/use-action.ts";
import { t } from "../../data/base/texts.ts";

/** What Holdfast may do automatically. */
type Start = "watch" | "hold" | "cancel";

const STARTS: readonly (readonly [Start, string, string])[] = [
  ["watch", t("setup.watch-only-recommended"), t("setup.holdfast-records-decisions-without-changing-orders")],
  ["hold", t("setup.hold-orders"), t("setup.holdfast-tags-and-holds-risky-orders")],
  ["cancel", t("setup.hold-and-cancel-orders"), t("setup.critical-orders-are-canceled-right-away")],
];

const SAVED: Readonly<Record<Start, string>> = {
  watch: t("setup.holdfast-only-watches-your-orders"),
  hold: t("setup.holdfast-holds-risky-orders-and-cancels"),
  cancel: t("setup.holdfast-holds-risky-orders-and-cancels-critical"),
};

export function ModeStep({ onChange }: { readonly onChange: () => void }) {
  const load = useSavedPolicy();
  const { data, etag, reload, replace } = load;
  const [chosen, setChosen] = useState<Start | null>(null);
  const { busy, run } = useAction((failed) => {
    showFailure(failed);
    reload();
  });
  if (data === null) return <Loading load={load} lines={5} />;
  // Until a policy is saved, the recommended option is selected.
  const start = chosen ?? (etag === '"0"' ? "watch" : toStart(data));

  async function save(policy: Policy): Promise<void> {
    const answer = await call("PUT /policy", { body: startWith(policy, start), ifMatch: etag });
    replace(answer.data, answer.etag);
    showToast(SAVED[start]);
    onChange();
  }

  return (
    <fieldset class="stack" disabled={toRoleReason("owner") !== undefined}>
      <legend class="unseen">{t("setup.what-holdfast-does")}</legend>
      <Choice
        label={t("setup.what-holdfast-does")}
        hideLabel
        value={start}
        onChange={setChosen}
        options={STARTS}
      />
      <div class="row">
        <Button
          label={t("setup.save")}
          look="primary"
          busy={busy}
          disabledReason={toRoleReason("owner")}
          onClick={() => run(() => save(data))}
        />
        <a href={toPath({ view: "policy" })}>{t("setup.view-policy")}</a>
      </div>
    </fieldset>
  );
}

function toStart({ mode, levels }: Policy): Start {
  if (mode === "shadow") return "watch";
  return Object.values(levels).some(({ action }) => action === "cancel") ? "cancel" : "hold";
}

function startWith(policy: Policy, start: Start): Policy {
  if (start === "watch") return { ...policy, mode: "shadow" };
  const { low, medium, high, critical } = policy.levels;
  const levels =
    start === "cancel"
      ? { low, medium, high, critical: { ...critical, action: "cancel" as const } }
      : { low: held(low), medium: held(medium), high: held(high), critical: held(critical) };
  return { ...policy, mode: "active", levels };
}

function held(level: Policy["levels"]["low"]): Policy["levels"]["low"] {
  return level.action === "cancel" ? { ...level, action: "hold" } : level;
}

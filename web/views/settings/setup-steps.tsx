import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { ActionButton } from "../../components/action-button.tsx";
import { Button, Icon } from "../../components/button.tsx";
import { Loading, Notice, Page, Panel } from "../../components/panel.tsx";
import { toSentence } from "../../data/api/api.ts";
import { type Said, translate } from "../../data/api/problem-words.ts";
import { navigate } from "../../data/shell/route.ts";
import { findBridge, isAllowed, isEmbedded, toRoleReason } from "../../data/api/session.ts";
import {
  type Setup,
  type SetupStep,
  countLeft,
  isFirstRun,
  sortFindings,
} from "../../data/settings/settings.ts";
import { useLoad } from "../../data/api/use-load.ts";
import { ModeStep } from "./mode-step.tsx";
import { SandboxOrder } from "./sandbox-order.tsx";
import { KeyForm } from "./service-panel.tsx";
import { t } from "../../data/base/texts.ts";

const TITLES: Readonly<Record<SetupStep["id"], string>> = {
  service: t("setup.connect-the-verification-service"),
  mode: t("setup.choose-what-holdfast-does"),
  platform: t("setup.give-holdfast-access-to-the-platform"),
  "first-order": t("setup.check-your-first-order"),
};

const sayFinding = (said: Said): string => toSentence(translate("findings", said));
const sayDetail = ({ detail: text, code, params }: SetupStep): string => sayFinding({ text, code, params });

interface SetupStepsProps {
  /** Whether the steps are part of the settings view, below its heading. */
  readonly isPart?: boolean;
  readonly news?: ComponentChildren;
}

export function SetupSteps({ isPart, news }: SetupStepsProps) {
  const load = useLoad("GET /setup");
  const { data, reload } = load;
  // Load the steps' data before rendering them, so that they don't grow.
  const parts = [useLoad("GET /policy"), useLoad(isAllowed("owner") ? "GET /settings" : null)];
  const isLoading = parts.some((part) => part.data === null && part.loading);
  const left = data === null ? 0 : countLeft(data);
  const body =
    data === null || isLoading ? (
      <Loading load={load} lines={16} />
    ) : (
      <div class="setup stack">
        <Notice tone={left === 0 ? "good" : "info"}>
          {left === 0
            ? t("setup.setup-complete-holdfast-checks-orders-as")
            : t("setup.steps-left", { count: left })}
        </Notice>
        <ol class="stack">
          {data.steps.map((step, index) => (
            <Step key={step.id} step={step} number={index + 1} setup={data} onChange={reload} />
          ))}
          {isEmbedded && <PinStep number={data.steps.length + 1} />}
        </ol>
      </div>
    );
  if (isPart === true) return body;
  return (
    <Page
      title={t("setup.welcome-to-holdfast")}
      aside={<Button label={t("setup.all-settings")} onClick={() => navigate({ view: "settings" })} />}
    >
      {news}
      {body}
    </Page>
  );
}

/** Nobody but the admin knows whether a person pinned the block, so this step never counts as done or to do. */
function PinStep({ number }: { readonly number: number }) {
  return (
    <StepFrame title={t("setup.pin-holdfast-to-your-order-pages")} number={number}>
      <p>{t("setup.open-any-order-in-your-admin")}</p>
      <p class="hint">{t("setup.to-approve-decline-or-recheck-choose")}</p>
    </StepFrame>
  );
}

interface StepFrameProps {
  readonly title: string;
  readonly number: number;
  /** Undefined if unknown. */
  readonly isDone?: boolean;
  readonly lead?: string | undefined;
  readonly children: ComponentChildren;
}

function StepFrame({ title, number, isDone, lead, children }: StepFrameProps) {
  return (
    <li class="step stack gap-3" data-done={isDone}>
      <span class="step-mark digits">
        {isDone ? <Icon name="check" /> : number}
        {isDone !== undefined && <span class="unseen">{isDone ? t("setup.done") : t("setup.to-do")}</span>}
      </span>
      <Panel title={title} lead={lead} isStack>
        {children}
      </Panel>
    </li>
  );
}

type StepProps = { readonly step: SetupStep; readonly setup: Setup; readonly onChange: () => void };

function Step({ number, ...props }: StepProps & { readonly number: number }) {
  const { id, done } = props.step;
  const body = {
    service: <ServiceStep {...props} />,
    mode: <ModeStep {...props} />,
    platform: <Findings {...props} />,
    "first-order": <SandboxOrder {...props} />,
  }[id];
  return (
    <StepFrame
      title={TITLES[id]}
      number={number}
      isDone={done}
      lead={id === "platform" ? undefined : sayDetail(props.step)}
    >
      {done && id !== "first-order" && id !== "platform" ? (
        <details class="as-table">
          <summary>{t("setup.change")}</summary>
          <div class="step-body">{body}</div>
        </details>
      ) : (
        body
      )}
    </StepFrame>
  );
}

function ServiceStep({ onChange }: StepProps) {
  const reason = toRoleReason("owner");
  const load = useLoad(reason === undefined ? "GET /settings" : null);
  if (reason !== undefined) return <p class="hint">{reason}</p>;
  if (load.data === null) return <Loading load={load} lines={5} />;
  return <KeyForm part="service" load={load} settings={load.data} isSetup onSaved={onChange} />;
}

const FINDING_ICONS = { ok: "check", warning: "warning", problem: "warning", skipped: "info" } as const;
const FINDING_WORDS = {
  ok: t("setup.fine"),
  warning: t("setup.warning"),
  problem: t("setup.problem"),
  skipped: t("setup.not-checked"),
} as const;
const PERSONAL_WORDS = {
  granted: t("setup.the-platform-shares-the-personal-data"),
  withheld: t("setup.the-platform-doesnt-share-personal-data"),
  unknown: t("setup.access-to-personal-data-isnt-known"),
} as const;

function Findings({ step, setup, onChange }: StepProps) {
  const { findings, scopes, personalData } = setup;
  if (findings.length === 0) return <p class="hint">{sayDetail(step)}</p>;
  return (
    <div class="stack">
      <ul class="findings stack gap-2">
        {sortFindings(findings).map(({ id, status, found, advice, code, params, requests }) => (
          <li key={id} data-status={status}>
            <Icon name={FINDING_ICONS[status]} />
            <div>
              <span class="unseen">{FINDING_WORDS[status]}: </span>
              {sayFinding({ text: found, code, params })}
              {advice !== null && (
                <span class="strong">
                  {" "}
                  {sayFinding({ text: advice, code: code && `${code}.advice`, params })}
                </span>
              )}
              {requests.length > 0 && <PermissionRequest requests={requests} onChange={onChange} />}
            </div>
          </li>
        ))}
      </ul>
      <p class="hint">{PERSONAL_WORDS[personalData]}</p>
      {scopes !== null && (
        <details class="as-table">
          <summary>{t("setup.granted", { count: scopes.length })}</summary>
          <ul class="scopes wrap below">
            {scopes.map((scope) => (
              <li key={scope} class="mono">
                {scope}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div class="row">
        <Button label={t("setup.check-again")} small icon="refresh" onClick={onChange} />
      </div>
    </div>
  );
}

type PermissionRequestProps = { readonly requests: readonly string[]; readonly onChange: () => void };

/** Asks for an optional permission, in the step that explains it. Only the platform's page can ask. */
function PermissionRequest({ requests, onChange }: PermissionRequestProps) {
  const scopes = findBridge()?.scopes;
  if (scopes === undefined) return <p class="hint">{t("setup.open-holdfast-in-the-platforms-admin")}</p>;
  const ask = () => scopes.request(requests).then(onChange);
  return <ActionButton label={t("setup.allow")} small disabledReason={toRoleReason("owner")} onAct={ask} />;
}

interface FirstRunProps {
  readonly isEmpty: boolean;
  /** The address opens something in the view, so it's shown regardless of the setup. */
  readonly isOpened?: boolean;
  readonly children: ComponentChildren;
}

/** Shows the steps to a working installation instead of a view that is empty because nothing was ever decided here. */
export function FirstRun({ isEmpty, isOpened = false, children }: FirstRunProps) {
  const setup = useLoad(isEmpty ? "GET /setup" : null);
  const [isOver, setOver] = useState(false);
  // Once shown, the steps stay, even after somebody creates a sandbox order here. A customer's order must show, though.
  const isShown = useRef(false);
  if (isEmpty && isFirstRun(setup.data)) isShown.current = true;
  if (!isShown.current || isOver || isOpened) return <>{children}</>;
  const news = !isEmpty && (
    <Notice tone="good">
      <p>{t("setup.your-first-orders-have-arrived")}</p>
      <Button label={t("setup.show-orders")} small onClick={() => setOver(true)} />
    </Notice>
  );
  return <SetupSteps news={news} />;
}

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { ActionButton } from "../../components/action-button.tsx";
import { Button, Icon } from "../../components/button.tsx";
import { Loading, Notice, Page, Panel } from "../../components/panel.tsx";
import { toSentence } from "../../data/api/api.ts";
import { formatPlural } from "../../data/base/format.ts";
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

const TITLES: Readonly<Record<SetupStep["id"], string>> = {
  service: "Connect the verification service",
  mode: "Choose what Holdfast does",
  platform: "Give Holdfast access to the platform",
  "first-order": "Check your first order",
};

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
            ? "Setup complete. Holdfast checks orders as they come in."
            : `${formatPlural(left, "step")} left. Holdfast already checks your orders.`}
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
      title="Welcome to Holdfast"
      aside={<Button label="All settings" onClick={() => navigate({ view: "settings" })} />}
    >
      {news}
      {body}
    </Page>
  );
}

/** Nobody but the admin knows whether a person pinned the block, so this step never counts as done or to do. */
function PinStep({ number }: { readonly number: number }) {
  return (
    <StepFrame title="Pin Holdfast to your order pages" number={number}>
      <p>
        Open any order in your admin, add the Holdfast block to the page, and pin it. Each order then shows
        its risk, the decision, and the reasons.
      </p>
      <p class="hint">
        To approve, decline, or recheck, choose “Review in Holdfast” under “More actions” on an order. In the
        list of orders, select some first.
      </p>
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
        {isDone !== undefined && <span class="unseen">{isDone ? "done" : "to do"}</span>}
      </span>
      <Panel title={title} lead={lead} isStack>
        {children}
      </Panel>
    </li>
  );
}

type StepProps = { readonly step: SetupStep; readonly setup: Setup; readonly onChange: () => void };

function Step({ number, ...props }: StepProps & { readonly number: number }) {
  const { id, done, detail } = props.step;
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
      lead={id === "platform" ? undefined : toSentence(detail)}
    >
      {done && id !== "first-order" && id !== "platform" ? (
        <details class="as-table">
          <summary>Change</summary>
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
const FINDING_WORDS = { ok: "fine", warning: "warning", problem: "problem", skipped: "not checked" } as const;
const PERSONAL_WORDS = {
  granted: "The platform shares the personal data that checks need.",
  withheld:
    "The platform doesn't share personal data, so checks are less accurate. Request access in the platform.",
  unknown: "Access to personal data isn't known yet.",
} as const;

function Findings({ step, setup, onChange }: StepProps) {
  const { findings, scopes, personalData } = setup;
  if (findings.length === 0) return <p class="hint">{toSentence(step.detail)}</p>;
  return (
    <div class="stack">
      <ul class="findings stack gap-2">
        {sortFindings(findings).map(({ id, status, found, advice, requests }) => (
          <li key={id} data-status={status}>
            <Icon name={FINDING_ICONS[status]} />
            <div>
              <span class="unseen">{FINDING_WORDS[status]}: </span>
              {toSentence(found)}
              {advice !== null && <span class="strong"> {toSentence(advice)}</span>}
              {requests.length > 0 && <PermissionRequest requests={requests} onChange={onChange} />}
            </div>
          </li>
        ))}
      </ul>
      <p class="hint">{PERSONAL_WORDS[personalData]}</p>
      {scopes !== null && (
        <details class="as-table">
          <summary>{formatPlural(scopes.length, "permission")} granted</summary>
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
        <Button label="Check again" small icon="refresh" onClick={onChange} />
      </div>
    </div>
  );
}

type PermissionRequestProps = { readonly requests: readonly string[]; readonly onChange: () => void };

/** Asks for an optional permission, in the step that explains it. Only the platform's page can ask. */
function PermissionRequest({ requests, onChange }: PermissionRequestProps) {
  const scopes = findBridge()?.scopes;
  if (scopes === undefined) return <p class="hint">Open Holdfast in the platform's admin to allow it.</p>;
  const ask = () => scopes.request(requests).then(onChange);
  return <ActionButton label="Allow" small disabledReason={toRoleReason("owner")} onAct={ask} />;
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
      <p>Your first orders have arrived.</p>
      <Button label="Show orders" small onClick={() => setOver(true)} />
    </Notice>
  );
  return <SetupSteps news={news} />;
}

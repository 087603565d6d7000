import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { explain } from "../data/api/api.ts";
import type { Load } from "../data/api/use-load.ts";
import { Button, Icon, type IconName } from "./button.tsx";
import { t } from "../data/base/texts.ts";

interface PageProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly aside?: ComponentChildren;
}

/** A view's frame, with its only first-level heading and the content beside it. */
export function Page({ title, children, aside }: PageProps) {
  return (
    <div class="page stack">
      <div class="page-head row between">
        <h1>{title}</h1>
        {aside}
      </div>
      {children}
    </div>
  );
}

interface PanelProps extends PageProps {
  /** What it is about, in a sentence or two. */
  readonly lead?: ComponentChildren;
  readonly isStack?: boolean | undefined;
}

export function Panel({ title, children, aside, lead, isStack = false }: PanelProps) {
  const id = useId();
  return (
    <section class="panel card" aria-labelledby={id}>
      <header class="row between lead">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {lead && <p class="hint lead">{lead}</p>}
      {isStack ? <div class="stack">{children}</div> : children}
    </section>
  );
}

interface DisclosureProps {
  readonly title: string;
  readonly count?: number | undefined;
  readonly children: ComponentChildren;
}

/** A collapsible section, closed at first. */
export function Disclosure({ title, count, children }: DisclosureProps) {
  return (
    <details class="panel card disclosure">
      <summary class="line">
        <Icon name="next" />
        <h2>{title}</h2>
        {count !== undefined && <span class="count">{count}</span>}
      </summary>
      <div>{children}</div>
    </details>
  );
}

/** A name and its value. A null or undefined value is left out. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Named values, in columns if there is room. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null);
  return (
    <dl class="facts stack">
      {known.map(([name, value]) => (
        <div key={name} class={isLong(value) ? "wide" : undefined}>
          <dt class="fine">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Longer than a column is wide. */
const LONG = 22;

function isLong(value: ComponentChildren): boolean {
  return typeof value === "string" && value.length > LONG && !value.includes(" ");
}

const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  info: "info",
  good: "check",
  warn: "warning",
  bad: "warning",
};
export type Tone = "info" | "good" | "warn" | "bad";

type NoticeProps = { readonly tone?: Tone; readonly children: ComponentChildren };

export function Notice({ tone = "info", children }: NoticeProps) {
  return (
    <div class="notice" data-tone={tone}>
      <Icon name={TONE_ICONS[tone]} />
      <div>{children}</div>
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly icon?: IconName;
  /** `alert`: read out at once. */
  readonly role?: "alert";
  readonly children?: ComponentChildren;
}

/** Shown if there is no content: why, and what to do. */
export function Empty({ title, icon = "info", role, children }: EmptyProps) {
  return (
    <div class="empty stack gap-2 soft" role={role}>
      <Icon name={icon} />
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <Empty title={explain(error)} icon="warning" role="alert">
      <Button label={t("components.try-again")} icon="refresh" onClick={onRetry} />
    </Empty>
  );
}

/** Why an action failed, read out at once; nothing while `error` is undefined. */
export function Problem({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  return (
    <div role="alert">
      <Notice tone="bad">{explain(error)}</Notice>
    </div>
  );
}

export function Skeleton({ lines, label = t("components.loading") }: Omit<LoadingProps, "load">) {
  return (
    <div class="skeleton stack" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="bar" />
      ))}
    </div>
  );
}

interface LoadingProps {
  readonly load: Pick<Load<unknown>, "error" | "reload">;
  readonly lines: number;
  readonly label?: string;
}

/** A placeholder while content loads, or the reason why it can't be loaded. */
export function Loading({ load: { error, reload }, ...place }: LoadingProps) {
  return error === null ? <Skeleton {...place} /> : <Failure error={error} onRetry={reload} />;
}

interface FigureProps {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** Where the number comes from. */
  readonly href?: string | undefined;
  readonly tone?: "warn" | "bad" | undefined;
}

export function Figure({ label, value, hint, href, tone }: FigureProps) {
  const Box = (href === undefined ? "div" : "a") as "a";
  return (
    <Box class="figure card stack" data-tone={tone} href={href}>
      <span class="hint">{label}</span>
      <strong class="figure-value">{value}</strong>
      {hint !== undefined && <span class="hint">{hint}</span>}
    </Box>
  );
}

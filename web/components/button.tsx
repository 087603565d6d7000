import { useId } from "preact/hooks";

export interface ButtonProps {
  readonly label: string;
  /** What it applies to, read out after the label. */
  readonly about?: string | undefined;
  readonly onClick?: (() => void) | undefined;
  /** Default `button`. */
  readonly type?: "button" | "submit";
  /** `primary`: the main action. `danger`: does harm. Default: plain. */
  readonly look?: "primary" | "danger" | "quiet" | undefined;
  readonly icon?: IconName | undefined;
  /** Only the icon shows, without a frame. */
  readonly iconOnly?: boolean | undefined;
  readonly small?: boolean | undefined;
  /** Working: shows progress and ignores presses. */
  readonly busy?: boolean | undefined;
  /** Disabled for a moment, without a reason to show. It keeps the focus. */
  readonly paused?: boolean | undefined;
  /** Why it is disabled. The button keeps the focus and shows the reason. */
  readonly disabledReason?: string | undefined;
  /** The ID of its full description, which is read out with it. */
  readonly describedBy?: string | undefined;
  /** As in `aria-keyshortcuts`. */
  readonly shortcut?: string | undefined;
  readonly title?: string | undefined;
  readonly expanded?: boolean | undefined;
  /** Has the focus when its dialog opens. */
  readonly focusFirst?: boolean | undefined;
}

/** A disabled button stays reachable and says why. */
export function Button(props: ButtonProps) {
  const { onClick, busy, paused, disabledReason, describedBy } = props;
  const id = useId();
  const isOff = busy || paused || disabledReason !== undefined;
  return (
    <button
      type={props.type ?? "button"}
      class={toClasses(props)}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      aria-describedby={disabledReason === undefined ? describedBy : id}
      aria-keyshortcuts={props.shortcut}
      aria-expanded={props.expanded}
      data-focus={props.focusFirst ? "first" : undefined}
      title={disabledReason ?? props.title}
      onClick={(event) => {
        if (isOff) return event.preventDefault();
        onClick?.();
      }}
    >
      <ButtonFace {...props} />
      {disabledReason !== undefined && (
        <span id={id} class="unseen">
          {disabledReason}
        </span>
      )}
    </button>
  );
}

function toClasses({ look, small, iconOnly }: ButtonProps): string {
  const isSmall = small && "small";
  return ["button", iconOnly ? "quiet" : look, isSmall, iconOnly && "icon-only"].filter(Boolean).join(" ");
}

function ButtonFace({ label, about, icon, iconOnly, shortcut }: ButtonProps) {
  return (
    <>
      {icon && <Icon name={icon} />}
      <span class={iconOnly ? "unseen" : undefined}>
        {label}
        {about && <span class="unseen"> {about}</span>}
      </span>
      {shortcut && !iconOnly && <kbd aria-hidden="true">{shortcut}</kbd>}
    </>
  );
}

/** Paths of the icons, drawn with a stroke in a square of 16 units. */
const PATHS = {
  queue: "M2.5 9.5h3l1 2h3l1-2h3M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3l-2-6.5h-7z",
  orders: "M3 4h10M3 8h10M3 12h6",
  overview: "M2.5 13.5v-4M6.2 13.5v-7M9.8 13.5V8M13.5 13.5v-11",
  report: "M4 1.5h5.5L12.5 4.5v10h-8.5zM6.5 8h3.5M6.5 11h3.5",
  policy:
    "M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6M8 4.5a1.75 1.75 0 1 0 3.5 0a1.75 1.75 0 1 0-3.5 0M4.5 11.5a1.75 1.75 0 1 0 3.5 0a1.75 1.75 0 1 0-3.5 0",
  settings:
    "M8 5.75a2.25 2.25 0 1 0 0 4.5a2.25 2.25 0 1 0 0-4.5M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4",
  check: "M3 8.5l3.2 3.2L13 4.8",
  cross: "M4 4l8 8M12 4l-8 8",
  back: "M9.5 3.5L5 8l4.5 4.5",
  up: "M3.5 10L8 5.5l4.5 4.5",
  down: "M3.5 6L8 10.5 12.5 6",
  next: "M6.5 3.5L11 8l-4.5 4.5",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3",
  undo: "M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M6 3.5l-3 3 3 3",
  external: "M6.5 3.5h-3v9h9v-3M9 2.5h4.5V7M13 3L7.5 8.5",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.5 10.5l3.5 3.5",
  help: "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M6.2 6.2a1.9 1.9 0 1 1 2.7 1.9c-.6.3-.9.7-.9 1.3M8 11.4v.2",
  clock: "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 4.5V8l2.5 1.5",
  warning: "M8 2L1.5 13.5h13zM8 6.5v3M8 11.4v.2",
  info: "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 7.3v4M8 4.7v.2",
  note: "M3 2.5h10v7.5l-3 3.5H3zM13 10h-3v3.5M5.5 5.5h5M5.5 8h3",
  download: "M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11",
  plus: "M8 3v10M3 8h10",
  trash: "M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4",
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon in the color of the text around it. The text says what it means. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

import type { ComponentChildren, Ref } from "preact";
import { useId } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

/** Properties of {@link Button}. */
export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (() => void) | undefined;
  /** Default `button`. */
  readonly type?: "button" | "submit";
  /** `primary`: what one usually came for. `danger`: cannot be taken back. Default: plain. */
  readonly look?: "primary" | "danger" | "quiet" | undefined;
  readonly icon?: IconName | undefined;
  /** Only the icon shows; the children are its name. */
  readonly iconOnly?: boolean | undefined;
  readonly small?: boolean | undefined;
  /** Working: shows progress and ignores presses. */
  readonly busy?: boolean | undefined;
  /** Disabled for a moment, without a reason to show. It keeps the focus. */
  readonly paused?: boolean | undefined;
  /** Why it is disabled. The button keeps the focus and shows the reason. */
  readonly disabledReason?: string | undefined;
  /** Id of what says what it does. */
  readonly describedBy?: string | undefined;
  /** As in `aria-keyshortcuts`. */
  readonly shortcut?: string | undefined;
  readonly expanded?: boolean | undefined;
  /** Has the focus when its dialog opens. */
  readonly focusFirst?: boolean | undefined;
  readonly buttonRef?: Ref<HTMLButtonElement> | undefined;
}

/** A button. A disabled button stays reachable and says why. */
export function Button(props: ButtonProps) {
  const { onClick, busy, paused, disabledReason } = props;
  const id = useId();
  const isOff = busy === true || paused === true || disabledReason !== undefined;
  return (
    <button
      ref={props.buttonRef ?? null}
      type={props.type ?? "button"}
      class={toClasses(props)}
      aria-disabled={isOff ? "true" : undefined}
      aria-busy={busy === true ? "true" : undefined}
      aria-describedby={disabledReason === undefined ? props.describedBy : id}
      aria-keyshortcuts={props.shortcut}
      aria-expanded={props.expanded}
      data-focus={props.focusFirst === true ? "first" : undefined}
      title={disabledReason}
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
  const isSmall = small === true && "small";
  return ["button", look, isSmall, iconOnly === true && "icon-only"].filter(Boolean).join(" ");
}

function ButtonFace({ children, icon, iconOnly, shortcut }: ButtonProps) {
  if (iconOnly === true && icon !== undefined) {
    return (
      <>
        <Icon name={icon} />
        <span class="unseen">{children}</span>
      </>
    );
  }
  return (
    <>
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
      {shortcut !== undefined && <kbd aria-hidden="true">{shortcut}</kbd>}
    </>
  );
}

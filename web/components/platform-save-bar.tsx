import { type ComponentChildren, h } from "preact";
import { useEffect } from "preact/hooks";
import { findBridge, isEmbedded } from "../data/session.ts";
import { Button } from "./button.tsx";

interface PlatformSaveBarProps {
  /** Unique on the page. */
  readonly id: string;
  readonly isChanged: boolean;
  readonly saveLabel: string;
  /** Why it can't be saved now; the page says so. */
  readonly disabledReason?: string | undefined;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

/**
 * In a platform's admin: its bar for unsaved changes, which asks before somebody leaves, in place of buttons of the page's
 * own. Draws nothing anywhere else.
 */
export function PlatformSaveBar(props: PlatformSaveBarProps) {
  const { id, isChanged, saveLabel, disabledReason, onSave, onDiscard } = props;
  useEffect(() => {
    if (!isEmbedded || !isChanged) return undefined;
    void findBridge()?.saveBar?.show(id);
    return () => void findBridge()?.saveBar?.hide(id);
  }, [id, isChanged]);
  if (!isEmbedded) return null;
  // The platform's script shows the bar outside the page, and clicks these buttons.
  return h(
    "ui-save-bar",
    { id },
    h(
      "button",
      {
        type: "button",
        variant: "primary",
        disabled: disabledReason !== undefined,
        onClick: onSave,
      } as object,
      saveLabel,
    ),
    h("button", { type: "button", onClick: onDiscard }, "Discard"),
  );
}

interface FormSaveProps extends PlatformSaveBarProps {
  readonly busy: boolean;
  /** Other buttons of the form. */
  readonly children?: ComponentChildren;
}

/** How a form is saved: by its own button, or by the platform's bar. */
export function FormSave({ busy, children, ...bar }: FormSaveProps) {
  return (
    <div class="row">
      <PlatformSaveBar {...bar} />
      {!isEmbedded && (
        <Button type="submit" look="primary" busy={busy} disabledReason={bar.disabledReason}>
          {bar.saveLabel}
        </Button>
      )}
      {children}
    </div>
  );
}

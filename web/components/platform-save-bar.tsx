import { type ComponentChildren, h } from "preact";
import { useEffect } from "preact/hooks";
import { findBridge, isEmbedded } from "../data/api/session.ts";
import { Button } from "./button.tsx";
import { Problem } from "./panel.tsx";
import { t } from "../data/base/texts.ts";

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
 * The platform's bar for unsaved changes. In a platform's admin, it replaces the page's own buttons and asks before
 * somebody leaves. Elsewhere, it draws nothing.
 */
export function PlatformSaveBar(props: PlatformSaveBarProps) {
  const { id, isChanged, saveLabel, disabledReason, onSave, onDiscard } = props;
  useEffect(() => {
    if (!isChanged) return undefined;
    void findBridge()?.saveBar?.show(id);
    return () => void findBridge()?.saveBar?.hide(id);
  }, [id, isChanged]);
  if (!isEmbedded) return null;
  // The platform's script shows the bar outside the page, and clicks these buttons.
  const save = { variant: "primary", disabled: disabledReason !== undefined, onClick: onSave };
  return h(
    "ui-save-bar",
    { id },
    h("button", { type: "button", ...save } as object, saveLabel),
    h("button", { type: "button", onClick: onDiscard }, t("components.discard")),
  );
}

interface SaveFormProps extends PlatformSaveBarProps {
  readonly busy: boolean;
  /** Why it wasn't saved, if no field is at fault. */
  readonly failure: unknown;
  readonly children: ComponentChildren;
  /** Beside the button. */
  readonly more?: ComponentChildren;
}

/** A form that is saved by its own button, or by the platform's bar. */
export function SaveForm({ busy, failure, children, more, ...bar }: SaveFormProps) {
  const { saveLabel: label, disabledReason, onSave } = bar;
  return (
    <form class="stack" onSubmit={(event) => (event.preventDefault(), onSave())}>
      <Problem error={failure} />
      {children}
      <div class="row">
        <PlatformSaveBar {...bar} />
        {!isEmbedded && <Button type="submit" look="primary" {...{ label, busy, disabledReason }} />}
        {more}
      </div>
    </form>
  );
}

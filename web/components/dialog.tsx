import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, type ButtonProps } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The ID of the part that says what will happen, to be read out with the title. */
  readonly describedBy?: string | undefined;
  readonly foot?: ComponentChildren;
  /** Called on Escape, the cross, or a click outside. */
  readonly onClose: () => void;
}

/** A modal dialog. It takes the focus when it opens and returns it when it closes. */
export function Dialog({ title, children, describedBy, foot, onClose }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the page is painted: by then the focus may have moved on.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>("[data-focus]")?.focus();
    // The element that had the focus may be gone. Then the caller sets it.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // Ignore the second click of a double click on the button that opened it.
        if (event.target === dialog.current && event.detail < 2) onClose();
      }}
    >
      {/* Not a div: inside the page's own header, this header would be a second one of the page. */}
      <section class="dialog">
        <header class="line between">
          <h2 id={id}>{title}</h2>
          <Button label="Close" icon="cross" iconOnly onClick={onClose} />
        </header>
        <div class="dialog-body stack">{children}</div>
        {foot !== undefined && foot !== false && <footer class="row end">{foot}</footer>}
      </section>
    </dialog>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen, in a sentence or two. Read out when it opens. */
  readonly children: ComponentChildren;
  readonly fields?: ComponentChildren;
  /** The label of the button that changes nothing. Default: "Cancel". */
  readonly keep?: string | undefined;
  /** The button's label, a verb. Null if nothing is left to do. */
  readonly confirm: string | null;
  readonly danger?: boolean | undefined;
  readonly busy?: boolean | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before an action. If the action does harm, the button that changes nothing has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, fields, confirm, danger = false, busy, onConfirm, onClose } = props;
  const id = useId();
  return (
    <Dialog
      title={title}
      describedBy={id}
      onClose={onClose}
      foot={
        <>
          <Button
            label={confirm === null ? "Close" : (props.keep ?? "Cancel")}
            focusFirst={danger}
            onClick={onClose}
          />
          {confirm !== null && (
            <Button
              label={confirm}
              look={danger ? "danger" : "primary"}
              busy={busy}
              focusFirst={!danger}
              onClick={onConfirm}
            />
          )}
        </>
      }
    >
      <div id={id} class="stack">
        {children}
      </div>
      {fields}
    </Dialog>
  );
}

/** Covers the whole page, including dialogs. */
export function Cover({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="cover" aria-label={label} onCancel={(event) => event.preventDefault()}>
      {children}
    </dialog>
  );
}

interface ConfirmButtonProps extends Pick<ButtonProps, "small" | "disabledReason"> {
  readonly label: string;
  /** The question it asks first. */
  readonly title: string;
  /** What will happen, in a sentence or two. */
  readonly children: ComponentChildren;
  readonly onConfirm: () => void;
}

/** A button for a harmful action. It asks first. */
export function ConfirmButton({ label, title, children, onConfirm, ...look }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button label={label} {...look} onClick={() => setAsking(true)} />
      {isAsking && (
        <ConfirmDialog
          title={title}
          confirm={label}
          danger
          onConfirm={() => {
            setAsking(false);
            onConfirm();
          }}
          onClose={() => setAsking(false)}
        >
          {children}
        </ConfirmDialog>
      )}
    </>
  );
}

import type { ComponentChildren, HTMLAttributes } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, type ButtonProps } from "./button.tsx";
import { t } from "../data/base/texts.ts";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The ID of the part that says what will happen, to be read out with the title. */
  readonly describedBy?: string | undefined;
  readonly foot?: ComponentChildren;
  /** Called when the form is sent: by Enter in a field, or by a button of the type `submit`. */
  readonly onSubmit?: (() => void) | undefined;
  /**
   * What closing would lose, although nobody typed it: a token that is shown once. What is typed is noticed by itself.
   * Default: nothing.
   */
  readonly losing?: string | undefined;
  /** What is typed stays elsewhere, as a draft. Default: closing loses it. */
  readonly keepsInput?: boolean | undefined;
  /** At the bottom of the page, as wide as it. Default: in the middle. */
  readonly isSheet?: boolean;
  /** Called on Escape, the cross, or a click outside, unless the person keeps what would be lost. */
  readonly onClose: () => void;
}

/**
 * A modal dialog. It takes the focus when it opens and returns it when it closes. Escape and a click outside don't discard
 * what somebody typed: they ask first.
 */
export function Dialog(props: DialogProps) {
  const { title, children, describedBy, foot, losing, keepsInput = false, onSubmit, onClose } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isTyped = useRef(false);
  const [isLeaving, setLeaving] = useState(false);
  useShown(dialog);
  const leave = () => {
    if (losing === undefined && (keepsInput || !isTyped.current)) return onClose();
    setLeaving(true);
  };
  const stay = () => {
    setLeaving(false);
    toFirst(dialog.current)?.focus();
  };
  return (
    <dialog
      ref={dialog}
      class={props.isSheet ? "sheet" : undefined}
      aria-labelledby={id}
      aria-describedby={describedBy}
      {...toCloseEvents(dialog, () => (isLeaving ? stay() : leave()), leave)}
      onClick={(event) => {
        // Ignore the second click of a double click on the button that opened it.
        if (event.target === dialog.current && event.detail < 2) leave();
      }}
    >
      {/* Not a div: inside the page's own header, this header would be a second one of the page. */}
      <section>
        <form
          class="dialog"
          onInput={() => void (isTyped.current = true)}
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit?.();
          }}
          noValidate
        >
          <DialogHead id={id} title={title} onClose={leave} />
          <div class="dialog-body stack">{children}</div>
          {isLeaving ? (
            <Leaving question={losing ?? t("components.discard-question")} onStay={stay} onLeave={onClose} />
          ) : (
            foot !== undefined && foot !== false && <footer class="row end">{foot}</footer>
          )}
        </form>
      </section>
    </dialog>
  );
}

interface DialogHeadProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

function DialogHead({ id, title, onClose }: DialogHeadProps) {
  return (
    <header class="line between">
      <h2 id={id}>{title}</h2>
      <Button label={t("components.close")} icon="cross" iconOnly onClick={onClose} />
    </header>
  );
}

/** What closes a dialog: Escape, a gesture to go back, or the browser by itself. */
function toCloseEvents(
  dialog: { readonly current: HTMLDialogElement | null },
  goBack: () => void,
  leave: () => void,
): Pick<HTMLAttributes<HTMLDialogElement>, "onKeyDown" | "onCancel" | "onClose"> {
  return {
    onKeyDown(event) {
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
      // Browsers let a page keep its dialog only once: the second Escape in a row would close it without asking.
      event.preventDefault();
      goBack();
    },
    onCancel(event) {
      event.preventDefault();
      goBack();
    },
    onClose() {
      // The browser closed it without asking, as on the second gesture to go back. Nobody has answered yet.
      if (dialog.current === null) return;
      dialog.current.showModal();
      leave();
    },
  };
}

interface LeavingProps {
  readonly question: string;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks before something is lost, in the place of the dialog's buttons. */
function Leaving({ question, onStay, onLeave }: LeavingProps) {
  const foot = useRef<HTMLElement>(null);
  useLayoutEffect(() => foot.current?.querySelector("button")?.focus(), []);
  return (
    <footer class="row end" role="alert" ref={foot}>
      <p class="grow">{question}</p>
      <Button label={t("components.keep-editing")} look="primary" onClick={onStay} />
      <Button label={t("components.discard")} look="danger" onClick={onLeave} />
    </footer>
  );
}

const FIELDS = "input:not([type=hidden]), select, textarea";

/** The element that has the focus first: the first field, or else the button that is marked. */
function toFirst(dialog: HTMLDialogElement | null): HTMLElement | undefined {
  const first = dialog?.querySelector<HTMLElement>(`.dialog-body :is(${FIELDS})`);
  return first ?? dialog?.querySelector<HTMLElement>("[data-focus]") ?? undefined;
}

function useShown(dialog: { readonly current: HTMLDialogElement | null }): void {
  // Before the page is painted: by then the focus may have moved on.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    toFirst(shown)?.focus();
    // The element that had the focus may be gone. Then the caller sets it.
    return () => shown?.close();
  }, []);
}

interface ConfirmDialogProps extends Pick<DialogProps, "keepsInput"> {
  readonly title: string;
  /** What will happen, in a sentence or two. Read out when it opens. */
  readonly children?: ComponentChildren;
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

/**
 * Asks before an action. Its first field has the focus. Without fields, that is the button; if the action does harm, the one
 * that changes nothing.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, fields, confirm, danger = false, busy, keepsInput, onConfirm, onClose } = props;
  const id = useId();
  return (
    <Dialog
      title={title}
      describedBy={id}
      keepsInput={keepsInput}
      onClose={onClose}
      onSubmit={() => {
        if (confirm !== null && !busy) onConfirm();
      }}
      foot={
        <>
          <Button
            label={confirm === null ? t("components.close") : (props.keep ?? t("components.cancel"))}
            focusFirst={danger}
            onClick={onClose}
          />
          {confirm !== null && (
            <Button
              label={confirm}
              type="submit"
              look={danger ? "danger" : "primary"}
              busy={busy}
              focusFirst={!danger}
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

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button, type ButtonProps } from "./button.tsx";
import { ConfirmDialog } from "./dialog.tsx";

interface ConfirmButtonProps extends Pick<ButtonProps, "small" | "disabledReason"> {
  /** What it does: a verb. */
  readonly label: string;
  /** The question it asks first. */
  readonly title: string;
  /** What will happen, in a sentence or two. */
  readonly children: ComponentChildren;
  readonly onConfirm: () => void;
}

/** A button for something that does harm: it asks first. */
export function ConfirmButton({ label, title, children, onConfirm, ...look }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button {...look} onClick={() => setAsking(true)}>
        {label}
      </Button>
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

import { useAction } from "../data/use-action.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { showFailure } from "./toasts.tsx";

interface ActionButtonProps extends Omit<ButtonProps, "busy" | "onClick"> {
  readonly onAct: () => Promise<unknown>;
}

/** A button that is busy until its action ends. If the action fails, a message says why. */
export function ActionButton({ onAct, ...button }: ActionButtonProps) {
  const { busy, run } = useAction(showFailure);
  return <Button {...button} busy={busy} onClick={() => run(onAct)} />;
}

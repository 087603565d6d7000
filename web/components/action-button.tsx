import { useAction } from "../data/api/use-action.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { showFailure } from "../data/api/messages.ts";

interface ActionButtonProps extends Omit<ButtonProps, "busy" | "onClick"> {
  readonly onAct: () => Promise<unknown>;
}

/** A button that is busy until its action ends. If the action fails, a message says why. */
export function ActionButton({ onAct, ...button }: ActionButtonProps) {
  const { busy, run } = useAction(showFailure);
  return <Button {...button} busy={busy} onClick={() => run(onAct)} />;
}

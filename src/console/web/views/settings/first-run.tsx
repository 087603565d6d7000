import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { isFirstRun, type Setup } from "../../data/setup.ts";
import { useLoad } from "../../data/use-load.ts";
import { SetupSteps } from "./setup-steps.tsx";

interface FirstRunProps {
  /** The view has nothing to show. */
  readonly isEmpty: boolean;
  readonly children: ComponentChildren;
}

/** The steps to a working installation in place of a view that is empty because nothing was ever decided here. */
export function FirstRun({ isEmpty, children }: FirstRunProps) {
  const setup = useLoad<Setup>(isEmpty ? "/setup" : null);
  // Once shown it stays: the order that somebody sends from here must not take the steps away.
  const isShown = useRef(false);
  if (isEmpty && isFirstRun(setup.data)) isShown.current = true;
  return isShown.current ? <SetupSteps /> : <>{children}</>;
}

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/panel.tsx";
import { isFirstRun, type Setup } from "../../data/setup.ts";
import { useLoad } from "../../data/use-load.ts";
import { SetupSteps } from "./setup-steps.tsx";

interface FirstRunProps {
  /** The view has nothing to show. */
  readonly isEmpty: boolean;
  /** Something of the view is opened by its address: it is shown, whatever is set up. */
  readonly isOpened?: boolean;
  readonly children: ComponentChildren;
}

/** The steps to a working installation in place of a view that is empty because nothing was ever decided here. */
export function FirstRun({ isEmpty, isOpened = false, children }: FirstRunProps) {
  const setup = useLoad<Setup>(isEmpty ? "/setup" : null);
  const [isOver, setOver] = useState(false);
  // Once shown it stays: the order that somebody sends from here must not take the steps away. A customer's must show, though.
  const isShown = useRef(false);
  if (isEmpty && isFirstRun(setup.data)) isShown.current = true;
  if (!isShown.current || isOver || isOpened) return <>{children}</>;
  const news = !isEmpty && (
    <Notice tone="good">
      <p>Your first orders have arrived.</p>
      <Button small onClick={() => setOver(true)}>
        Show orders
      </Button>
    </Notice>
  );
  return <SetupSteps news={news} />;
}

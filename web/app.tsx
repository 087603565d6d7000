import { useEffect, useRef, useState } from "preact/hooks";
import { Cover } from "./components/dialog.tsx";
import { Failure } from "./components/panel.tsx";
import { Toasts } from "./components/toasts.tsx";
import { UndoBar } from "./components/undo-bar.tsx";
import type { Session } from "./data/api/api-types.ts";
import { useShortcuts } from "./data/shell/keyboard.ts";
import { isEmbedded, sessionState } from "./data/api/session.ts";
import { findSession } from "./data/shell/sign-in.ts";
import { useValue } from "./data/base/value.ts";
import { Shell } from "./shell/shell.tsx";
import { ShortcutHelp, showShortcutHelp } from "./shell/shortcut-help.tsx";
import { BlockedView, SignInView, StartView } from "./shell/sign-in-view.tsx";
import { t } from "./data/base/texts.ts";

export function App() {
  const [error, setError] = useState<unknown>();
  const find = () => {
    setError(undefined);
    void findSession().catch(setError);
  };
  useEffect(find, []);
  useShortcuts([{ keys: ["?"], label: t("shell.show-keyboard-shortcuts"), run: showShortcutHelp }], 0);
  return (
    <>
      {error === undefined ? <Page /> : <StartView>{<Failure error={error} onRetry={find} />}</StartView>}
      <ShortcutHelp />
      <Toasts>
        <UndoBar />
      </Toasts>
    </>
  );
}

/**
 * The page, depending on who is signed in. When a session ends, unsaved input stays hidden until the same person signs in
 * again. Nobody else sees it.
 */
function Page() {
  const state = useValue(sessionState);
  const { status } = state;
  const last = useRef<Session | null>(null);
  if (state.status === "signed-in") last.current = state.session;
  if (status === "signed-out") last.current = null;
  const session = last.current;
  const isCovered = session !== null && status !== "signed-in";
  useFocusKept(isCovered);
  return (
    <>
      {session !== null && (
        <div key={`${session.tenant} ${session.actor}`} class="page-root" hidden={isCovered}>
          <Shell session={session} />
        </div>
      )}
      {status === "starting" && <StartView />}
      {isCovered && (
        <Cover label={t("shell.sign-in-again")}>
          <Outside hasEnded={status === "ended"} />
        </Cover>
      )}
      {session === null && status !== "starting" && <Outside hasEnded={status === "ended"} />}
    </>
  );
}

function Outside({ hasEnded }: { readonly hasEnded: boolean }) {
  return isEmbedded ? <BlockedView hasEnded={hasEnded} /> : <SignInView ended={hasEnded} />;
}

/** Returns the focus to the element that had it. */
function useFocusKept(isCovered: boolean): void {
  const focused = useRef<Element | null>(null);
  if (isCovered) focused.current ??= document.activeElement;
  useEffect(() => {
    if (isCovered) return;
    if (focused.current instanceof HTMLElement && focused.current.isConnected) focused.current.focus();
    focused.current = null;
  }, [isCovered]);
}

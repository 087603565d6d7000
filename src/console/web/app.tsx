import { useEffect, useState } from "preact/hooks";
import { Failure } from "./components/panel.tsx";
import { Toasts } from "./components/toasts.tsx";
import { useShortcuts } from "./data/keyboard.ts";
import { isEmbedded, sessionState } from "./data/session.ts";
import { findSession } from "./data/sign-in.ts";
import { useValue } from "./data/value.ts";
import { BlockedView } from "./shell/blocked-view.tsx";
import { Shell } from "./shell/shell.tsx";
import { ShortcutHelp, showShortcutHelp } from "./shell/shortcut-help.tsx";
import { SignInView } from "./shell/sign-in-view.tsx";
import { StartView } from "./shell/start-view.tsx";

/** The whole page. */
export function App() {
  const [error, setError] = useState<unknown>();
  const find = () => {
    setError(undefined);
    void findSession().catch(setError);
  };
  useEffect(find, []);
  useShortcuts([{ keys: ["?"], label: "Show the shortcuts", run: showShortcutHelp }], 0);
  return (
    <>
      {error === undefined ? <Page /> : <StartView>{<Failure error={error} onRetry={find} />}</StartView>}
      <ShortcutHelp />
      <Toasts />
    </>
  );
}

function Page() {
  const state = useValue(sessionState);
  if (state.status === "signed-in") return <Shell session={state.session} />;
  if (state.status === "starting") return <StartView />;
  if (isEmbedded) return <BlockedView hasEnded={state.status !== "blocked"} />;
  return <SignInView ended={state.status === "ended"} />;
}

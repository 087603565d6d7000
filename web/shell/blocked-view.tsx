import { Button } from "../components/button.tsx";
import { Notice } from "../components/panel.tsx";
import { findSession } from "../data/sign-in.ts";

/** Inside a platform's frame whose script did not load or gave no session: what to do about it. */
export function BlockedView({ hasEnded }: { readonly hasEnded: boolean }) {
  return (
    <main class="sign-in" id="main">
      <div class="sign-in-card">
        <img src="/assets/favicon.svg" alt="" width="40" height="40" />
        <h1>{hasEnded ? "The session has ended" : "The platform's sign-in did not load"}</h1>
        <Notice tone="warn">
          {hasEnded
            ? "What you were writing is still here. Try again; if that does not help, open the app from the platform's admin."
            : "A blocker or the network kept the platform's script away. Allow cdn.shopify.com for this page and load it again, or open Holdfast on its own and sign in with a token."}
        </Notice>
        <div class="row">
          {hasEnded ? (
            <Button look="primary" icon="refresh" onClick={() => void findSession().catch(() => undefined)}>
              Try again
            </Button>
          ) : (
            <Button look="primary" icon="refresh" onClick={() => location.reload()}>
              Load again
            </Button>
          )}
          <a class="button" href={`${location.origin}/${location.hash}`} target="_blank" rel="noreferrer">
            Open on its own
          </a>
        </div>
      </div>
    </main>
  );
}

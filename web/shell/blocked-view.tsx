import { Button } from "../components/button.tsx";
import { Notice } from "../components/panel.tsx";
import { findSession } from "../data/sign-in.ts";

/** Inside a platform's frame whose script did not load or gave no session: what to do about it. */
export function BlockedView({ hasEnded }: { readonly hasEnded: boolean }) {
  return (
    <main class="sign-in" id="main">
      <div class="sign-in-card">
        <img src="/assets/favicon.svg" alt="" width="40" height="40" />
        <h1>{hasEnded ? "Your session has ended" : "Couldn't load the platform's sign-in"}</h1>
        <Notice tone="warn">
          {hasEnded
            ? "Your draft is still here. Try again, or reopen the app from the platform's admin."
            : "A content blocker or the network stopped the platform's script. Allow cdn.shopify.com and reload, or open Holdfast in a new window and sign in with a token."}
        </Notice>
        <div class="row">
          {hasEnded ? (
            <Button look="primary" icon="refresh" onClick={() => void findSession().catch(() => undefined)}>
              Try again
            </Button>
          ) : (
            <Button look="primary" icon="refresh" onClick={() => location.reload()}>
              Reload
            </Button>
          )}
          <a class="button" href={`${location.origin}/${location.hash}`} target="_blank" rel="noreferrer">
            Open in new window
          </a>
        </div>
      </div>
    </main>
  );
}

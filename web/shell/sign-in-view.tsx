import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Field } from "../components/form.tsx";
import { Notice, Skeleton } from "../components/panel.tsx";
import { ApiError, explain } from "../data/api/api.ts";
import { isEmbedded } from "../data/api/session.ts";
import { findSession, signIn } from "../data/shell/sign-in.ts";
import { useAction } from "../data/api/use-action.ts";

/** Sign-in with a token. `ended`: the previous session expired. */
export function SignInView({ ended }: { readonly ended: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const { busy, problem, run } = useAction(() => (input.current?.select(), input.current?.focus()));
  useEffect(() => {
    input.current?.focus();
    return focusPageLater;
  }, []);

  async function submit(): Promise<void> {
    const token = input.current?.value.trim() ?? "";
    if (token === "") throw new ApiError(0, "Enter your token.");
    await signIn(token);
  }

  return (
    <SignInCard title="Sign in to Holdfast">
      <p class="soft">Checks every order for fraud before it ships.</p>
      {ended && <Notice>Your session has ended. Sign in to continue. Your draft is still there.</Notice>}
      <form class="stack below" onSubmit={(event) => (event.preventDefault(), run(submit))}>
        <Field label="Token" error={toMessage(problem)} hint="Your personal token or the console token.">
          {(control) => (
            <input
              {...control}
              ref={input}
              type="password"
              autocomplete="current-password"
              spellcheck={false}
            />
          )}
        </Field>
        <Button label="Sign in" type="submit" look="primary" busy={busy} />
      </form>
    </SignInCard>
  );
}

/** The field takes the focus with it when the page replaces it. */
function focusPageLater(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById("main")?.focus();
  });
}

function toMessage(problem: unknown): string | undefined {
  if (problem === undefined) return undefined;
  const isWrong = problem instanceof ApiError && problem.status === 401;
  return isWrong ? "Token not accepted. Check it and try again." : explain(problem);
}

/** Shown in a platform's frame when its script didn't load or gave no session: what to do. */
export function BlockedView({ hasEnded }: { readonly hasEnded: boolean }) {
  return (
    <SignInCard title={hasEnded ? "Your session has ended" : "Couldn't load the platform's sign-in"}>
      <Notice tone="warn">
        {hasEnded
          ? "Your draft is still here. Try again, or reopen the app from the platform's admin."
          : "A content blocker or the network stopped the platform's script. Allow cdn.shopify.com and reload, or open Holdfast in a new window and sign in with a token."}
      </Notice>
      <div class="row">
        <Button
          label={hasEnded ? "Try again" : "Reload"}
          look="primary"
          icon="refresh"
          onClick={() => (hasEnded ? void findSession().catch(() => undefined) : location.reload())}
        />
        <a class="button" href={location.pathname} target="_blank" rel="noreferrer">
          Open in new window
        </a>
      </div>
    </SignInCard>
  );
}

function SignInCard({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <main class="sign-in" id="main">
      <div class="sign-in-card card stack gap-3">
        <img src="/assets/favicon.svg" alt="" width="40" height="40" />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** Shown until the session is known. Looks the same as the page that the server sends. */
export function StartView({ children }: { readonly children?: ComponentChildren }) {
  return (
    <>
      {!isEmbedded && (
        <header class="top-bar line">
          <span class="brand">
            <img src="/assets/favicon.svg" alt="" width="22" height="22" />
            Holdfast
          </span>
        </header>
      )}
      <main id="main">
        <div class="page stack">{children ?? <Skeleton lines={8} />}</div>
      </main>
    </>
  );
}

import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { Notice } from "../components/panel.tsx";
import { ApiError, explain } from "../data/api.ts";
import { signIn } from "../data/sign-in.ts";

/** Where somebody signs in with a token. `ended`: they were signed in a moment ago. */
export function SignInView({ ended }: { readonly ended: boolean }) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  async function submit(): Promise<void> {
    const field = input.current;
    const token = field?.value.trim() ?? "";
    if (busy || field === null) return;
    if (token === "") return setProblem("Enter your token.");
    setBusy(true);
    setProblem(undefined);
    try {
      await signIn(token);
    } catch (error) {
      setBusy(false);
      const isWrong = error instanceof ApiError && error.status === 401;
      setProblem(isWrong ? "Token not accepted. Check it and try again." : explain(error));
      field.select();
      field.focus();
    }
  }

  return (
    <main class="sign-in" id="main">
      <div class="sign-in-card">
        <img src="/assets/favicon.svg" alt="" width="40" height="40" />
        <h1>Sign in to Holdfast</h1>
        <p class="soft">Checks every order for fraud before it ships.</p>
        {ended && <Notice>Your session has ended. Sign in to continue. Your draft is still there.</Notice>}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <Field label="Token" error={problem} hint="Your personal token or the console token.">
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
          <Button type="submit" look="primary" busy={busy}>
            Sign in
          </Button>
        </form>
      </div>
    </main>
  );
}

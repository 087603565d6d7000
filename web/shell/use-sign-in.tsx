import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Field } from "../components/form.tsx";
import { Notice } from "../components/panel.tsx";
import { ApiError, explain } from "../data/api/api.ts";
import { useAction } from "../data/api/use-action.ts";
import { formatList } from "../data/base/format.ts";
import { t } from "../data/base/texts.ts";
import { type NewSession, signIn } from "../data/shell/sign-in.ts";

/**
 * The content of a form that signs in with a token. Before `onSignedIn`, it says which shops the browser was signed out of
 * for it.
 */
export function useSignIn(onSignedIn: (session: NewSession) => Promise<void>) {
  const input = useRef<HTMLInputElement>(null);
  const [held, setHeld] = useState<NewSession | null>(null);
  const { busy, problem, run } = useAction(() => (input.current?.select(), input.current?.focus()));
  useEffect(() => input.current?.focus(), []);

  async function submit(): Promise<void> {
    if (held !== null) return onSignedIn(held);
    const token = input.current?.value.trim() ?? "";
    if (token === "") throw new ApiError(0, t("shell.enter-your-token"));
    const session = await signIn(token);
    if (session.dropped.length === 0) return onSignedIn(session);
    setHeld(session);
  }

  const label = held === null ? t("shell.sign-in") : t("shell.continue");
  return {
    submit: () => run(submit),
    content:
      held === null ? (
        <Field
          label={t("shell.token")}
          error={toMessage(problem)}
          hint={t("shell.your-personal-token-or-the-console")}
        >
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
      ) : (
        <Notice>{t("shell.dropped-shops", { shops: formatList(held.dropped.map(nameShop)) })}</Notice>
      ),
    button: <Button label={label} type="submit" look="primary" busy={busy} />,
  };
}

const nameShop = ({ shop, tenant }: NewSession["dropped"][number]) => shop ?? tenant;

function toMessage(problem: unknown): string | undefined {
  if (problem === undefined) return undefined;
  const isWrong = problem instanceof ApiError && problem.status === 401;
  return isWrong ? t("shell.token-not-accepted-check-it-and") : explain(problem);
}

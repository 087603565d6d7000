import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/form.tsx";
import { Notice } from "../../components/panel.tsx";
import { Ago } from "../../components/time.tsx";
import { call, explain } from "../../data/api/api.ts";
import { useAction } from "../../data/api/use-action.ts";
import { rich, t } from "../../data/base/texts.ts";
import { explainTest, type Notices } from "../../data/settings/notices.ts";
import { askForPermission, showTestNotice, type PagePermission } from "../../data/shell/page-notices.ts";

interface TestButtonProps {
  readonly channel: "email" | "webhook";
  /** Whether the address in the form is the saved one, which a test goes to. */
  readonly isSaved: boolean;
  /** Whether the server sends a code to confirm the address. Default: a test. */
  readonly isCode?: boolean;
}

/** Sends a test, and says what happened to it. */
export function TestButton({ channel, isSaved, isCode = false }: TestButtonProps) {
  const [result, setResult] = useState<{ readonly isGood: boolean; readonly text: string }>();
  const { busy, run } = useAction((error) => setResult({ isGood: false, text: explain(error) }));

  function send(): void {
    setResult(undefined);
    run(async () => {
      const { data } = await call("POST /notices/test", { body: { channel } });
      const isGood = data.outcome === "sent";
      setResult({ isGood, text: isGood && isCode ? t("notices.code-sent") : explainTest(data) });
    });
  }

  return (
    <>
      <div class="row">
        <Button
          label={isCode ? t("notices.send-code") : t(`notices.test-${channel}`)}
          busy={busy}
          disabledReason={isSaved ? undefined : t("notices.save-first")}
          onClick={send}
        />
      </div>
      <div role="status">
        {result !== undefined && <Notice tone={result.isGood ? "good" : "bad"}>{result.text}</Notice>}
      </div>
    </>
  );
}

interface EmailTestProps extends Pick<TestButtonProps, "isSaved"> {
  readonly saved: Pick<Notices, "email" | "isEmailConfirmed">;
  /** The code that the person entered. */
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (code: string) => void;
}

/** Sends a test to a confirmed address. Another one gets a code first, which the person enters here. */
export function EmailTest({ saved, isSaved, ...code }: EmailTestProps) {
  if (saved.email === null) return null;
  if (saved.isEmailConfirmed) return <TestButton channel="email" isSaved={isSaved} />;
  return (
    <>
      <Notice tone="warn">{t("notices.unconfirmed")}</Notice>
      <TestButton channel="email" isSaved={isSaved} isCode />
      <TextField label={t("notices.code")} {...code} />
    </>
  );
}

/** Why the last message of a channel didn't arrive. */
export function ChannelProblem({ found }: { readonly found: Notices["problems"]["email"] }) {
  if (found === null) return null;
  const { problem, at } = found;
  return <Notice tone="warn">{rich("notices.last-failed", { code: problem, time: <Ago at={at} /> })}</Notice>;
}

const PERMISSION_TEXTS = {
  embedded: t("notices.page-embedded"),
  unsupported: t("notices.page-unsupported"),
  denied: t("notices.page-denied"),
  default: t("notices.page-default"),
  granted: t("notices.page-granted"),
} as const satisfies Record<PagePermission, string>;

/** Whether this browser shows notifications, and how to make it. */
export function PageChannel({ permission }: { readonly permission: PagePermission }) {
  const isAsked = permission === "default";
  return (
    <>
      <Notice tone={permission === "denied" ? "warn" : "info"}>{PERMISSION_TEXTS[permission]}</Notice>
      {(isAsked || permission === "granted") && (
        <div class="row">
          <Button
            label={isAsked ? t("notices.page-allow") : t("notices.test-page")}
            onClick={() => (isAsked ? void askForPermission() : showTestNotice())}
          />
        </div>
      )}
    </>
  );
}

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { dismiss, spoken, toasts, type Toast } from "../data/api/messages.ts";
import { useValue } from "../data/base/value.ts";
import { Button, Icon } from "./button.tsx";
import { t } from "../data/base/texts.ts";

const GOOD_FOR_MS = 5_000;
/** Errors stay longer, so that people can read what to do. */
const BAD_FOR_MS = 12_000;

/** The messages of {@link showToast} and {@link announce}, once on the page. `children` are shown below. */
export function Toasts({ children }: { readonly children?: ComponentChildren }) {
  const all = useValue(toasts);
  const toLines = (isBad: boolean) =>
    all.filter((one) => one.isBad === isBad).map((one) => <ToastLine key={one.id} toast={one} />);
  const words = useValue(spoken);
  return (
    <>
      <div class="toasts" role="region" aria-label={t("components.messages")}>
        <div role="status" aria-live="polite">
          {toLines(false)}
        </div>
        <div role="alert">{toLines(true)}</div>
        {children}
      </div>
      <p class="unseen" role="status" aria-live="polite">
        {words}
      </p>
    </>
  );
}

function ToastLine({ toast }: { readonly toast: Toast }) {
  const { id, text, isBad, link } = toast;
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), isBad ? BAD_FOR_MS : GOOD_FOR_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div class="toast line floating" data-tone={isBad ? "bad" : "good"}>
      <Icon name={isBad ? "warning" : "check"} />
      <p class="grow anywhere">
        {text}
        {link !== undefined && (
          <>
            {" "}
            <a href={link.href} onClick={() => dismiss(id)}>
              {link.label}
            </a>
          </>
        )}
      </p>
      <Button label={t("components.dismiss")} small icon="cross" iconOnly onClick={() => dismiss(id)} />
    </div>
  );
}

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { explain } from "../data/api.ts";
import { createValue, useValue } from "../data/value.ts";
import { Button, Icon } from "./button.tsx";

type Toast = { readonly id: number; readonly text: string; readonly isBad: boolean };

const toasts = createValue<readonly Toast[]>([]);
const spoken = createValue<string>("");
let last = 0;

const GOOD_FOR_MS = 5_000;
/** Errors stay longer, so that people can read what to do. */
const BAD_FOR_MS = 12_000;
const SHOWN_AT_MOST = 4;

/** Show a short message for a while, and have it read out. */
export function showToast(text: string, tone: "good" | "bad" = "good"): void {
  last += 1;
  toasts.set([...toasts.get(), { id: last, text, isBad: tone === "bad" }].slice(-SHOWN_AT_MOST));
}

export function showFailure(error: unknown): void {
  showToast(explain(error), "bad");
}

/** Have screen readers announce something that is already visible: "12 orders shown". */
export function announce(text: string): void {
  // The same text again wouldn't be a change, so it wouldn't be read out.
  spoken.set(spoken.get() === text ? `${text}\u00A0` : text);
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id));
}

/** The messages of {@link showToast} and {@link announce}, once on the page. `children` are shown below. */
export function Toasts({ children }: { readonly children?: ComponentChildren }) {
  const all = useValue(toasts);
  const toLines = (isBad: boolean) =>
    all.filter((one) => one.isBad === isBad).map((one) => <ToastLine key={one.id} toast={one} />);
  const words = useValue(spoken);
  return (
    <>
      <div class="toasts" role="region" aria-label="Messages">
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
  const { id, text, isBad } = toast;
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), isBad ? BAD_FOR_MS : GOOD_FOR_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div class="toast line floating" data-tone={isBad ? "bad" : "good"}>
      <Icon name={isBad ? "warning" : "check"} />
      <p class="grow">{text}</p>
      <Button label="Dismiss" small icon="cross" iconOnly onClick={() => dismiss(id)} />
    </div>
  );
}

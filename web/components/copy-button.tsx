import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { announce, showToast } from "./toasts.tsx";

/** Puts a text on the clipboard. */
export function CopyButton({ text }: { readonly text: string }) {
  const [done, setDone] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      announce("Copied");
    } catch {
      showToast("Your browser blocked copying. Select the text and copy it.", "bad");
    }
  }
  return (
    <Button icon={done ? "check" : "note"} onClick={() => void copy()}>
      {done ? "Copied" : "Copy"}
    </Button>
  );
}

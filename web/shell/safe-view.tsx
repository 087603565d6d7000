import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Empty } from "../components/panel.tsx";

/** Keeps a defect of one view from taking the whole page with it. Give it a `key` that changes with the view. */
export function SafeView({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary(reportError);
  if (error === undefined) return <>{children}</>;
  return (
    <div class="page">
      <h1>This page couldn't be displayed</h1>
      <div role="alert">
        <Empty title="Something went wrong" icon="warning">
          <p>Your decisions are saved.</p>
          <div class="row">
            <Button look="primary" onClick={reset}>
              Try again
            </Button>
            <Button onClick={() => location.reload()}>Reload page</Button>
          </div>
        </Empty>
      </div>
    </div>
  );
}

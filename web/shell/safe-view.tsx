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
      <h1>This view failed</h1>
      <div role="alert">
        <Empty title="That is a defect in this page" icon="warning">
          <p>Nothing was lost: what you decided is kept by the server.</p>
          <div class="row">
            <Button look="primary" onClick={reset}>
              Show it again
            </Button>
            <Button onClick={() => location.reload()}>Load the page again</Button>
          </div>
        </Empty>
      </div>
    </div>
  );
}

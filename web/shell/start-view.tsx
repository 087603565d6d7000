import type { ComponentChildren } from "preact";
import { Skeleton } from "../components/panel.tsx";

/** What stands there until it is known who is signed in: the same as the page that the server sends. */
export function StartView({ children }: { readonly children?: ComponentChildren }) {
  return (
    <>
      <header class="top-bar">
        <span class="brand">
          <img src="/assets/favicon.svg" alt="" width="22" height="22" />
          Holdfast
        </span>
      </header>
      <main id="main">
        <div class="page">{children ?? <Skeleton lines={8} />}</div>
      </main>
    </>
  );
}

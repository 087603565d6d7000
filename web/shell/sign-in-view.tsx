import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Notice, Skeleton } from "../components/panel.tsx";
import { isEmbedded } from "../data/api/session.ts";
import { getShopKey } from "../data/api/shop.ts";
import { t } from "../data/base/texts.ts";
import { useValue } from "../data/base/value.ts";
import { shops } from "../data/shell/shops.ts";
import { enter, findSession } from "../data/shell/sign-in.ts";
import { OtherShops } from "./shop-switcher.tsx";
import { useSignIn } from "./use-sign-in.tsx";

/** Sign-in with a token. `ended`: the previous session expired. */
export function SignInView({ ended }: { readonly ended: boolean }) {
  const { content, button, submit } = useSignIn(enter);
  const shop = useValue(shops).find(({ key }) => key === getShopKey());
  useEffect(() => focusPageLater, []);
  return (
    <SignInCard title={shop ? t("shell.sign-in-to", { shop: shop.name }) : t("shell.sign-in-to-holdfast")}>
      <p class="soft">{t("shell.checks-every-order-for-fraud-before")}</p>
      {ended && <Notice>{t("shell.your-session-has-ended-sign-in")}</Notice>}
      <form class="stack below" onSubmit={(event) => (event.preventDefault(), submit())}>
        {content}
        {button}
      </form>
      <OtherShops />
    </SignInCard>
  );
}

/** The field takes the focus with it when the page replaces it. */
function focusPageLater(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById("main")?.focus();
  });
}

/** Shown in a platform's frame when its script didn't load or gave no session: what to do. */
export function BlockedView({ hasEnded }: { readonly hasEnded: boolean }) {
  return (
    <SignInCard
      title={hasEnded ? t("shell.your-session-has-ended") : t("shell.couldnt-load-the-platforms-sign-in")}
    >
      <Notice tone="warn">
        {hasEnded ? t("shell.your-draft-is-still-here-try") : t("shell.a-content-blocker-or-the-network")}
      </Notice>
      <div class="row">
        <Button
          label={hasEnded ? t("shell.try-again") : t("shell.reload")}
          look="primary"
          icon="refresh"
          onClick={() => (hasEnded ? void findSession().catch(() => undefined) : location.reload())}
        />
        <a class="button" href={location.pathname} target="_blank" rel="noreferrer">
          {t("shell.open-in-new-window")}
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

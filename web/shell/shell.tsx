import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { Button, Icon } from "../components/button.tsx";
import { Empty, Figure, Page } from "../components/panel.tsx";
import type { Session } from "../data/api/api-types.ts";
import { reviewCount } from "../data/orders/review.ts";
import { formatCount } from "../data/base/format.ts";
import { rich } from "../data/base/texts.ts";
import { countWaiting, type Overview } from "../data/reports/overview.ts";
import { FIRST_VIEW, navigate, toPath, useRoute } from "../data/shell/route.ts";
import { isEmbedded } from "../data/api/session.ts";
import { getShopKey } from "../data/api/shop.ts";
import { UNDO_SECONDS } from "../data/orders/undo.ts";
import { onChange } from "../data/api/changes.ts";
import { useLoad } from "../data/api/use-load.ts";
import { useValue } from "../data/base/value.ts";
import { FirstRun } from "../views/settings/setup-steps.tsx";
import { VIEWS } from "../views/views.ts";
import { CommandPalette } from "./command-palette.tsx";
import { showShortcutHelp } from "./shortcut-help.tsx";
import { ShopButton, ShopSwitcher } from "./shop-switcher.tsx";
import { shops } from "../data/shell/shops.ts";
import { PersonMenu } from "./person-menu.tsx";
import { type Shortcut, useShortcuts } from "../data/shell/keyboard.ts";
import { SETTINGS_PARTS } from "../data/settings/settings.ts";
import { t } from "../data/base/texts.ts";

/** Slow, because the number beside "Queue" is only a hint. The queue itself is exact. */
const OVERVIEW_POLL_MS = 60_000;

/** By then, a change is in the server's numbers, which may be 5 s old. */
const COUNTED_MS = 5_500;

/** The wait after a decision: by then, it's usually carried out and in the server's numbers, which may be 5 s old. */
const CARRIED_OUT_MS = UNDO_SECONDS * 1_000 + 6_000;

/** The figures of the day. They are counted again after decisions and other changes. */
function useOverview() {
  const overview = useLoad("GET /overview", { query: { days: 1 }, pollMs: OVERVIEW_POLL_MS });
  const decisions = useValue(reviewCount);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onChange(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        overview.reload();
      }, COUNTED_MS);
    });
    return () => (stop(), clearTimeout(timer));
  }, []);
  useEffect(() => {
    if (decisions === 0) return undefined;
    const timer = setTimeout(overview.reload, CARRIED_OUT_MS);
    return () => clearTimeout(timer);
  }, [decisions]);
  return overview;
}

/** The tab's title. In a browser with several shops, it names the shop. */
function useTitle(view: string, waiting: number): void {
  const all = useValue(shops);
  const mine = all.length > 1 ? all.find(({ key }) => key === getShopKey()) : undefined;
  const title = [view, mine?.name, "Holdfast"].filter(Boolean).join(" · ");
  const counted = waiting === 0 ? title : `(${formatCount(waiting)}) ${title}`;
  useEffect(() => void (document.title = counted), [counted]);
}

/** A new view gets the focus, so that it's read from its start. The first one leaves the focus to the browser. */
function useFocusedView(view: string) {
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
    scrollTo(0, 0);
  }, [view]);
  return main;
}

/** The signed-in page: the view in the URL, and, unless a platform's admin has them, a top bar with the navigation. */
export function Shell({ session }: { readonly session: Session }) {
  const route = useRoute();
  const overview = useOverview();
  const view = VIEWS.find(({ id }) => id === route.view);
  const main = useFocusedView(route.view);
  const waiting = countWaiting(overview.data?.queue);
  useTitle(view?.title ?? t("shell.not-found"), waiting);
  useShortcuts(PLACES, 0);
  const isShadow = overview.data?.mode === "shadow";
  const end = <BarEnd session={session} />;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        {t("shell.skip-to-content")}
      </a>
      {isEmbedded ? (
        isShadow && <p class="watch-only">{t("shell.watch-only-lead")}</p>
      ) : (
        <TopBar isShadow={isShadow} end={end}>
          <Navigation active={route.view} waiting={waiting} />
        </TopBar>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        {view === undefined ? (
          <NoSuchView />
        ) : (
          <SafeView key={view.id}>
            <Content overview={overview.data} isEmpty={waiting === 0}>
              <view.component />
            </Content>
          </SafeView>
        )}
      </main>
      {isEmbedded && <div class="session-foot line end">{end}</div>}
      <ShopSwitcher />
      <CommandPalette />
    </>
  );
}

interface ContentProps {
  readonly overview: Overview | null;
  readonly isEmpty: boolean;
  readonly children: ComponentChildren;
}

/** The view, below the key figures if it's the queue, or what there is to do first in a new shop. */
function Content({ overview, isEmpty, children }: ContentProps) {
  const { view, id } = useRoute();
  const isQueue = view === FIRST_VIEW && id === null;
  return (
    <FirstRun isEmpty={isQueue && overview !== null && isEmpty} isOpened={id !== null}>
      {isQueue && <KeyFigures overview={overview} />}
      {children}
    </FirstRun>
  );
}

/** Every view and every part of the settings, for the command palette. */
const PLACES: readonly Shortcut[] = [
  ...VIEWS.map(({ id, title }) => [title, { view: id }] as const),
  ...SETTINGS_PARTS.map(
    ([id, title]) => [t("shell.part-of-settings", { title }), { view: "settings", id }] as const,
  ),
].map(([title, route]) => ({ keys: [], label: t("shell.go-to", { title }), run: () => navigate(route) }));

function BarEnd({ session }: { readonly session: Session }) {
  return (
    <>
      <Button
        label={t("shell.keyboard-shortcuts")}
        icon="help"
        iconOnly
        onClick={showShortcutHelp}
        shortcut="?"
      />
      <PersonMenu session={session} canSignOut={!isEmbedded} />
    </>
  );
}

const SHADOW = t("shell.holdfast-records-decisions-without-changing-orders");

interface TopBarProps {
  readonly isShadow: boolean;
  readonly end: ComponentChildren;
  readonly children: ComponentChildren;
}

function TopBar({ isShadow, end, children }: TopBarProps) {
  // The shop's name takes the place of ours.
  const hasShops = useValue(shops).length > 1;
  return (
    <header class="top-bar line">
      <a class="brand" href={toPath({})}>
        <img src="/assets/favicon.svg" alt="" width="22" height="22" />
        <span class={hasShops ? "unseen" : undefined}>Holdfast</span>
      </a>
      <ShopButton />
      {children}
      <div class="top-bar-end line push">
        {/* It keeps its space, so that nothing moves when the mode is known. */}
        <span class="chip" data-off={isShadow ? undefined : "true"} title={SHADOW}>
          {t("shell.watch-only")}
        </span>
        {end}
      </div>
    </header>
  );
}

function Navigation({ active, waiting }: { readonly active: string; readonly waiting: number }) {
  return (
    <nav class="grow" aria-label={t("shell.views")}>
      <ul>
        {VIEWS.map(({ id, title }) => (
          <li key={id}>
            <a class="line" href={toPath({ view: id })} aria-current={id === active ? "page" : undefined}>
              <Icon name={id} />
              {title}
              {id === "queue" && (
                <span class="count" data-off={waiting === 0 ? "true" : undefined}>
                  {rich("shell.waiting", {
                    count: waiting > 99 ? "99+" : String(waiting),
                    unseen: (text) => <span class="unseen">{text}</span>,
                  })}
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NoSuchView() {
  return (
    <Page title={t("shell.not-found")}>
      <Empty title={t("shell.this-page-doesnt-exist")}>
        <Button label={t("shell.go-to-the-queue")} onClick={() => navigate({})} />
      </Empty>
    </Page>
  );
}

/** Keeps an error in one view from breaking the whole page. Give it a `key` that changes with the view. */
function SafeView({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary(reportError);
  if (error === undefined) return <>{children}</>;
  return (
    <Page title={t("shell.this-page-couldnt-be-displayed")}>
      <Empty title={t("shell.something-went-wrong")} icon="warning" role="alert">
        <p>{t("shell.your-decisions-are-saved")}</p>
        <div class="row">
          <Button label={t("shell.try-again")} look="primary" onClick={reset} />
          <Button label={t("shell.reload-page")} onClick={() => location.reload()} />
        </div>
      </Empty>
    </Page>
  );
}

/** The key figures above the queue. Their space is reserved until they are loaded. */
function KeyFigures({ overview }: { readonly overview: Overview | null }) {
  const { held, failed } = overview?.queue ?? {};
  const today = overview?.days.at(-1);
  const checked = today && today.low + today.medium + today.high + today.critical + today.unjudged;
  const figures = [
    [t("shell.orders-today"), checked, { view: "overview" }],
    [t("shell.held-for-review"), held],
    [t("shell.cancel-decisions-today"), today?.cancel, { view: "overview" }],
    [
      t("shell.needs-attention"),
      failed,
      { view: "orders", query: { state: "failed" } },
      failed ? "bad" : undefined,
    ],
  ] as const;
  return (
    <section class="figures stack gap-3 home-figures" aria-label={t("shell.key-figures")}>
      {figures.map(([label, count, route, tone]) => (
        <Figure
          key={label}
          label={label}
          value={count === undefined ? "–" : formatCount(count)}
          href={route && toPath(route)}
          tone={tone}
        />
      ))}
    </section>
  );
}

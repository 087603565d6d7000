import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useRef, useState } from "preact/hooks";
import { ActionButton } from "../components/action-button.tsx";
import { Button, Icon } from "../components/button.tsx";
import { Empty, Figure, Page, Facts } from "../components/panel.tsx";
import type { Session } from "../data/api/api-types.ts";
import { reviewCount } from "../data/orders/review.ts";
import { formatCount } from "../data/base/format.ts";
import { countWaiting, type Overview } from "../data/reports/overview.ts";
import { FIRST_VIEW, navigate, toPath, useRoute } from "../data/shell/route.ts";
import { isEmbedded } from "../data/api/session.ts";
import { UNDO_SECONDS } from "../data/orders/undo.ts";
import { useLoad } from "../data/api/use-load.ts";
import { useValue } from "../data/base/value.ts";
import { FirstRun } from "../views/settings/setup-steps.tsx";
import { VIEWS } from "../views/views.ts";
import { showShortcutHelp, ShortcutsCheck } from "./shortcut-help.tsx";
import { Dialog } from "../components/dialog.tsx";
import { signOut } from "../data/shell/sign-in.ts";
import { nameRole } from "../data/settings/settings.ts";
import { nameActor } from "../data/api/words.ts";

/** Slow, because the number beside "Queue" is only a hint. The queue itself is exact. */
const OVERVIEW_POLL_MS = 60_000;

/** The wait after a decision: by then, it's usually carried out and in the server's numbers, which may be 5 s old. */
const CARRIED_OUT_MS = UNDO_SECONDS * 1_000 + 6_000;

/** The signed-in page: the view in the URL, and, unless a platform's admin has them, a top bar with the navigation. */
export function Shell({ session }: { readonly session: Session }) {
  const route = useRoute();
  const overview = useLoad("GET /overview", { query: { days: 1 }, pollMs: OVERVIEW_POLL_MS });
  const decisions = useValue(reviewCount);
  useEffect(() => {
    if (decisions === 0) return undefined;
    const timer = setTimeout(overview.reload, CARRIED_OUT_MS);
    return () => clearTimeout(timer);
  }, [decisions]);
  const view = VIEWS.find(({ id }) => id === route.view);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${view?.title ?? "Not found"} · Holdfast`;
    // A new view gets the focus, so that it's read from its start. The first one leaves the focus to the browser.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
    scrollTo(0, 0);
  }, [route.view]);
  const waiting = countWaiting(overview.data?.queue);
  const isQueue = route.view === FIRST_VIEW && route.id === null;
  const isShadow = overview.data?.mode === "shadow";
  const end = (
    <>
      <Button label="Keyboard shortcuts" icon="help" iconOnly onClick={showShortcutHelp} shortcut="?" />
      <PersonMenu session={session} canSignOut={!isEmbedded} />
    </>
  );
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to content
      </a>
      {isEmbedded ? (
        isShadow && <p class="watch-only">{`Watch only: ${SHADOW}`}</p>
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
            <FirstRun
              isEmpty={isQueue && overview.data !== null && waiting === 0}
              isOpened={route.id !== null}
            >
              {isQueue && <KeyFigures overview={overview.data} />}
              <view.component />
            </FirstRun>
          </SafeView>
        )}
      </main>
      {isEmbedded && <div class="session-foot line end">{end}</div>}
    </>
  );
}

const SHADOW = "Holdfast records decisions without changing orders.";

interface TopBarProps {
  readonly isShadow: boolean;
  readonly end: ComponentChildren;
  readonly children: ComponentChildren;
}

function TopBar({ isShadow, end, children }: TopBarProps) {
  return (
    <header class="top-bar line">
      <a class="brand" href={toPath({})}>
        <img src="/assets/favicon.svg" alt="" width="22" height="22" />
        Holdfast
      </a>
      {children}
      <div class="top-bar-end line push">
        {/* It keeps its space, so that nothing moves when the mode is known. */}
        <span class="chip" data-off={isShadow ? undefined : "true"} title={SHADOW}>
          Watch only
        </span>
        {end}
      </div>
    </header>
  );
}

function Navigation({ active, waiting }: { readonly active: string; readonly waiting: number }) {
  return (
    <nav class="grow" aria-label="Views">
      <ul>
        {VIEWS.map(({ id, title }) => (
          <li key={id}>
            <a class="line" href={toPath({ view: id })} aria-current={id === active ? "page" : undefined}>
              <Icon name={id} />
              {title}
              {id === "queue" && (
                <span class="count" data-off={waiting === 0 ? "true" : undefined}>
                  {waiting > 99 ? "99+" : waiting}
                  <span class="unseen"> waiting</span>
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
    <Page title="Not found">
      <Empty title="This page doesn't exist">
        <Button label="Go to the queue" onClick={() => navigate({})} />
      </Empty>
    </Page>
  );
}

/** Keeps an error in one view from breaking the whole page. Give it a `key` that changes with the view. */
function SafeView({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary(reportError);
  if (error === undefined) return <>{children}</>;
  return (
    <Page title="This page couldn't be displayed">
      <Empty title="Something went wrong" icon="warning" role="alert">
        <p>Your decisions are saved.</p>
        <div class="row">
          <Button label="Try again" look="primary" onClick={reset} />
          <Button label="Reload page" onClick={() => location.reload()} />
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
    ["Orders today", checked, { view: "overview" }],
    ["Held for review", held],
    ["Cancel decisions today", today?.cancel, { view: "overview" }],
    ["Needs attention", failed, { view: "orders", query: { state: "failed" } }, failed ? "bad" : undefined],
  ] as const;
  return (
    <section class="figures stack gap-3 home-figures" aria-label="Key figures">
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

type PersonMenuProps = { readonly session: Session; readonly canSignOut: boolean };

export function PersonMenu({ session, canSignOut }: PersonMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const name = session.name ?? nameActor(session.actor);
  return (
    <>
      <button type="button" class="bare person line" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span class="unseen">Signed in as </span>
        <span class="person-words stack gap-0">
          <span class="person-name strong clip">{name}</span>
          <span class="person-shop fine clip">{session.shop ?? session.role}</span>
        </span>
        <span class="avatar" aria-hidden="true">
          {String.fromCodePoint(name.codePointAt(0) ?? 0x2022).toUpperCase()}
        </span>
      </button>
      {isOpen && (
        <Dialog
          title={name}
          onClose={() => setOpen(false)}
          foot={canSignOut && <ActionButton label="Sign out" onAct={signOut} />}
        >
          <Facts
            facts={[
              ["Role", nameRole(session.role)],
              ["Shop", session.shop ?? session.tenant],
              ["Orders are checked by", JUDGES[session.about.verification] ?? session.about.verification],
              ["Version", session.about.version],
            ]}
          />
          <ShortcutsCheck />
        </Dialog>
      )}
    </>
  );
}

const JUDGES: Readonly<Record<string, string>> = {
  service: "The verification service",
  local: "The local engine only (never cancels)",
};

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { sessionState } from "./session.ts";
import { asApiError, call, isAborted, type Answer, type ApiError, type CallOptions } from "./api.ts";
import type { DataOf, GetRoute, PagedRoute, ParamsFor, QueryFor } from "./api-types.ts";
import { isLive, onChange } from "./changes.ts";
import { findKept, keep, toLoadKey } from "./kept.ts";
import { showFailure } from "./messages.ts";

export interface Load<T> {
  /** Null until it's loaded. */
  readonly data: T | null;
  readonly etag: string | null;
  /** The last error; earlier data stays. */
  readonly error: ApiError | null;
  readonly loading: boolean;
  readonly reload: () => void;
  /** Replace the data with the answer to a change. */
  readonly replace: (data: T, etag?: string | null) => void;
}

export type LoadOptions<R extends GetRoute> = ParamsFor<R> & {
  readonly query?: QueryFor<R>;
  /**
   * Load again this often while the page is visible, in ms. Default: never. At most every five seconds: also at once when the
   * server tells of a change, and then rarely without one.
   */
  readonly pollMs?: number | undefined;
};

type State<T> = Omit<Load<T>, "reload" | "replace"> & { readonly key: string | null };

function toStart<T>(key: string | null): State<T> {
  const { data, etag } = findKept(key) ?? { data: null, etag: null };
  return { key, data: data as T | null, etag, error: null, loading: key !== null };
}

/**
 * Load from the API, again whenever route, parameters or query change; null loads nothing. A request that nobody waits
 * for any more is aborted. Polling asks with the ETag, stops in hidden pages and respects `Retry-After`.
 */
export function useLoad<R extends GetRoute>(
  route: R | null,
  ...[options]: Partial<LoadOptions<R>> extends LoadOptions<R> ? [LoadOptions<R>?] : [LoadOptions<R>]
): Load<DataOf<R>> {
  type T = DataOf<R>;
  const { pollMs, ...request } = options ?? {};
  const key = route === null ? null : toLoadKey(route, request);
  const [state, setState] = useState<State<T>>(() => toStart<T>(key));
  const [asked, setAsked] = useState(0);
  const shown = state.key === key ? state : toStart<T>(key);
  const latest = useRef(shown);
  latest.current = shown;

  useEffect(() => {
    if (key === null || route === null) return undefined;
    // An answer to the former question can arrive between a render and its effect. It isn't this one's.
    const known = () => (latest.current.key === key ? latest.current : toStart<T>(key));
    const update = (changes: Partial<State<T>>) => {
      latest.current = { ...known(), ...changes };
      setState(latest.current);
    };
    // The route's other options are in the request.
    const ask: Question<T>["ask"] = (more) =>
      call(route, { ...request, ...more } as unknown as CallOptions<R>);
    return startLoading<T>({ key, ask, pollMs }, known, update);
    // The key covers route and request.
  }, [key, pollMs, asked]);

  useEffect(() => onSignedInAgain(() => setAsked((count) => count + 1)), []);
  const reload = useCallback(() => setAsked((count) => count + 1), []);
  const replace = useCallback(
    (data: T, etag: string | null = null) => {
      if (key !== null) keep(key, { data, etag });
      setState({ key, data, etag, error: null, loading: false });
    },
    [key],
  );
  return { ...shown, reload, replace };
}

/** Call `listener` whenever somebody signs in again. Returns a function that stops this. */
function onSignedInAgain(listener: () => void): () => void {
  let before = sessionState.get().status;
  return sessionState.subscribe(() => {
    const { status } = sessionState.get();
    if (status === "signed-in" && before !== "signed-in") listener();
    before = status;
  });
}

function isIdle(): boolean {
  return document.hidden || sessionState.get().status !== "signed-in";
}

interface Following {
  readonly askNow: () => void;
  readonly isAsking: () => boolean;
  /** The answer under way may be from before a change. */
  readonly onStale: () => void;
}

/** Ask again after a change, and when the server no longer tells of changes. */
function followChanges({ askNow, isAsking, onStale }: Following): () => void {
  const stops = [
    onChange(() => {
      if (isAsking()) onStale();
      else if (!isIdle()) askNow();
    }),
    isLive.subscribe(() => {
      if (!isLive.get() && !isAsking() && !isIdle()) askNow();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

interface Question<T> {
  readonly key: string;
  readonly ask: (options: {
    readonly signal: AbortSignal;
    readonly ifNoneMatch: string | null;
  }) => Promise<Answer<T>>;
  readonly pollMs: number | undefined;
}

/** What is asked for at least this often follows changes at once. */
const LIVE_POLL_MS = 5_000;
/** The pause while the server tells of changes: only in case it forgets one. */
const CHECK_MS = 60_000;

function startLoading<T>(
  { key, ask: request, pollMs }: Question<T>,
  known: () => State<T>,
  update: (changes: Partial<State<T>>) => void,
): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let isStale = false;
  const isFollowing = pollMs !== undefined && pollMs <= LIVE_POLL_MS;

  async function ask(): Promise<void> {
    isAsking = true;
    isStale = false;
    try {
      const answer = await request({ signal: stop.signal, ifNoneMatch: known().etag });
      if (stop.signal.aborted) return;
      if (answer.status === 304) {
        if (known().loading || known().error !== null) update({ loading: false, error: null });
      } else {
        keep(key, { data: answer.data, etag: answer.etag });
        update({ data: answer.data, etag: answer.etag, error: null, loading: false });
      }
      wait(isStale ? 0 : toPause(pollMs));
    } catch (error) {
      if (stop.signal.aborted || isAborted(error)) return;
      const problem = asApiError(error);
      update({ error: problem, loading: false });
      wait(pollMs === undefined ? undefined : Math.max(pollMs, problem.retryAfterMs ?? 0));
    } finally {
      isAsking = false;
    }
  }

  function toPause(ms: number | undefined): number | undefined {
    return isFollowing && isLive.get() ? CHECK_MS : ms;
  }

  function askNow(): void {
    clearTimeout(timer);
    void ask();
  }

  function wait(ms: number | undefined): void {
    if (ms === undefined || stop.signal.aborted) return;
    timer = setTimeout(() => (isIdle() ? undefined : void ask()), ms);
  }

  function onVisible(): void {
    if (isIdle() || pollMs === undefined) return;
    askNow();
  }

  if (!known().loading) update({ loading: true });
  void ask();
  document.addEventListener("visibilitychange", onVisible);
  const stopFollowing = isFollowing
    ? followChanges({ askNow, isAsking: () => isAsking, onStale: () => void (isStale = true) })
    : () => {};
  return () => {
    stopFollowing();
    stop.abort();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onVisible);
  };
}

/** Load a list's first page, and the others when asked to. */
export function usePages<R extends PagedRoute>(route: R, query: QueryFor<R>) {
  const load = (more: object) => ({ query: { ...query, ...more } }) as LoadOptions<R> & CallOptions<R>;
  const first = useLoad(route, load({}));
  const [more, setMore] = useState<readonly DataOf<R>[]>([]);
  useEffect(() => setMore([]), [first.data]);
  const pages = first.data === null ? [] : [first.data, ...more];
  const cursor = pages.at(-1)?.nextCursor ?? null;

  async function showMore(): Promise<void> {
    await call(route, load({ cursor })).then(({ data }) => setMore([...more, data]), showFailure);
  }

  return { first, pages, hasMore: cursor !== null, showMore };
}

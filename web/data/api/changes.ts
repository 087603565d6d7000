import { createValue } from "../base/value.ts";
import { sessionState, toAuthHeaders } from "./session.ts";

/** Whether the server tells this page of changes. Otherwise, the page polls. */
export const isLive = createValue(false);

/** Whether to listen while the page is hidden, too. */
export const listensHidden = createValue(false);

const listeners = new Set<() => void>();
const noticeListeners = new Set<(notice: unknown) => void>();
/** The first and the longest pause before the next attempt. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 60_000];

/** Call `listener` when the shop's orders have changed, until the returned function is called. */
export function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let restart = () => {};

/** Listen again: the person's notices have changed. */
export function listenAgain(): void {
  restart();
}

/** Call `listener` with each notice for the person's pages. */
export function onNotice(listener: (notice: unknown) => void): void {
  noticeListeners.add(listener);
}

/** Read a stream of server-sent events: calls `onEvent` with the name and the data of each. */
export async function readEvents(
  stream: ReadableStream<Uint8Array>,
  onEvent: (name: string, data: string) => void,
): Promise<void> {
  let text = "";
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const parts = (text + decoder.decode(read.value, { stream: true })).split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const find = (field: string) => new RegExp(`^${field}: (.*)$`, "m").exec(part)?.[1] ?? "";
      if (find("event") !== "") onEvent(find("event"), find("data"));
    }
  }
}

const NOTHING = {
  /** The newest notice that the page got; null before the server has said. */
  lastNotice: null as number | null,
  /** Something changed while the page was hidden. */
  isStale: false,
};
const seen = { ...NOTHING };

function tell(): void {
  seen.isStale = document.hidden;
  if (!seen.isStale) for (const listener of listeners) listener();
}

function hear(name: string, data: string): void {
  if (name === "orders") return tell();
  if (name === "notices") seen.lastNotice = (JSON.parse(data) as { after: number }).after;
  if (name !== "notice") return;
  const notice = JSON.parse(data) as { id: number };
  seen.lastNotice = notice.id;
  for (const listener of noticeListeners) listener(notice);
}

async function listen(signal: AbortSignal): Promise<void> {
  const { lastNotice } = seen;
  const path = lastNotice === null ? "/api/events" : `/api/events?after=${lastNotice}`;
  const response = await fetch(path, { headers: await toAuthHeaders(), signal, cache: "no-store" });
  if (!response.ok || response.body === null) throw new Error(`events: ${response.status}`);
  await readEvents(response.body, (name, data) => {
    isLive.set(true);
    hear(name, data);
  });
}

/**
 * Listen for changes and notices while somebody is signed in and the page is visible, or wants notices. `EventSource` can't
 * send a platform's token, so this reads the stream itself. The server ends each stream after a minute, and begins each with a
 * change: one may have been missed.
 */
export function startChanges(): void {
  let stop: AbortController | null = null;

  async function keepListening(signal: AbortSignal): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const wasLive = await listen(signal).then(
        () => true,
        () => false,
      );
      if (signal.aborted) return;
      if (wasLive) pauseMs = FIRST_PAUSE_MS;
      else {
        isLive.set(false);
        await pause(pauseMs, signal);
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
    }
  }

  function update(): void {
    const isSignedIn = sessionState.get().status === "signed-in";
    const isWanted = isSignedIn && (!document.hidden || listensHidden.get());
    if (seen.isStale && !document.hidden) tell();
    if (isWanted === (stop !== null)) return;
    stop?.abort();
    stop = isWanted ? new AbortController() : null;
    if (stop !== null) void keepListening(stop.signal);
    else isLive.set(false);
    // Another person may sign in.
    if (!isSignedIn) Object.assign(seen, NOTHING);
  }

  restart = () => {
    stop?.abort();
    stop = null;
    update();
  };

  sessionState.subscribe(update);
  listensHidden.subscribe(update);
  document.addEventListener("visibilitychange", update);
  update();
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

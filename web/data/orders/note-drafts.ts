import { call, isAborted } from "../api/api.ts";
import { getSession, sessionState } from "../api/session.ts";
import { createValue, useValue } from "../base/value.ts";

/** Notes that aren't saved yet, by order. */
type Drafts = Readonly<Record<string, string>>;

/** They are kept on the server, sealed: what is personal isn't left in the browser. */
const drafts = createValue<Drafts>({});
/** Typed since the server was told. */
const unsent = new Set<string>();
/** Whose they are. */
let owner = "";

/** Short enough that little is lost with a crash, and long enough that typing isn't a request per key. */
const PAUSE_MS = 400;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keep what is typed; blank text removes the draft. */
export function setNoteDraft(orderId: string, text: string): void {
  const { [orderId]: _before, ...others } = drafts.get();
  drafts.set(text === "" ? others : { ...others, [orderId]: text });
  unsent.add(orderId);
  clearTimeout(timer);
  timer = setTimeout(() => void sendDrafts(), PAUSE_MS);
}

/** What can't be sent now, because the session has ended or the network is away, is sent later. */
export async function sendDrafts(): Promise<void> {
  if (getSession() === null) return;
  for (const orderId of unsent) {
    unsent.delete(orderId);
    const body = { note: drafts.get()[orderId] ?? "" };
    await call("PUT /orders/:orderId/draft", { params: { orderId }, body }).catch((error: unknown) => {
      if (!isAborted(error)) unsent.add(orderId);
    });
    if (unsent.has(orderId)) return;
  }
}

/** The drafts of the person who signed in, with what they typed before their session ended. */
async function loadDrafts(): Promise<void> {
  const session = getSession();
  if (session === null) return;
  const now = `${session.tenant} ${session.actor}`;
  if (owner !== now) forgetNoteDrafts();
  owner = now;
  const known = await call("GET /drafts").catch(() => null);
  if (known === null || owner !== now) return;
  const typed = Object.fromEntries(Object.entries(drafts.get()).filter(([orderId]) => unsent.has(orderId)));
  const kept = Object.entries(known.data.drafts).filter(([orderId]) => !unsent.has(orderId));
  drafts.set({ ...Object.fromEntries(kept), ...typed });
  await sendDrafts();
}

/** Forget all drafts of this page, because somebody else may be here next. */
export function forgetNoteDrafts(): void {
  clearTimeout(timer);
  unsent.clear();
  owner = "";
  drafts.set({});
}

let status = sessionState.get().status;
sessionState.subscribe(() => {
  const before = status;
  ({ status } = sessionState.get());
  if (status === "signed-in" && before !== "signed-in") void loadDrafts();
});

/** Send what was typed a moment ago before the page goes. */
globalThis.addEventListener?.("pagehide", () => void sendDrafts());

/** The draft of an order's note, in a component that redraws when it changes. */
export function useNoteDraft(orderId: string): string {
  return useValue(drafts)[orderId] ?? "";
}

/** The orders with a draft, in a component that redraws when they change. */
export function useNoteDrafts(): Drafts {
  return useValue(drafts);
}

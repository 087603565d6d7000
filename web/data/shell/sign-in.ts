import { ApiError, call } from "../api/api.ts";
import type { DataOf, Session } from "../api/api-types.ts";
import { forgetLoaded } from "../api/kept.ts";
import { isEmbedded, sessionState } from "../api/session.ts";
import { getShopKey, leaveShop, setShopKey, SHOP_PARAMETER } from "../api/shop.ts";
import { setShopLocale } from "../base/format.ts";
import { forgetNoteDrafts, sendDrafts } from "../orders/note-drafts.ts";
import { forgetDecisions, sendNow, untilSaved } from "../orders/undo.ts";
import { getRoute, toPath } from "./route.ts";
import { findNextShop, forgetShops, noteShop, refreshShops } from "./shops.ts";

/** Who was signed in last. */
let lastActor: string | null = null;

function noteSignedIn(session: Session): void {
  if (!isEmbedded) setShopKey(session.shopKey);
  noteShop(session);
  lastActor = session.actor;
  setShopLocale(session);
  sessionState.set({ status: "signed-in", session });
}

/** Find out who is signed in, at the start and after a break. Rejects when the server gives no answer. */
export async function findSession(): Promise<void> {
  try {
    const { data } = await call("GET /session").catch(chooseShop);
    noteSignedIn(data);
  } catch (error) {
    // 401 and a missing platform script were noted where they happened.
    if (error instanceof ApiError && (error.status === 401 || sessionState.get().status === "blocked"))
      return;
    throw error;
  }
}

/** The address names none of several shops: open the one that was used last. */
async function chooseShop(error: unknown) {
  if (!(error instanceof ApiError) || error.code !== "SHOP_REQUIRED") throw error;
  await refreshShops();
  const next = findNextShop();
  if (next !== undefined) setShopKey(next.key);
  return call("GET /session");
}

export type NewSession = DataOf<"POST /session">;

/** Sign in with a token; the server answers with a cookie that scripts cannot read. */
export async function signIn(token: string): Promise<NewSession> {
  return (await call("POST /session", { body: { token } })).data;
}

/** Show the shop that somebody signed in to: here, if this is its document. */
export async function enter(session: NewSession): Promise<void> {
  if ((getShopKey() ?? session.shopKey) !== session.shopKey) return openShop(session.shopKey);
  forgetLoaded();
  if (lastActor !== session.actor) forgetDecisions();
  noteSignedIn(session);
}

/** Change to another shop. It keeps the view, and nothing else. */
export async function openShop(key: string): Promise<void> {
  await finish();
  const address = new URL(toPath({ view: getRoute().view }), location.origin);
  address.searchParams.set(SHOP_PARAMETER, key);
  location.assign(address);
}

/** Nothing can be undone or typed after leaving, so what is pending is done now, in its own shop. */
async function finish(): Promise<void> {
  await untilSaved();
  await sendNow();
  await sendDrafts();
}

/** Sign out of this shop, and change to another one with a session. */
export async function signOut(): Promise<void> {
  await finish();
  await call("DELETE /session");
  const key = getShopKey();
  forget();
  if (key !== null) forgetShops(key);
  // Without an answer, the person can still choose a shop.
  await refreshShops().catch(() => undefined);
  const next = findNextShop();
  sessionState.set({ status: "signed-out" });
  if (next !== undefined) await openShop(next.key);
}

export async function signOutOfAll(): Promise<void> {
  await finish();
  await call("DELETE /sessions");
  forget();
  forgetShops();
  sessionState.set({ status: "signed-out" });
}

function forget(): void {
  leaveShop();
  forgetLoaded();
  forgetNoteDrafts();
}

import { ApiError, call } from "../api/api.ts";
import { setShopLocale } from "../base/format.ts";
import { forgetLoaded } from "../api/use-load.ts";
import type { Session } from "../api/api-types.ts";
import { sessionState } from "../api/session.ts";
import { forgetDecisions, sendNow } from "../orders/undo.ts";

/** Who was signed in last. */
let last = "";

function noteSignedIn(session: Session): void {
  last = `${session.tenant} ${session.actor}`;
  setShopLocale(session);
  sessionState.set({ status: "signed-in", session });
}

/** Find out who is signed in, at the start and after a break. Rejects when the server gives no answer. */
export async function findSession(): Promise<void> {
  try {
    const { data } = await call("GET /session");
    noteSignedIn(data);
  } catch (error) {
    // 401 and a missing platform script were noted where they happened.
    if (error instanceof ApiError && (error.status === 401 || sessionState.get().status === "blocked"))
      return;
    throw error;
  }
}

/** Sign in with a token; the server answers with a cookie that scripts cannot read. */
export async function signIn(token: string): Promise<void> {
  const { data } = await call("POST /session", { body: { token } });
  forgetLoaded();
  if (last !== `${data.tenant} ${data.actor}`) forgetDecisions();
  noteSignedIn(data);
}

export async function signOut(): Promise<void> {
  await sendNow();
  await call("DELETE /session");
  forgetLoaded();
  sessionState.set({ status: "signed-out" });
}

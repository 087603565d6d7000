import type { Role, Session } from "./api-types.ts";
import { createValue } from "../base/value.ts";
import { getShopKey } from "./shop.ts";
import { t } from "../base/texts.ts";

/**
 * Whether somebody is signed in. `blocked`: the page is inside a platform's frame whose script didn't load or gave no
 * token, so that nobody can sign in here. `ended`: the server no longer accepts the session.
 */
export type SessionState =
  | { readonly status: "starting" | "signed-out" | "blocked" | "ended" }
  | { readonly status: "signed-in"; readonly session: Session };

export const sessionState = createValue<SessionState>({ status: "starting" });

/** Whether the page runs in a platform's frame. */
export const isEmbedded = globalThis.document?.documentElement.dataset["embedded"] === "true";

const TOKEN_TIMEOUT_MS = 8_000;

/** The part of the platform's script that the page uses. */
interface PlatformBridge {
  readonly idToken?: () => Promise<string>;
  readonly scopes?: { request: (scopes: readonly string[]) => Promise<unknown> };
  readonly saveBar?: {
    show(id: string): Promise<void>;
    hide(id: string): Promise<void>;
    /** Resolves when nothing is unsaved, or when the person leaves anyway. */
    leaveConfirmation(): Promise<void>;
  };
}

/** The platform's script; undefined until it is loaded, and outside its frame. */
export function findBridge(): PlatformBridge | undefined {
  return isEmbedded ? (globalThis as { shopify?: PlatformBridge }).shopify : undefined;
}

/** The platform's script couldn't provide a session token. */
export class BridgeError extends Error {
  override readonly name = "BridgeError";
}

/** Headers that identify the caller: the platform's session token in its frame; elsewhere, which shop's cookie counts. */
export async function toAuthHeaders(): Promise<Readonly<Record<string, string>>> {
  const shopKey = getShopKey();
  if (!isEmbedded) return shopKey === null ? {} : { "X-Holdfast-Shop": shopKey };
  const bridge = findBridge();
  if (bridge?.idToken === undefined) throw new BridgeError("the platform's script didn't load");
  const token = await Promise.race([bridge.idToken(), rejectLater()]);
  return { Authorization: `Bearer ${token}` };
}

function rejectLater(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(
      () => reject(new BridgeError("the platform's script didn't return a token")),
      TOKEN_TIMEOUT_MS,
    );
  });
}

/** The server doesn't accept the session. */
export function noteSignedOut(): void {
  const { status } = sessionState.get();
  sessionState.set({ status: status === "signed-in" || status === "ended" ? "ended" : "signed-out" });
}

export function getSession(): Session | null {
  const state = sessionState.get();
  return state.status === "signed-in" ? state.session : null;
}

export function isMe(actor: string): boolean {
  return getSession()?.actor === actor;
}

const ROLES: readonly Role[] = ["viewer", "reviewer", "owner"];

export function isAllowed(needed: Role): boolean {
  const session = getSession();
  return session !== null && ROLES.indexOf(session.role) >= ROLES.indexOf(needed);
}

/** Why a control is disabled for the signed-in user; undefined when it isn't. */
export function toRoleReason(needed: Role): string | undefined {
  return isAllowed(needed) ? undefined : t("api.requires-role", { role: needed });
}

import { call } from "../api/api.ts";
import type { DataOf, Session } from "../api/api-types.ts";
import { isEmbedded } from "../api/session.ts";
import { getShopKey, nameInAddress } from "../api/shop.ts";
import { readStored, store } from "../base/storage.ts";
import { createValue } from "../base/value.ts";
import { drawAddress } from "./route.ts";

/** A shop that this browser was signed in to. */
export interface Shop {
  readonly key: string;
  readonly tenant: string;
  readonly name: string;
}

export interface ListedShop extends Shop {
  readonly isSignedIn: boolean;
}

/** Their name in this browser's storage. Only names of shops are stored, and only until the person signs out. */
const KEY = "holdfast.shops";
/** As many as the server keeps sessions of. */
const MOST_SHOPS = 20;

/** The shops that this browser was signed in to, the last used one first. */
export const shops = createValue<readonly ListedShop[]>([]);

type Signed = Pick<DataOf<"GET /sessions">["sessions"][number], "shopKey" | "tenant" | "shop">;

const toShop = ({ shopKey, tenant, shop }: Signed): Shop => ({
  key: shopKey,
  tenant,
  name: shop ?? tenant,
});

/** What another version of the page, or somebody with the browser's tools, has stored may have any shape. */
export function parseShops(stored: unknown): readonly Shop[] {
  const all: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return all.filter(isShop).slice(0, MOST_SHOPS);
}

function isShop(one: unknown): one is Shop {
  if (typeof one !== "object" || one === null) return false;
  const { key, tenant, name } = one as Partial<Record<keyof Shop, unknown>>;
  return [key, tenant, name].every((text) => typeof text === "string" && text !== "");
}

/** Different names for different shops. */
function nameShops<T extends Shop>(all: readonly T[]): readonly T[] {
  const isAlone = (name: string) => all.filter((one) => one.name === name).length === 1;
  return all.map((one) => (isAlone(one.name) ? one : { ...one, name: one.tenant }));
}

/** Known shops and those with a session, each once. */
export function mergeShops(known: readonly Shop[], live: readonly Shop[]): readonly ListedShop[] {
  const byKey = new Map(live.map((one) => [one.key, one]));
  const isKnown = new Set(known.map(({ key }) => key));
  // What the server says counts more than what is stored.
  const all = [
    ...known.map((one) => byKey.get(one.key) ?? one),
    ...live.filter(({ key }) => !isKnown.has(key)),
  ];
  return nameShops(all).map((one) => ({ ...one, isSignedIn: byKey.has(one.key) }));
}

const readKnown = () => parseShops(readStored(() => localStorage, KEY));

function show(all: readonly ListedShop[]): void {
  shops.set(all);
  if (all.length < 2 || getShopKey() === null) return;
  nameInAddress();
  drawAddress();
}

function remember(all: readonly Shop[]): void {
  store(
    () => localStorage,
    KEY,
    all.slice(0, MOST_SHOPS).map(({ key, tenant, name }) => ({ key, tenant, name })),
  );
}

/** Somebody is signed in to this shop. */
export function noteShop(session: Session): void {
  if (isEmbedded) return;
  const mine = toShop(session);
  const others = readKnown().filter(({ key }) => key !== mine.key);
  remember([mine, ...others]);
  // Until the server has said which of them have ended.
  show(mergeShops([mine, ...others], [mine, ...others]));
  if (others.length > 0) void refreshShops().catch(() => undefined);
}

/** Ask the server which shops this browser is signed in to. Rejects with an `ApiError`. */
export async function refreshShops(): Promise<void> {
  const { data } = await call("GET /sessions");
  show(mergeShops(readKnown(), data.sessions.map(toShop)));
}

/** The person signed out of a shop, or of all. */
export function forgetShops(key?: string): void {
  const left = key === undefined ? [] : readKnown().filter((one) => one.key !== key);
  remember(left);
  shops.set(key === undefined ? [] : shops.get().filter((one) => one.key !== key));
}

/** The shop that was used last, of those with a session; undefined if there is none. */
export function findNextShop(): ListedShop | undefined {
  return shops.get().find(({ key, isSignedIn }) => isSignedIn && key !== getShopKey());
}

/** Follow what other tabs of this browser do. */
export function startShops(): void {
  addEventListener("storage", ({ key }) => {
    if (key === KEY && !isEmbedded) void refreshShops().catch(() => undefined);
  });
  // A page that the browser kept may show a shop that the person has signed out of since.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}

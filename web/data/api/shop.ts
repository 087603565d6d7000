import { readStored, store } from "../base/storage.ts";

/** The parameter of the page's address that says which shop it shows, where a browser is signed in to several. */
export const SHOP_PARAMETER = "in";

/** Its name in the tab's storage, which a reload keeps. */
const TAB_KEY = "holdfast.shop";

function toKey(text: unknown): string | null {
  return typeof text === "string" && /^[\w-]{16}$/.test(text) ? text : null;
}

/** The shop that an address names; null if it names none. */
export function findShopKey(search: string): string | null {
  return toKey(new URLSearchParams(search).get(SHOP_PARAMETER));
}

const asked = findShopKey(globalThis.location?.search ?? "");
let shopKey = asked ?? toKey(readStored(() => sessionStorage, TAB_KEY));
let isInAddress = asked !== null;

/**
 * The shop of this document; null until it's known. It never changes: another shop is another document, so nothing that was
 * loaded, typed or decided here can reach it.
 */
export function getShopKey(): string | null {
  return shopKey;
}

/** This document is the shop's from now on. */
export function setShopKey(key: string): void {
  shopKey ??= key;
  store(() => sessionStorage, TAB_KEY, shopKey);
}

/** A reload doesn't lead back to the shop, because the person signed out of it. */
export function leaveShop(): void {
  store(() => sessionStorage, TAB_KEY, null);
}

/** Have the page's address name the shop, so that a bookmark leads to it. */
export function nameInAddress(): void {
  isInAddress = true;
}

/** The shop in the page's address; null while the address names none. */
export function toShopParameter(): string | null {
  return isInAddress ? shopKey : null;
}

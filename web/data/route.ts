import { createValue, useValue, type Value } from "./value.ts";

/** A location in the console: `#/queue/4711?level=high`. */
export interface Route {
  /** First part of the path, `queue` when there is none. */
  readonly view: string;
  /** Second part of the path: what is opened in the view. */
  readonly id: string | null;
  /** Filters; empty ones are left out. */
  readonly query: Readonly<Record<string, string>>;
}

/** The view that opens first. */
export const FIRST_VIEW = "queue";

/** Read the part of an address behind `#`. Whatever it is, it leads somewhere. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const [view = "", id = ""] = path.split("/").map(decode);
  return {
    view: view === "" ? FIRST_VIEW : view,
    id: id === "" ? null : id,
    query: Object.fromEntries([...new URLSearchParams(query)].filter(([, value]) => value !== "")),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a route, for a link's `href`: the same for the same route. */
export function toHash(route: Partial<Route>): string {
  const { view = FIRST_VIEW, id = null, query = {} } = route;
  const entries = Object.entries(query).filter(([, value]) => value !== "");
  const search = new URLSearchParams(entries.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString();
  const path =
    id === null ? encodeURIComponent(view) : `${encodeURIComponent(view)}/${encodeURIComponent(id)}`;
  return `#/${path}${search === "" ? "" : `?${search}`}`;
}

/** Where an address leads: a platform's menu names the view in the query (`/?view=report`), the page itself behind `#`. */
export function parseAddress({ hash, search }: Pick<Location, "hash" | "search">): Route {
  if (hash.length > 1) return parseRoute(hash);
  return parseRoute(encodeURIComponent(new URLSearchParams(search).get("view") ?? ""));
}

const current: Value<Route> = createValue(parseAddress(globalThis.location ?? { hash: "", search: "" }));
for (const event of ["hashchange", "popstate"]) {
  globalThis.addEventListener?.(event, () => current.set(parseAddress(location)));
}

/** The current route, in a component that redraws when it changes. */
export function useRoute(): Route {
  return useValue(current);
}

/** The current route, for handlers. */
export function getRoute(): Route {
  return current.get();
}

/**
 * Go somewhere. `replace`: without a step for the back button, as filters do while somebody types. What stands before
 * the `#` stays: the platform put `shop`, `host` and its own there.
 */
export function navigate(route: Partial<Route>, options: { readonly replace?: boolean } = {}): void {
  const hash = toHash(route);
  if (hash === location.hash) return;
  const address = `${location.pathname}${location.search}${hash}`;
  if (options.replace === true) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  current.set(parseRoute(hash));
}

/** Change filters of the view that is open, and nothing else; an empty one goes. */
export function setQuery(
  changes: Readonly<Record<string, string>>,
  options?: { readonly replace?: boolean },
): void {
  const route = current.get();
  navigate({ ...route, query: { ...route.query, ...changes } }, options);
}

/**
 * The view that an address of the page asks for, `/?view=orders&id=4711`; null when it asks for none. A platform's menu
 * leads here with whole addresses, since it knows nothing of what stands behind a `#`.
 */
export function parseViewAddress(address: string): Pick<Route, "view" | "id"> | null {
  const base = "https://page.invalid";
  if (!URL.canParse(address, base)) return null;
  const { origin, pathname, searchParams } = new URL(address, base);
  const view = searchParams.get("view") ?? "";
  if (origin !== base || pathname !== "/" || !/^[a-z-]+$/.test(view)) return null;
  return { view, id: searchParams.get("id") };
}

/** Open the view in the page's URL, then those of the platform's menu, without reloading. */
export function followPlatformLinks(): void {
  const asked = parseViewAddress(`${location.pathname}${location.search}`);
  if (asked !== null && location.hash === "") navigate(asked, { replace: true });
  // What the platform's script makes of a click in its menu, which is outside of the page.
  document.addEventListener("shopify:navigate", follow);
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("s-app-nav") !== null) follow(event);
  });
}

function follow(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest("[href]") : null;
  const asked = parseViewAddress(link?.getAttribute("href") ?? "");
  if (asked === null || event.defaultPrevented) return;
  event.preventDefault();
  const { view, id } = getRoute();
  if (view !== asked.view || id !== asked.id) navigate(asked);
}

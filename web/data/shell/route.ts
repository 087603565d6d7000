import { findBridge } from "../api/session.ts";
import { findShopKey, SHOP_PARAMETER, toShopParameter } from "../api/shop.ts";
import { createValue, useValue, type Value } from "../base/value.ts";

/** A location in the console: `/queue/4711?level=high`. */
export interface Route {
  /** First part of the path, `queue` when there is none. */
  readonly view: string;
  /** The second part of the path: the item that is open in the view. */
  readonly id: string | null;
  /** Filters; empty ones are left out. */
  readonly query: Readonly<Record<string, string>>;
}

/** The view that opens first, at `/`. */
export const FIRST_VIEW = "queue";

/** Parameters that a platform needs to open the page in its frame, in its language. Links keep them. */
const KEPT_PARAMETERS: readonly string[] = ["shop", "host", "embedded", "locale"];
/** Parameters that a platform adds to the page's address. They aren't filters. */
const PLATFORM_PARAMETERS: ReadonlySet<string> = new Set([
  ...KEPT_PARAMETERS,
  SHOP_PARAMETER,
  "appLoadId",
  "hmac",
  "id_token",
  "link_source",
  "protocol",
  "session",
  "timestamp",
]);

/** Read a path with its query. Any text leads to some route. */
export function parseRoute(address: string): Route {
  const [path = "", query = ""] = address.replace(/^\//, "").split("?", 2);
  const [view = "", id = ""] = path.split("/").map(decode);
  const filters = [...new URLSearchParams(query)].filter(
    ([name, value]) => value !== "" && !PLATFORM_PARAMETERS.has(name),
  );
  return {
    view: view === "" ? FIRST_VIEW : view,
    id: id === "" ? null : id,
    query: Object.fromEntries(filters),
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
export function toPath(route: Partial<Route>): string {
  const { view = FIRST_VIEW, id = null, query = {} } = route;
  const entries = Object.entries(query).filter(([, value]) => value !== "");
  const search = new URLSearchParams([
    ...entries.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ...toKept(globalThis.location?.search ?? ""),
  ]).toString();
  const isHome = view === FIRST_VIEW && id === null;
  const path = [isHome ? "" : view, ...(id === null ? [] : [id])].map(encodeURIComponent).join("/");
  return `/${path}${search === "" ? "" : `?${search}`}`;
}

function toKept(search: string): [string, string][] {
  const kept = [...new URLSearchParams(search)].filter(([name]) => KEPT_PARAMETERS.includes(name));
  const shopKey = toShopParameter();
  return shopKey === null ? kept : [...kept, [SHOP_PARAMETER, shopKey]];
}

type Address = Pick<Location, "pathname" | "search">;

const toRoute = ({ pathname, search }: Address) => parseRoute(pathname + search);

const current: Value<Route> = createValue(toRoute(globalThis.location ?? { pathname: "/", search: "" }));

/** The current route, in a component that redraws when it changes. */
export function useRoute(): Route {
  return useValue(current);
}

/** The current route, for handlers. */
export function getRoute(): Route {
  return current.get();
}

/** Write the address and the page's links again, because what they keep has changed. */
export function drawAddress(): void {
  const route = current.get();
  if (toPath(route) === location.pathname + location.search) return;
  history.replaceState(history.state, "", toPath(route));
  current.set({ ...route });
}

/** Go to a route. `replace`: without a step for the back button, as for filters while somebody types. */
export function navigate(route: Partial<Route>, options: { readonly replace?: boolean } = {}): void {
  const address = toPath(route);
  if (address === toPath(current.get())) return;
  if (options.replace === true) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  current.set(parseRoute(address));
}

/** Change filters of the open view, and nothing else. An empty filter is removed. */
export function setQuery(
  changes: Readonly<Record<string, string>>,
  options?: { readonly replace?: boolean },
): void {
  const route = current.get();
  navigate({ ...route, query: { ...route.query, ...changes } }, options);
}

/** The route that a link on the page leads to; null when it leads out of the console. */
export function parseLink(href: string, origin: string, views: readonly string[]): Route | null {
  if (!URL.canParse(href, origin)) return null;
  const url = new URL(href, origin);
  const route = toRoute(url);
  // Another shop is another document.
  const named = findShopKey(url.search);
  if (named !== null && named !== toShopParameter()) return null;
  return url.origin === origin && views.includes(route.view) ? route : null;
}

/** Normalize the page's address, then follow links to `views`, also those of a platform's menu, without reloading. */
export function followLinks(views: readonly string[]): void {
  const follow = (event: Event) => followLink(event, views);
  arrive();
  addEventListener("popstate", arrive);
  document.addEventListener("click", follow);
  // How the platform's script reports a click in its menu, which is outside of the page.
  document.addEventListener("shopify:navigate", follow);
}

/** The address changed. It's normalized, which removes a platform's token. */
function arrive(): void {
  const route = toRoute(location);
  history.replaceState(history.state, "", toPath(route));
  if (toPath(route) !== toPath(current.get())) current.set(route);
}

function followLink(event: Event, views: readonly string[]): void {
  const link = event.target instanceof Element ? event.target.closest("[href]") : null;
  if (link === null || event.defaultPrevented || !isPlain(event, link)) return;
  const route = parseLink(link.getAttribute("href") ?? "", location.origin, views);
  if (route === null) return;
  event.preventDefault();
  const asked = route.view === current.get().view ? undefined : findBridge()?.saveBar?.leaveConfirmation();
  if (asked === undefined) navigate(route);
  else void asked.then(() => navigate(route));
}

/** Whether a link opens here: not in another tab, and not as a file. */
function isPlain(event: Event, link: Element): boolean {
  if (link.hasAttribute("target") || link.hasAttribute("download")) return false;
  if (!(event instanceof MouseEvent)) return true;
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

import { getRoute, navigate, type Route } from "./route.ts";

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

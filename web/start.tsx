import { render } from "preact";
import { App } from "./app.tsx";
import { startChanges } from "./data/api/changes.ts";
import { startClock } from "./components/time.tsx";
import { startShortcuts } from "./data/shell/keyboard.ts";
import { startPageNotices } from "./data/shell/page-notices.ts";
import { followLinks } from "./data/shell/route.ts";
import { startShops } from "./data/shell/shops.ts";
import { sendNowOnLeaving } from "./data/orders/undo.ts";
import { VIEWS } from "./views/views.ts";

/** Draw the page, once its texts are loaded. */
export function start(root: HTMLElement): void {
  startClock();
  startShortcuts();
  startChanges();
  startPageNotices();
  startShops();
  followLinks(VIEWS.map(({ id }) => id));
  addEventListener("pagehide", sendNowOnLeaving);
  // The server's stand-in and the first drawing look the same, so nothing moves.
  root.replaceChildren();
  render(<App />, root);
}

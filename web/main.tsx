import { render } from "preact";
import { App } from "./app.tsx";
import { startClock } from "./components/time.tsx";
import { startShortcuts } from "./data/shell/keyboard.ts";
import { followLinks } from "./data/shell/route.ts";
import { sendNowOnLeaving } from "./data/orders/undo.ts";
import { VIEWS } from "./views/views.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/controls.css";
import "./styles/parts.css";
import "./styles/orders.css";
import "./styles/order.css";
import "./styles/charts.css";
import "./styles/insights.css";
import "./styles/policy.css";
import "./styles/settings.css";

const root = document.getElementById("app");
if (root !== null) {
  startClock();
  startShortcuts();
  followLinks(VIEWS.map(({ id }) => id));
  addEventListener("pagehide", sendNowOnLeaving);
  // The server's stand-in and the first drawing look the same, so nothing moves.
  root.replaceChildren();
  render(<App />, root);
}

import { loadTexts } from "./data/base/texts.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/controls.css";
import "./styles/parts.css";
import "./styles/orders.css";
import "./styles/order.css";
import "./styles/buyer.css";
import "./styles/charts.css";
import "./styles/insights.css";
import "./styles/policy.css";
import "./styles/settings.css";
import "./styles/zoom.css";
import "./styles/print.css";

const root = document.getElementById("app");
// Everything else is evaluated once the texts are there: constants may contain them.
if (root !== null)
  void loadTexts()
    .then(() => import("./start.tsx"))
    .then(({ start }) => start(root));

/** The console's views in the menu, in its order. Each is a page at `/VIEW`; the first one also at `/`. */
export const CONSOLE_VIEWS = [
  { view: "queue", title: "Queue" },
  { view: "orders", title: "Orders" },
  { view: "overview", title: "Overview" },
  { view: "report", title: "Report" },
  { view: "policy", title: "Policy" },
  { view: "settings", title: "Settings" },
] as const;

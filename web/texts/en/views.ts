/** views */
export const TEXTS = {
  orders: "Orders",
  overview: "Overview",
  policy: "Policy",
  queue: "Queue",
  report: "Report",
  settings: "Settings",
} as const;

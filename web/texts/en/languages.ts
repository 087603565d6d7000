/** The choices of a language and a time zone. */
export const TEXTS = {
  "days-are-the-shops": "Lists by day, filters and reports count the shop’s days.",
  language: "Language",
  "same-as-browser": "Same as the browser",
  "the-shops": "The shop’s ({zone})",
  "this-devices": "This device’s ({zone})",
  "time-zone": "Time zone",
} as const;

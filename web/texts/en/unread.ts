/** Why the platform hasn’t provided an order’s card or history yet. */
export const TEXTS = {
  "not-granted": "not shared with Holdfast: grant the app access on the settings page",
  "not-yet": "not there yet: Holdfast looks again when the platform has it",
  "personal-data": "not shared with Holdfast: the app has no access to personal data",
  refused: "not readable: the platform’s answer couldn’t be used",
  throttled: "not read yet: the platform limits how much is read. Holdfast looks again",
  unavailable: "not read yet: the platform couldn’t be reached. Holdfast looks again",
} as const;

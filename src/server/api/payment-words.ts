const STREET_ONLY = "the street matches, the postal code doesn't";
const POSTCODE_ONLY = "the postal code matches, the street doesn't";
const MATCH = "street and postal code match";
const NO_AVS = "the bank didn't check the address";

/** Result codes of the card networks' address check. */
const AVS_WORDS: Readonly<Record<string, string>> = {
  A: STREET_ONLY,
  B: "the street matches, the postal code wasn't checked",
  C: NO_AVS,
  D: MATCH,
  E: NO_AVS,
  F: "the postal code matches, the name doesn't",
  G: NO_AVS,
  H: "street and postal code match, the name doesn't",
  I: NO_AVS,
  J: "name, street and postal code match",
  K: "the name matches, street and postal code don't",
  L: "name and postal code match, the street doesn't",
  M: MATCH,
  N: "neither street nor postal code matches",
  O: "name and street match, the postal code doesn't",
  P: "the postal code matches, the street wasn't checked",
  Q: "name, street and postal code match",
  R: NO_AVS,
  S: NO_AVS,
  T: "the street matches, the name doesn't",
  U: NO_AVS,
  V: "name, street and postal code match",
  W: POSTCODE_ONLY,
  X: MATCH,
  Y: MATCH,
  Z: POSTCODE_ONLY,
};

/** Result codes of the check of the card's security code. */
const CVV_WORDS: Readonly<Record<string, string>> = {
  D: "suspicious",
  I: "invalid",
  M: "matches",
  N: "doesn't match",
  P: "wasn't checked",
  S: "not entered, though the card has one",
  U: "the bank didn't check it",
  X: "the card doesn't support it",
};

/** The result of the address check in words with its code. */
export function explainAvs(code: string): string {
  return explain(AVS_WORDS, code);
}

/** The result of the security code's check in words with its code. */
export function explainCvv(code: string): string {
  return explain(CVV_WORDS, code);
}

function explain(words: Readonly<Record<string, string>>, code: string): string {
  const known = code.trim().toUpperCase();
  return Object.hasOwn(words, known) ? `${words[known]} (${known})` : `code ${code}`;
}

/** Lower case, without accents. */
function toPlain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase();
}

const NO_MATCH = 0;

/** How well a label fits what is typed; 0: not at all. Words may be left out or begun, and letters skipped. Pure. */
export function rate(typed: string, label: string): number {
  const [wanted, text] = [toPlain(typed).trim(), toPlain(label)];
  if (wanted === "" || text.startsWith(wanted)) return 4;
  if (text.replaceAll(/[^\p{L}\p{N}]+/gu, " ").includes(` ${wanted}`)) return 3;
  if (wanted.split(/\s+/).every((word) => text.includes(word))) return 2;
  return hasInOrder(text, wanted.replaceAll(/\s+/g, "")) ? 1 : NO_MATCH;
}

/** Whether a text has all the letters in this order. */
function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + letter.length;
    if (at < letter.length) return false;
  }
  return true;
}

/** What fits, the best first; what fits equally well stays in its order. */
export function rank<T>(typed: string, all: readonly T[], toLabel: (one: T) => string): readonly T[] {
  return all
    .map((one) => ({ one, rating: rate(typed, toLabel(one)) }))
    .filter(({ rating }) => rating !== NO_MATCH)
    .toSorted((one, other) => other.rating - one.rating)
    .map(({ one }) => one);
}

import { hasSameWords, toWords } from "./likeness.ts";

/** Words that number a part of a building, in the languages orders come in most. */
const PART_WORDS: ReadonlySet<string> = new Set(
  `apartment apt appt apto flat unit suite ste room rm door building bldg block blk tower entrance gate stair
  staircase level lvl wing box pmb locker mailbox locker dept lot
  wohnung whg top stiege tur zimmer
  appartement bat batiment bte escalier porte
  piso planta puerta escalera depto departamento interior int interno scala apartamento bloco andar sala
  mieszkanie lok lokal bus huisnummer lgh lejlighed
  квартира кв офис оф подъезд этаж`.split(/\s+/),
);
/** Of these, the ones that may follow their number: 3rd floor, 2. OG. */
const FLOOR_WORDS: ReadonlySet<string> = new Set(
  "floor fl og ug eg stock stockwerk etage piso planta andar piano pietro verdieping sal этаж".split(" "),
);
const FLOOR_NAMES: ReadonlySet<string> = new Set(
  "ground top upper lower basement first second third fourth fifth sixth seventh eighth ninth tenth".split(
    " ",
  ),
);
const NUMBER = /^\d+(?:st|nd|rd|th|er|e|o|a)?$/;
const PART_NUMBER = /^(?:\d+\p{L}?|\p{L}\d*)$/u;
const POST_BOX = /\bp(?:ost)?[ .]*o(?:ffice)?\b|\bgpo\b|\bpsc\b/;

/**
 * Whether two street lines lead to the same building: they differ at most in the flat, suite or floor, in a second
 * line, in abbreviations, in case, accents and punctuation, or in one wrong letter of a word. Numbers must be equal.
 *
 * A second line that reads like a street with its number counts as one: goods can be sent on that way.
 */
export function isSameStreet(before: string, after: string): boolean {
  return hasSameWords(toCore(before), toCore(after));
}

/** The words that say which building. */
function toCore(street: string): readonly string[] {
  const lines = street
    .split(/[,;\n]/)
    .map(toLineWords)
    .filter((words) => words.length > 0);
  const withNumber = lines.filter(isStreetWithNumber);
  // Where the number has a line of its own (12, Rue de la Paix), no line says enough by itself.
  return (withNumber.length > 0 ? withNumber : lines).flat();
}

function isStreetWithNumber(words: readonly string[]): boolean {
  return words.some((word) => /\d/.test(word)) && words.some((word) => /^\D{2,}$/.test(word));
}

/** The words of one line without what numbers a part of a building. */
function toLineWords(line: string): readonly string[] {
  const written = line
    .toLowerCase()
    .replaceAll("#", " unit ")
    .replaceAll(/(\d+\p{L}?)\s*\/\s*(\d+\p{L}?)/gu, pickHouse)
    // 4-B is one number of a flat.
    .replaceAll(/(?<=\d)-(?=\p{L}(?!\p{L}))|(?<=(?<!\p{L})\p{L})-(?=\d)/gu, "");
  const isPostBox = POST_BOX.test(written);
  return withoutParts(toWords(written), isPostBox).map((word) => word.replace(/^(\d+)\p{L}$/u, "$1"));
}

/** Of 3/12 Main Street the second is the house, of Hauptstraße 12/3 the first. */
function pickHouse(_pair: string, first: string, second: string, at: number, line: string): string {
  return /\p{L}/u.test(line.slice(0, at)) ? first : second;
}

function withoutParts(words: readonly string[], isPostBox: boolean): readonly string[] {
  const kept: string[] = [];
  let skipped = false;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    const previous = kept.at(-1);
    if (skipped) skipped = false;
    else if (isPart(word, next) && !(isPostBox && word === "box")) skipped = true;
    else if (isFloor(word, previous)) kept.pop();
    else if (!isHouseLetter(word, previous, next)) kept.push(word);
  }
  return kept;
}

function isPart(word: string, next: string | undefined): boolean {
  return (PART_WORDS.has(word) || FLOOR_WORDS.has(word)) && next !== undefined && PART_NUMBER.test(next);
}

function isFloor(word: string, previous: string | undefined): boolean {
  if (previous === undefined || !FLOOR_WORDS.has(word)) return false;
  return NUMBER.test(previous) || FLOOR_NAMES.has(previous);
}

/** The letter of a house: Hauptstraße 12 b. Not that of a street: 12 B Street. */
function isHouseLetter(word: string, previous: string | undefined, next: string | undefined): boolean {
  return next === undefined && previous !== undefined && /^\p{L}$/u.test(word) && /^\d+$/.test(previous);
}

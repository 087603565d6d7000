/** The letters of an alphabet and, in the same order, their romanized consonants. */
type Alphabet = readonly [letters: string, sounds: string];

/** Alphabets that are romanized letter by letter, without vowels, because those differ most between spellings. */
const ALPHABETS: readonly Alphabet[] = [
  // Latin, where a sound has several spellings.
  ["bcdfghjklmnpqrstvwxz", "b c d f g h d k l m n p k r s t v v ks z"],
  // Russian, Ukrainian, Bulgarian, Serbian, Macedonian and Kazakh.
  [
    "бвгґғдђжзкқлљмнњңпрстћфхһцчџшщѓќѕј",
    "b v g g g d d z z k k l l m n n n p r s t c f h h c c d s s g k d y",
  ],
  ["βγδζθκλμνξπρσςτφχψ", "v g d z t k l m n ks p r s s t f h ps"],
  // Armenian and Georgian.
  ["բգդզթժլխծկհձղճմնշչպջռսվտրցփքֆյ", "b g d z t z l h c k h d g c m n s c p d r s v t r c p k f y"],
  ["ბგდვზთკლმნპჟრსტფქღყშჩცძწჭხჯჰ", "b g d v z t k l m n p z r s t p k g k s c c d c c h d h"],
];
const VOWELS = "aeiouyаеиіоуыъьэюяєөүұәαεηιουωեէըիոօաևաეიოუაъь";

const SOUNDS: ReadonlyMap<string, string> = new Map([
  ...Array.from(VOWELS, (letter): [string, string] => [letter, ""]),
  ...ALPHABETS.flatMap(([letters, sounds]) => {
    const list = sounds.split(" ");
    return Array.from(letters, (letter, at): [string, string] => [letter, list[at] ?? ""]);
  }),
]);

/** Groups of Latin letters for one sound, longest first. */
const GROUPS = /shch|tsch|sch|dzh|sh|sz|zh|kh|gh|ph|th|ch|cz|ts|tz|dz|dj|ck|qu/g;
const GROUP_SOUNDS: Readonly<Record<string, string>> = {
  shch: "s",
  tsch: "c",
  sch: "s",
  dzh: "d",
  sh: "s",
  sz: "s",
  zh: "z",
  kh: "h",
  gh: "g",
  ph: "f",
  th: "t",
  ch: "c",
  cz: "c",
  ts: "c",
  tz: "c",
  dz: "d",
  dj: "d",
  ck: "k",
  qu: "k",
};

/**
 * The consonants of a folded word in Latin, Cyrillic, Greek, Armenian or Georgian letters, in any romanization: "Мкртчян",
 * "Mkrtchyan" and "Mkrtčjan" all give about `mkrtcn`. Undefined for other scripts, which aren't romanized letter by letter.
 * Doubled letters count once.
 */
export function toConsonants(folded: string): string | undefined {
  let sounds = "";
  for (const letter of folded.replace(GROUPS, (group) => GROUP_SOUNDS[group] ?? group)) {
    const sound = SOUNDS.get(letter);
    if (sound === undefined) return undefined;
    sounds += sound;
  }
  // Spellings of one sound that differ between systems: s and z, c and k, g and h.
  return sounds
    .replaceAll(/[zcy]/g, (letter) => ({ z: "s", c: "k", y: "" })[letter] ?? letter)
    .replaceAll(/(.)\1+/g, "$1");
}

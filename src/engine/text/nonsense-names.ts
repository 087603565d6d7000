import { isKeyboardMash, isUnpronounceable, toLetterSurprise, toWords } from "./text-shape.ts";

const TEST_NAME =
  /^(?:test|tester|testing|dummy|fake|asd|asdf|qwe|qwer|qwert|qwerty|qwertz|azerty|zxc|xxx+|yyy+|zzz+|aaa+|bbb+|abc|abcd|abcdef|xyz|n\/?a)$/;

/** Whether no part of a name looks like a name. A single odd word isn't enough, because names are written in many ways. */
export function isNonsenseName(name: string): boolean {
  const words = toWords(name);
  if (words.length === 0) return false;
  if (words.every((word) => TEST_NAME.test(word) || isKeyboardMash(word)) || isRandomName(words)) return true;
  const long = words.filter((word) => word.length > 3);
  return long.length > 0 && long.every(isKeyboardMash);
}

/** Fewer letters are too few to judge: "Ng", "Krk", "Nguyễn Đ." are names. */
const RANDOM_NAME_LETTERS = 9;
const RANDOM_NAME_BITS = 5.8;

/** Whether Latin letters form no language's words, in every long word and overall. */
function isRandomName(words: readonly string[]): boolean {
  const long = words.filter((word) => word.length > 3);
  return (
    words.join("").length >= RANDOM_NAME_LETTERS &&
    words.every((word) => /^[a-z]+$/.test(word)) &&
    long.some((word) => isUnpronounceable([word])) &&
    long.every((word) => isUnpronounceable([word]) || toLetterSurprise([word]) >= RANDOM_NAME_BITS) &&
    toLetterSurprise(words) >= RANDOM_NAME_BITS
  );
}
